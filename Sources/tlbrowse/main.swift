import Foundation
import PropertyLists

// A closed pipe is an error of the write, not the end of the program.
signal(SIGPIPE, SIG_IGN)

private func runProgram() -> Int32 {
    do {
        // Not `CommandLine.arguments`: file names need not be UTF-8.
        let words = CommandLine.unsafeArgv
        let arguments = try Arguments((1..<max(1, Int(CommandLine.argc))).compactMap { words[$0].map { SystemPath.text($0) } })
        if arguments.has(.help) {
            Console.printOutput(Option.helpText)
            return ExitCode.fine
        }
        if arguments.has(.version) {
            Console.printOutput("tlbrowse \(Option.version)\n")
            return ExitCode.fine
        }
        if let file = arguments[.generate].flatMap(GeneratedFile.init(rawValue:)) {
            Console.printOutput(file.text)
            return ExitCode.fine
        }
        return Session(arguments: arguments, environment: ProcessInfo.processInfo.environment).run()
    } catch {
        Console.printError("tlbrowse: \(error.message)")
        return ExitCode.usage
    }
}

exit(runProgram())
