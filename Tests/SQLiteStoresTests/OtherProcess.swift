import Foundation
import Glibc

/// A writer in a process of its own, as SQLite's shared memory is one for all connections of a process.
final class OtherProcess {
    static let program = "/usr/bin/sqlite3"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ path: String) throws {
        process.executableURL = URL(fileURLWithPath: OtherProcess.program)
        process.arguments = ["-batch", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Runs SQL and waits until it is done.
    func run(_ sql: String) throws {
        try begin(sql)
        wait()
    }

    /// Runs SQL while others go on.
    func begin(_ sql: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((sql + ";\n.print done\n").utf8))
    }

    /// Waits until what was begun is done.
    func wait() {
        var answer = ""
        while !answer.hasSuffix("done\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { return }
            answer += String(decoding: part, as: UTF8.self)
        }
    }

    /// Ends without a chance to tidy up, as a crash does.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }
}
