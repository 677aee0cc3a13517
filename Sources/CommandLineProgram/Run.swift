public import CustomRows
public import Foundation
import PropertyLists

/// Runs the browser as its command line says, from opening the data to the last screen; `tlbrowse` is no more than a call of it.
///
/// A program with rows of its own registers them and calls this in its place: `Sources/CustomRowExample` is one. The terminal,
/// standard input and the signals that end a program are the browser's until it returns.
///
/// - Parameters:
///   - arguments: the command line without the program's name; nil for this process's own, whose file names need not be UTF-8.
///   - environment: where `TERM`, `LANG`, `TZ` and the like are looked up.
///   - rows: the custom rows that detail plists may name.
/// - Returns: the exit status: 0, 1 for a fault in plist, data or terminal, 2 for wrong usage, 130 after ^C, 128 + n after signal n.
///   Faults are on standard error by then.
public func run(
    arguments: [String]? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
    rows: CustomRowRegistry = .standard
) -> Int32 {
    // A closed pipe is an error of the write, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    do {
        let arguments = try Arguments(arguments ?? processArguments())
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

/// Not `CommandLine.arguments`: file names need not be UTF-8.
private func processArguments() -> [String] {
    let words = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { place in words[place].map { SystemPath.text($0) } }
}
