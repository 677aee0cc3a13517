import Foundation
import Screens

extension Browser {
    /// Writes bytes to a file that must not be there yet, for its owner alone.
    func write(_ bytes: Data, to file: String) {
        let path = (file as NSString).expandingTildeInPath
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            status = .message("\(path): \(errno == EEXIST ? "is there already" : String(cString: strerror(errno)))")
            return
        }
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count, failure == 0 {
                let written = Foundation.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if written > 0 { done += written } else if errno != EINTR { failure = errno }
            }
        }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        guard failure == 0 else {
            // Half a file is worse than none.
            unlink(path)
            status = .message("\(path): \(String(cString: strerror(failure)))")
            return
        }
        status = .message("wrote \(bytes.count) bytes to \(path)")
    }
}
