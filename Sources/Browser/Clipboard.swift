import Dispatch
import Foundation

/// The desktop's clipboard, where a program for it is present; terminals are served by OSC 52 besides.
package struct Clipboard: Sendable {
    private let command: [String]?

    /// No desktop.
    package init() { command = nil }

    /// Looks for `wl-copy` under Wayland, `xclip` under X, `pbcopy`.
    package init(environment: [String: String]) {
        var candidates: [[String]] = []
        if environment["WAYLAND_DISPLAY"] != nil { candidates.append(["wl-copy"]) }
        if environment["DISPLAY"] != nil { candidates.append(["xclip", "-selection", "clipboard"]) }
        candidates.append(["pbcopy"])
        let directories = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        var found: [String]?
        for candidate in candidates where found == nil {
            for directory in directories where found == nil {
                let path = directory + "/" + candidate[0]
                if access(path, X_OK) == 0 { found = [path] + candidate.dropFirst() }
            }
        }
        command = found
    }

    /// Hands the text over in the background; that it cannot be is no reason to disturb the reader.
    package func copy(_ text: String) {
        guard let command, !text.isEmpty else { return }
        DispatchQueue.global().async {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            let input = Pipe()
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return }
            try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? input.fileHandleForWriting.close()
        }
    }
}
