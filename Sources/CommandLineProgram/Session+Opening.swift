import Browser
import Foundation
import NcursesTerminal
import ObjectStore
import PlistConfig
import Presentation
import PropertyLists
import SQLiteStores
import Screens
import TerminalUI

// Opening may take half a minute: it runs on a thread of its own, and says how far it is.
extension Session {
    private typealias Opening<Made: Sendable> = BackgroundOpening<Result<Made, Failure>>

    /// Milliseconds for which nothing is said: most stores are open by then.
    private static let quietTime = 150

    /// - Parameters:
    ///   - make: goes on with what was opened, on the same thread.
    ///   - afterwards: done there once the result is on its way.
    private func startOpening<Made: Sendable>(
        _ file: String, _ make: @escaping @Sendable (Opened, _ ask: (@escaping Opening<Made>.Errand) -> Void) -> Made,
        afterwards: @escaping @Sendable (Made) -> Void = { _ in }
    ) throws(Failure) -> Opening<Made> {
        let name = SystemPath.shown(((arguments[.data] ?? arguments.files.last ?? file) as NSString).lastPathComponent)
        let opening = Opening(name: name, progress: progress) { ask in
            Result { () throws(Failure) in make(try open(file), ask) }
        } afterwards: { result in
            if case .success(let made) = result { afterwards(made) }
        }
        guard let opening else { throw Failure([Fault(file: "terminal", problem: "no file descriptors left")]) }
        return opening
    }

    /// Makes ready what the dates of a list are shown by, where it has any.
    func prepareDates(of list: ResolvedList) {
        let shown = [list.textKeyPath] + list.detailTextKeyPaths
        guard shown.contains(where: { $0?.type == .date }) else { return }
        presentation.prepareDates(
            dateStyle: list.description.dateFormatterStyle, timeStyle: list.description.timeFormatterStyle)
    }

    /// What a screen needs besides the data.
    struct Stage {
        let settings: Settings
        let faults: [Fault]
        let terminal: NcursesTerminal
    }

    /// Makes the terminal ready, on which nothing shows yet.
    private func makeStage() throws(Failure) -> Stage {
        let (settings, faults) = loadSettings()
        let terminal = try makeTerminal(settings.looks)
        return Stage(settings: settings, faults: faults, terminal: terminal)
    }

    /// Opens and shows; where opening takes longer than a moment the terminal shows its progress first.
    func openAndBrowse(_ file: String) throws(Failure) -> Int32 {
        let opening = try startOpening(file, begin(with:_:)) { beginning in
            // While the screen is set up; of a list that was to be read here they are ready.
            if !beginning.root.isQuick, let list = beginning.opened.list { prepareDates(of: list) }
        }
        let made = Result { () throws(Failure) in try makeStage() }
        let early = opening.result(milliseconds: Self.quietTime)
        // What is wrong with the data comes before what is wrong with the terminal.
        if case .failure(let failure)? = early {
            if case .success(let stage) = made { stage.terminal.close() }
            throw failure
        }
        let stage = try made.get()
        // Faults are read on the terminal as it was. Whoever quits as soon as the list is there finds it at once next time.
        defer {
            stage.terminal.close()
            orderCache?.finishWriting(within: 500)
        }
        if let early { return try browse(try early.get(), on: stage) }
        let (result, ending) = opening.result(on: stage.terminal)
        // What is still being read dies with the program, and has no name that it could leave.
        guard let result else { return exitStatus(of: ending) }
        return try browse(try result.get(), on: stage)
    }

    /// Opens what is then printed; the progress goes to standard error where that is a terminal.
    func openForPrinting(_ file: String) throws(Failure) -> Opened {
        guard isatty(STDERR_FILENO) == 1 else { return try open(file) }
        let opening = try startOpening(file) { opened, _ in opened }
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
