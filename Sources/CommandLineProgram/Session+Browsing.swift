import Browser
import Foundation
import NcursesTerminal
import ObjectStore
import PlistConfig
import PropertyLists
import Screens
import TerminalUI

// What is opened becomes a screen.
extension Session {
    /// What the loop begins with; made on the thread that has opened the store, while the terminal is made ready.
    struct Beginning: Sendable {
        let opened: Opened
        let navigator: ObjectNavigator
        /// Of what is committed from before the first reading on; nil where nobody wants it.
        let observation: StoreObservation?
        let savedPlace: SavedPlace?
        let savedArrangement: ListArrangement?
        let root: StackEntry
        /// The same with all that it shows in a terminal of this size, where that was there in a moment.
        let filled: (root: StackEntry, size: Size)?

        /// The screen to begin with on a terminal.
        func root(for size: Size) -> StackEntry {
            guard let filled, filled.size == size else { return root }
            return filled.root
        }
    }

    /// Makes the screen of what was opened, where the reader was; the command line's folds come before those kept. Where the list is
    /// there in a moment it is read, too.
    ///
    /// - Parameter ask: has something done meanwhile by the thread that waits.
    func begin(with opened: Opened, _ ask: (@escaping @Sendable () -> Void) -> Void) -> Beginning {
        let navigator = ObjectNavigator(
            store: opened.store, root: opened.list, rootDetail: opened.detail, presentation: presentation,
            modelPath: arguments[.model], customRows: customRows)
        let savedPlace = savedPlace(of: opened)
        let saved = savedPlace?.load()
        var place = saved?.place
        // The folds kept are against the plist's rule, and stay kept unless the reader changes those of the command line.
        let keptFolds = place?.exceptions ?? []
        if arguments.has(.collapsed) { place?.exceptions = [] }
        var arrangement = saved?.arrangement ?? ListArrangement()
        if arguments.has(.sort) { arrangement.sort = nil }
        // What was kept may name key paths that are not there any more.
        let arranged = opened.list?.arranged(arrangement, in: opened.store.schema)
        if arranged == nil { arrangement = ListArrangement() }
        var root =
            (arranged ?? opened.list).map { navigator.entry(for: $0, place: place, arrangement: arrangement) }
            ?? navigator.entityList(title: SystemPath.shown((opened.store.name as NSString).lastPathComponent))
        if root.isQuick, let list = opened.list { ask { prepareDates(of: list) } }
        if var list = root.screen as? ListScreen {
            if arguments.has(.collapsed), let single = opened.list?.description.singleExpandedSection {
                let isOpen = !opened.collapsesByPlist
                list.keep(
                    KeptFolds(exceptions: keptFolds, startsOpen: isOpen && !single, firstSectionStartsOpen: isOpen && single))
            }
            if let filter = opened.filter { list.begin(with: filter) }
            if let text = arguments[.search] { list.search(for: text) }
            root.screen = list
        }
        // What is committed while the list is being read is a change of it.
        let observation = arguments.has(.noWatch) ? nil : StoreObservation(of: opened.store)
        let filled = shownSize.flatMap { size in root.filled(for: size, progress: progress).map { (root: $0, size: size) } }
        return Beginning(
            opened: opened, navigator: navigator, observation: observation, savedPlace: savedPlace,
            savedArrangement: saved?.arrangement, root: root, filled: filled)
    }

    /// The size of the terminal that there will be a screen on, as far as it says so itself.
    private var shownSize: Size? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return nil }
        return Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    private func savedPlace(of opened: Opened) -> SavedPlace? {
        guard !arguments.has(.private), !arguments.has(.noState) else { return nil }
        return SavedPlace(list: opened.name, data: opened.store.name, environment: environment)
    }

    /// Shows the screen until the reader leaves, and keeps the place.
    ///
    /// - Parameter stage: its terminal stays the caller's.
    func browse(_ beginning: Beginning, on stage: Stage) throws(Failure) -> Int32 {
        let idleDescriptor = environment["TLBROWSE_IDLE_FD"].flatMap { Int32($0) }
        guard
            let browser = Browser(
                terminal: stage.terminal, navigator: beginning.navigator, root: [beginning.root(for: stage.terminal.size)],
                keymap: stage.settings.keymap, clipboard: Clipboard(environment: environment),
                observation: beginning.observation, idleDescriptor: idleDescriptor)
        else { throw Failure([Fault(file: "terminal", problem: "no file descriptors left")]) }
        let warnings = beginning.opened.store.schema.warnings
        if let message = Self.startMessage(settings: stage.faults, store: warnings) { browser.say(message) }
        let ending = browser.run()
        if let list = browser.screens.first as? ListScreen, let place = list.placeToKeep {
            var kept = browser.rootArrangement ?? ListArrangement()
            // An order for one run leaves the one that is kept as it was, unless the reader has chosen another.
            if arguments.has(.sort), kept.sort == nil { kept.sort = beginning.savedArrangement?.sort }
            beginning.savedPlace?.save(place, arrangement: kept)
        }
        return exitStatus(of: ending)
    }
}
