import Browser
import Foundation
import NcursesTerminal
import ObjectStore
import PlistConfig
import PropertyLists
import Screens
import TerminalUI

// Opening may take half a minute: it runs on a thread of its own, and says how far it is.
extension Session {
    private typealias Opening = BackgroundOpening<Result<Opened, Failure>>

    /// Milliseconds for which nothing is said: most stores are open by then.
    private static let quietTime = 150

    private func startOpening(_ file: String) throws(Failure) -> Opening {
        let name = SystemPath.shown(((arguments[.data] ?? arguments.files.last ?? file) as NSString).lastPathComponent)
        let opening = Opening(name: name, progress: progress) {
            Result { () throws(Failure) in try open(file) }
        }
        guard let opening else { throw Failure([Fault(file: "terminal", problem: "no file descriptors left")]) }
        return opening
    }

    /// Opens and shows; where opening takes longer than a moment the terminal shows its progress first.
    func openAndBrowse(_ file: String) throws(Failure) -> Int32 {
        let opening = try startOpening(file)
        if let result = opening.result(milliseconds: Self.quietTime) { return try browse(try result.get(), on: nil) }
        let terminal = try makeTerminal(loadSettings().settings.looks)
        let (result, ending) = opening.result(on: terminal)
        // What is still being read dies with the program, and has no name that it could leave.
        guard let result else {
            terminal.close()
            return exitStatus(of: ending)
        }
        do throws(Failure) {
            return try browse(try result.get(), on: terminal)
        } catch {
            // Faults are read on the terminal as it was.
            terminal.close()
            throw error
        }
    }

    /// Opens what is then printed; the progress goes to standard error where that is a terminal.
    func openForPrinting(_ file: String) throws(Failure) -> Opened {
        guard isatty(STDERR_FILENO) == 1 else { return try open(file) }
        let opening = try startOpening(file)
        var wait = Self.quietTime * 4
        var shown = 0
        while true {
            if let result = opening.result(milliseconds: wait) {
                if shown > 0 { Console.replaceErrorLine("", width: shown) }
                return try result.get()
            }
            let text = "\(opening.screen.name): \(opening.screen.line)"
            Console.replaceErrorLine(text, width: shown)
            shown = DisplayText.width(of: DisplayText.printable(text))
            wait = Self.quietTime
        }
    }
}
