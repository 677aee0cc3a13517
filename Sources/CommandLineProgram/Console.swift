import Foundation
import PropertyLists
import TerminalUI

/// Lines to standard output and standard error, made safe for a terminal.
enum Console {
    static func printError(_ line: String) {
        _ = write(DisplayText.printable(SystemPath.shown(line)) + "\n", to: STDERR_FILENO)
    }

    /// Writes over the line of standard error's terminal that is not ended yet and is so wide; an empty text only takes it away.
    static func replaceErrorLine(_ text: String, width: Int) {
        let shown = DisplayText.printable(text)
        let blank = String(repeating: " ", count: max(0, width - DisplayText.width(of: shown)))
        _ = write("\r" + shown + blank + (text.isEmpty ? "\r" : ""), to: STDERR_FILENO)
    }

    /// The exit status: a full disk is said on standard error, and is a fault; a closed pipe is none.
    static func printOutput(_ text: String) -> Int32 {
        guard let code = write(text, to: STDOUT_FILENO), code != EPIPE else { return ExitCode.fine }
        printError("tlbrowse: standard output: cannot be written: \(String(cString: strerror(code)))")
        return ExitCode.fault
    }

    /// The system's reason where not all could be written.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return errno }
            bytes = bytes.dropFirst(written)
        }
        return nil
    }
}

/// How the program ends: SPEC section 1.
enum ExitCode {
    static let fine: Int32 = 0
    /// The plist, the data or the terminal is at fault.
    static let fault: Int32 = 1
    static let usage: Int32 = 2
    static let interrupted: Int32 = 130
}
