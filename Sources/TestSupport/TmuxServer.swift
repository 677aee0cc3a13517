import Foundation
import Glibc
package import Testing

/// One tmux server with one window, in a folder of its own: nothing of the user's tmux, its settings included, is touched.
struct TmuxServer: Sendable {
    let folder: TemporaryFolder
    private var socket: String { folder.path + "/socket" }

    /// Whether tmux is installed.
    static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        .contains { access($0 + "/tmux", X_OK) == 0 }

    /// The environment of the server, and so of what runs in it.
    var environment: [String: String] { BuiltProgram.pinnedEnvironment(home: folder.path, adding: ["TERM": "xterm-256color"]) }

    init() throws {
        folder = try TemporaryFolder()
        let settings = """
            set -g default-terminal screen-256color
            set -g status off
            set -g escape-time 0
            set -g remain-on-exit on
            set -g set-titles off
            set -s set-clipboard on
            set -g history-limit 1000
            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder.path + "/tmux.conf"))
    }

    /// Runs a tmux command and returns what it printed; throws what it complained about.
    @discardableResult
    func callAsFunction(_ command: String...) throws -> String {
        try run(command)
    }

    /// As `callAsFunction`, with the words in an array. An argument that ends in `;` would end the command: it is escaped.
    @discardableResult
    func run(_ command: [String]) throws -> String {
        let words = command.map { $0.hasSuffix(";") ? $0.dropLast() + "\\;" : $0 }
        let name = folder.path + "/" + UUID().uuidString
        defer {
            unlink(name + ".output")
            unlink(name + ".error")
        }
        let status = try ChildProcess.run(
            ["tmux", "-u", "-S", socket, "-f", folder.path + "/tmux.conf"] + words, environment: environment,
            output: name + ".output", error: name + ".error")
        guard status == 0 else {
            let complaint = (try? String(contentsOfFile: name + ".error", encoding: .utf8)) ?? ""
            throw TerminalFailure(
                what: "tmux \(command.joined(separator: " ")): \(complaint.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        return String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: name + ".output"))) ?? Data(), as: UTF8.self)
    }

    /// Ends the server with all that runs in it, and removes the folder.
    func stop() {
        _ = try? run(["kill-server"])
        folder.remove()
    }
}

/// Why a test's terminal could not do what it was asked.
package struct TerminalFailure: Error, CustomStringConvertible {
    package let what: String

    package var description: String { what }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test of the built program where that shows nothing yet.
    package static var needsBrowser: Self { .enabled(if: BuiltProgram.isBrowser, "the program has no options yet") }

    /// Skips a test where tmux is not installed.
    package static var needsTmux: Self { .enabled(if: TmuxServer.isInstalled, "tmux is not installed") }
}
