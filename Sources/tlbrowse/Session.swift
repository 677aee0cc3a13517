import Browser
import Foundation
import NcursesTerminal
import ObjectStore
import PlistConfig
import Presentation
import SQLiteStores
import Screens

/// One run of the program: from files to screens.
struct Session {
    let arguments: Arguments
    let environment: [String: String]
    let localization: Localization

    init(arguments: Arguments, environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
        localization = Localization(environment: environment)
    }

    func run() -> Int32 {
        guard let file = arguments.files.first else {
            Console.printError("tlbrowse: no file is given (tlbrowse LIST.plist [DATA]; --help)")
            return ExitCode.usage
        }
        do {
            return try browse(file)
        } catch {
            for fault in error.faults { Console.printError(fault.printedLine) }
            return ExitCode.fault
        }
    }

    /// Faults that end the run.
    struct Failure: Error {
        let faults: [Fault]

        init(_ faults: [Fault]) { self.faults = faults.filter { $0.severity == .fault } }

        init(_ error: StoreError) { faults = [Fault(file: error.file, problem: error.problem, remedy: error.remedy)] }
    }

    private func browse(_ file: String) throws(Failure) -> Int32 {
        let (loaded, faults) = ListDescription.load(file: file)
        guard let description = loaded, !faults.hasFault else { throw Failure(faults) }
        let store = try openStore(for: description)
        let (resolved, unresolved) = description.resolve(in: store.schema)
        guard let list = resolved, !unresolved.hasFault else { throw Failure(unresolved) }
        let detail = try detailDescription(of: description)
        return try show(list, detail: detail, store: store)
    }

    private func openStore(for description: ListDescription) throws(Failure) -> any ObjectStore {
        do {
            let path = try arguments[.data] ?? arguments.files.dropFirst().first ?? DataLocator.data(for: description)
            let model = try arguments[.model] ?? DataLocator.model(for: description)
            let folder = description.file.map { ($0 as NSString).deletingLastPathComponent } ?? ""
            let options = StoreOptions(
                modelPath: model, modelDirectories: [folder.isEmpty ? "." : folder], timeZone: localization.timeZone,
                localeIdentifier: localization.locale.identifier, models: .files)
            return try SQLiteObjectStore.open(path: path, options: options)
        } catch let fault as Fault {
            throw Failure([fault])
        } catch let error as StoreError {
            throw Failure(error)
        } catch {
            throw Failure([Fault(file: description.file ?? "", problem: String(describing: error))])
        }
    }

    /// The detail plist, which has to be there and to be one; what is wrong with single rows shows in them.
    private func detailDescription(of list: ListDescription) throws(Failure) -> DetailDescription? {
        let path: String?
        do {
            path = try DataLocator.detail(for: list)
        } catch {
            throw Failure([error])
        }
        guard let path else { return nil }
        let (detail, faults) = DetailDescription.load(file: path)
        guard let detail else { throw Failure(faults) }
        return detail
    }

    private func show(_ list: ResolvedList, detail: DetailDescription?, store: any ObjectStore) throws(Failure) -> Int32 {
        let navigator = ObjectNavigator(
            store: store, root: list, rootDetail: detail, presentation: ValuePresentation(localization: localization))
        let terminal: NcursesTerminal
        do {
            terminal = try NcursesTerminal(environment: environment, usesMouse: !arguments.has(.noMouse))
        } catch {
            throw Failure([Fault(file: "terminal", problem: error.description)])
        }
        defer { terminal.close() }
        let startsOpen = !arguments.has(.collapsed) && !list.description.sectionsInitiallyCollapsed
        let root = navigator.rootEntry(startsOpen: startsOpen, place: nil)
        let idleDescriptor = environment["TLBROWSE_IDLE_FD"].flatMap { Int32($0) }
        guard
            let browser = Browser(
                terminal: terminal, navigator: navigator, root: [root], clipboard: Clipboard(environment: environment),
                idleDescriptor: idleDescriptor)
        else { throw Failure([Fault(file: "terminal", problem: "no file descriptors left")]) }
        switch browser.run() {
        case .quit: return ExitCode.fine
        case .interrupted: return ExitCode.interrupted
        case .signal(let number): return 128 + number
        case .hangUp: return 128 + SIGHUP
        }
    }
}
