import Foundation
import TerminalUI

/// Lines to standard output and standard error, made safe for a terminal.
enum Console {
    static func printError(_ line: String) {
        write(DisplayText.printable(line) + "\n", to: STDERR_FILENO)
    }

    static func printOutput(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Whether all could be written; a closed pipe is no fault.
    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
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
