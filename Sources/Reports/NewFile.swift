package import Glibc

/// A file that must not be there yet: nothing is ever overwritten, and half a file does not stay.
package enum NewFile {
    package struct Failure: Error, Sendable, Equatable {
        package let path: String
        package let problem: String

        /// In one line, for a message.
        package var text: String { "\(path): \(problem)" }
    }

    /// Creates the file for what `write` puts out; it goes again if that fails.
    ///
    /// - Parameter mode: who may read it, before the umask.
    package static func create(
        _ path: String, mode: mode_t = 0o666, write: (ReportOutput) throws(ReportOutputError) -> Void
    ) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            let code = errno
            throw Failure(path: path, problem: code == EEXIST ? "is there already" : String(cString: strerror(code)))
        }
        var problem: String?
        do {
            let output = ReportOutput(descriptor: descriptor)
            try write(output)
            try output.flush()
        } catch {
            problem =
                switch error {
                case .closed: "cannot be written"
                case .failed(let reason): reason
                }
        }
        if close(descriptor) != 0, problem == nil { problem = String(cString: strerror(errno)) }
        guard let problem else { return }
        unlink(path)
        throw Failure(path: path, problem: problem)
    }
}
