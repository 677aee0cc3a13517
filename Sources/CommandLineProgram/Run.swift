public import CustomRows
public import Foundation
import PropertyLists

/// Runs the browser as this process's own command line says. As `run(arguments:environment:rows:)`.
public func run(rows: CustomRowRegistry = .standard) -> Int32 {
    // Not `CommandLine.arguments`: file names need not be UTF-8.
    let words = CommandLine.unsafeArgv
    let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { words[$0].map { SystemPath.text($0) } }
    return run(arguments: arguments, rows: rows)
}

/// Runs the browser as its command line says, from opening the data to the last screen; `tlbrowse` is no more than a call of it.
///
/// A program with rows of its own registers them and calls this in its place: `Sources/CustomRowExample` is one. The terminal,
/// standard input and the signals that end a program are the browser's until it returns.
///
/// - Parameters:
///   - arguments: the command line without the program's name.
///   - environment: where `TERM`, `LANG`, `TZ` and the like are looked up.
///   - rows: the custom rows that detail plists may name.
/// - Returns: the exit status: 0, 1 for a fault in plist, data or terminal, 2 for wrong usage, 130 after ^C, 128 + n after signal n.
///   Faults are on standard error by then.
public func run(
    arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    rows: CustomRowRegistry = .standard
) -> Int32 {
    // A closed pipe is an error of the write, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    do {
        let arguments = try Arguments(arguments)
        if arguments.has(.help) {
            return Console.printOutput(Option.helpText)
        }
        if arguments.has(.version) {
            return Console.printOutput("tlbrowse \(Option.version)\n")
        }
        if let file = arguments[.generate].flatMap(GeneratedFile.init(rawValue:)) {
            return Console.printOutput(file.text)
        }
        return Session(arguments: arguments, environment: environment, customRows: rows).run()
    } catch {
        Console.printError("tlbrowse: \(error.message)")
        return ExitCode.usage
    }
}
