import Foundation

/// A command of the project or the system, run to its end without a terminal.
package struct CommandResult: Sendable {
    /// As a shell has it.
    package let exitStatus: Int
    package let standardOutput: String
    package let standardError: String

    /// Runs it in the project's folder. The first word is looked up in `PATH` unless it has a slash.
    package init(_ command: [String]) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        exitStatus = try ChildProcess.run(
            ["/usr/bin/env", "-C", BuiltProgram.projectFolder.path] + command,
            environment: BuiltProgram.pinnedEnvironment(home: folder.path, adding: [:]), output: folder.path + "/output",
            error: folder.path + "/error")
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path + name)), as: UTF8.self)
        }
        standardOutput = try text("/output")
        standardError = try text("/error")
    }
}
