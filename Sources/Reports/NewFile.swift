package import Glibc
import PropertyLists

/// A file that must not be there yet: nothing is ever overwritten, and half a file does not stay, not even where the program ends meanwhile.
package enum NewFile {
    package struct Failure: Error, Sendable, Equatable {
        package let path: String
        package let problem: String

        /// In one line, for a message.
        package var text: String { "\(path): \(problem)" }
    }

    /// Creates the file for what `write` puts out. It gets its name when all is written; where the file system has no files without
    /// names it goes again if that fails.
    ///
    /// - Parameter mode: who may read it, before the umask.
    package static func create(
        _ path: String, mode: mode_t = 0o666, write: (ReportOutput) throws(ReportOutputError) -> Void
    ) throws(Failure) {
        var status = stat()
        // Said before the work is done; that it is still so is seen to when the name is given.
        guard lstat(path, &status) != 0 else { throw failure(path, EEXIST) }
        let nameless = SystemPath.openNameless(in: folder(of: path), O_WRONLY, mode: mode)
        let descriptor = nameless >= 0 ? nameless : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(path, errno) }
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
        var hasName = nameless < 0
        if nameless >= 0, problem == nil {
            hasName = SystemPath.name(nameless, path)
            if !hasName { problem = failure(path, errno).problem }
        }
        if close(descriptor) != 0, problem == nil { problem = String(cString: strerror(errno)) }
        guard let problem else { return }
        if hasName { unlink(path) }
        throw Failure(path: path, problem: problem)
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        Failure(path: path, problem: code == EEXIST ? "is there already" : String(cString: strerror(code)))
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
