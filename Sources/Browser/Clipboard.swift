import Dispatch
import Foundation

/// The desktop's clipboard, where a program for it is present; terminals are served by OSC 52 besides.
package struct Clipboard: Sendable {
    private let environment: [String: String]?

    /// No desktop.
    package init() { environment = nil }

    /// Programs are looked for by what the environment says when there is something to copy.
    package init(environment: [String: String]) { self.environment = environment }

    /// `wl-copy` under Wayland, `xclip` under X, `pbcopy`: the first one that is there.
    private var command: [String]? {
        guard let environment else { return nil }
        var candidates: [[String]] = []
        if environment["WAYLAND_DISPLAY"] != nil { candidates.append(["wl-copy"]) }
        if environment["DISPLAY"] != nil { candidates.append(["xclip", "-selection", "clipboard"]) }
        candidates.append(["pbcopy"])
        let directories = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for candidate in candidates {
            for directory in directories {
                let path = directory + "/" + candidate[0]
                if access(path, X_OK) == 0 { return [path] + candidate.dropFirst() }
            }
        }
        return nil
    }

    /// Hands the text over in the background; that it cannot be is no reason to disturb the reader.
    package func copy(_ text: String) {
        guard !text.isEmpty, let command else { return }
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
