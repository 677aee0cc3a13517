package import Foundation
import Glibc

/// The program as it was built, and where the project stands.
package enum BuiltProgram {
    /// The project's folder.
    package static var projectFolder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    /// The program to test: what `TLBROWSE_BINARY` names, else the one built beside the running tests.
    package static var path: String {
        if let named = ProcessInfo.processInfo.environment["TLBROWSE_BINARY"], !named.isEmpty {
            return URL(fileURLWithPath: named).path
        }
        return besideTests("tlbrowse")
    }

    /// An executable target of the package, as it was built with the running tests.
    package static func besideTests(_ name: String) -> String {
        let tests = URL(fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")
        // The tests are run by a helper of the toolchain on some systems, by their own executable on others.
        let built = tests.deletingLastPathComponent().appendingPathComponent(name).path
        return FileManager.default.isExecutableFile(atPath: built) ? built : projectFile(".build/debug/" + name)
    }

    /// A file of the project by its path from the project's folder.
    package static func projectFile(_ path: String) -> String {
        projectFolder.appendingPathComponent(path).path
    }

    /// Whether the program is the browser already: a program that knows no options yet cannot be tested from end to end.
    package static let isBrowser = (try? run(["--help"]))?.standardOutput.contains("--print") ?? false

    /// What a run without a terminal left behind.
    package struct Result: Sendable {
        /// As a shell has it: 128 + n after signal n, 124 where it did not end in time.
        package let exitStatus: Int
        package let standardOutput: String
        package let standardError: String
        /// All bytes of the standard output, valid UTF-8 or not.
        package let outputData: Data
    }

    /// Runs it without a terminal: standard input empty or as given, the environment pinned to UTC and UTF-8, a home of its own.
    /// It is stopped after `seconds`.
    package static func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], workingDirectory: String? = nil,
        seconds: Int = 60
    ) throws -> Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let inputFile = folder.path + "/input"
        guard FileManager.default.createFile(atPath: inputFile, contents: input) else {
            throw POSIXFailure(call: "create", code: errno)
        }
        let status = try ChildProcess.run(
            ["/usr/bin/env", "-C", workingDirectory ?? projectFolder.path, "timeout", "-k", "5", String(seconds), path]
                + arguments,
            environment: pinnedEnvironment(home: folder.path, adding: environment),
            input: inputFile, output: folder.path + "/output", error: folder.path + "/error")
        let output = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/output"))
        let error = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/error"))
        return Result(
            exitStatus: status, standardOutput: String(decoding: output, as: UTF8.self),
            standardError: String(decoding: error, as: UTF8.self), outputData: output)
    }

    /// What every run starts with, so that neither the user's settings nor the machine's zone reach a test.
    static func pinnedEnvironment(home: String, adding: [String: String]) -> [String: String] {
        var environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": home, "TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "dumb",
        ]
        if let libraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] { environment["LD_LIBRARY_PATH"] = libraries }
        environment.merge(adding) { _, new in new }
        return environment
    }
}

/// A call to the system that failed.
package struct POSIXFailure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// A folder that goes with its contents.
package struct TemporaryFolder: Sendable {
    package let path: String

    /// A new one in a folder that is there.
    package init(in place: String = "/tmp") throws {
        path = "\(place)/tests-of-tlbrowse-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        guard mkdir(path, 0o700) == 0 else { throw POSIXFailure(call: "mkdir", code: errno) }
    }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
