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
            return Console.printOutput(Option.helpText)
        }
        if arguments.has(.version) {
            return Console.printOutput("tlbrowse \(Option.version)\n")
        }
        if let file = arguments[.generate].flatMap(GeneratedFile.init(rawValue:)) {
            return Console.printOutput(file.text)
        }
        return Session(arguments: arguments, environment: ProcessInfo.processInfo.environment).run()
    } catch {
        Console.printError("tlbrowse: \(error.message)")
        return ExitCode.usage
    }
}

exit(runProgram())
