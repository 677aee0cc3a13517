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
        let namesData = arguments.files.count > 1 || arguments.has(.data)
        guard !namesData else { return try browseList(file) }
        switch PlistKind.of(file: file) {
        case .list: return try browseList(file)
        case .data: return try browseData(file)
        case .unreadable(let error): throw Failure([Fault(file: file, error)])
        case .detail:
            let remedy = "name its list plist, or check it with --check"
            throw Failure([Fault(file: file, problem: "a detail plist alone shows nothing", remedy: remedy)])
        }
    }

    // MARK: With a list plist

    private func browseList(_ file: String) throws(Failure) -> Int32 {
        let (loaded, faults) = ListDescription.load(file: file)
        guard var description = loaded, !faults.hasFault else { throw Failure(faults) }
        let store = try openStore(for: description)
        applyOptions(to: &description)
        let list = try resolve(description, in: store)
        let detail = try detailDescription(of: description)
        let navigator = ObjectNavigator(store: store, root: list, rootDetail: detail, presentation: presentation)
        return try show(list, navigator, savedPlace: savedPlace(list: file, data: store.name))
    }

    private func openStore(for description: ListDescription) throws(Failure) -> any ObjectStore {
        let path: String
        let model: String?
        do throws(Fault) {
            if let named = arguments[.data] ?? arguments.files.dropFirst().first {
                path = named
            } else {
                path = try DataLocator.data(for: description)
            }
            if let named = arguments[.model] {
                model = named
            } else {
                model = try DataLocator.model(for: description)
            }
        } catch {
            throw Failure([error])
        }
        let folder = description.file.map { ($0 as NSString).deletingLastPathComponent } ?? ""
        return try openStore(path, model: model, modelDirectories: [folder.isEmpty ? "." : folder])
    }

    private func openStore(_ path: String, model: String?, modelDirectories: [String]) throws(Failure) -> any ObjectStore {
        let options = StoreOptions(
            modelPath: model, modelDirectories: modelDirectories, isPrivate: arguments.has(.private),
            timeZone: localization.timeZone,
            localeIdentifier: localization.locale.identifier, models: .files)
        do {
            return try SQLiteObjectStore.open(path: path, options: options)
        } catch {
            throw Failure(error)
        }
    }

    private func resolve(_ description: ListDescription, in store: any ObjectStore) throws(Failure) -> ResolvedList {
        let (resolved, faults) = description.resolve(in: store.schema)
        guard let resolved, !faults.hasFault else { throw Failure(faults) }
        return resolved
    }

    /// What the command line says comes before what the plist says.
    private func applyOptions(to description: inout ListDescription) {
        if arguments.has(.collapsed) { description.sectionsInitiallyCollapsed = true }
        if let order = arguments[.sort] {
            let selector = description.sortKeyPaths.first?.selector ?? .localizedStandardCompare
            description.sortKeyPaths = order.split(separator: ",").map { entry in
                entry.hasPrefix("-")
                    ? ListDescription.SortEntry(keyPath: String(entry.dropFirst()), ascending: false, selector: selector)
                    : ListDescription.SortEntry(keyPath: String(entry), selector: selector)
            }
        }
    }

    // MARK: With data alone

    private func browseData(_ path: String) throws(Failure) -> Int32 {
        let store = try openStore(path, model: arguments[.model], modelDirectories: [])
        let navigator = ObjectNavigator(store: store, root: nil, rootDetail: nil, presentation: presentation)
        let entities = store.schema.entities.filter { !$0.isSystem }
        guard let entity = try chosenEntity(in: store, file: path) ?? (entities.count == 1 ? entities.first : nil) else {
            return try show(navigator.entityList(title: (path as NSString).lastPathComponent), navigator)
        }
        var description = ListDescription.fromSchema(entity)
        applyOptions(to: &description)
        let list = try resolve(description, in: store)
        return try show(list, navigator, savedPlace: savedPlace(list: "/" + entity.name, data: path))
    }

    private func chosenEntity(in store: any ObjectStore, file: String) throws(Failure) -> Entity? {
        guard let name = arguments[.entity] else { return nil }
        if let entity = store.schema.entity(named: name) { return entity }
        let nearest = nearestName(to: name, among: store.schema.entities.map(\.name))
        throw Failure(StoreError(file: file, cause: .unknownEntity(name, nearest: nearest)))
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

    // MARK: The screen

    private var presentation: ValuePresentation { ValuePresentation(localization: localization) }

    private func savedPlace(list: String, data: String) -> SavedPlace? {
        guard !arguments.has(.private), !arguments.has(.noState) else { return nil }
        return SavedPlace(list: list, data: data, environment: environment)
    }

    /// Shows a list from where the reader was; the command line's folds come before those kept.
    private func show(_ list: ResolvedList, _ navigator: ObjectNavigator, savedPlace: SavedPlace?) throws(Failure) -> Int32 {
        var place = savedPlace?.load()
        if arguments.has(.collapsed) { place?.exceptions = [] }
        return try show(navigator.entry(for: list, place: place), navigator, savedPlace: savedPlace)
    }

    private func show(
        _ root: StackEntry, _ navigator: ObjectNavigator, savedPlace: SavedPlace? = nil
    ) throws(Failure) -> Int32 {
        let terminal: NcursesTerminal
        do {
            terminal = try NcursesTerminal(environment: environment, usesMouse: !arguments.has(.noMouse))
        } catch {
            throw Failure([Fault(file: "terminal", problem: error.description)])
        }
        defer { terminal.close() }
        let idleDescriptor = environment["TLBROWSE_IDLE_FD"].flatMap { Int32($0) }
        guard
            let browser = Browser(
                terminal: terminal, navigator: navigator, root: [root], clipboard: Clipboard(environment: environment),
                idleDescriptor: idleDescriptor)
        else { throw Failure([Fault(file: "terminal", problem: "no file descriptors left")]) }
        let ending = browser.run()
        if let list = browser.screens.first as? ListScreen, let place = list.placeToKeep { savedPlace?.save(place) }
        switch ending {
        case .quit: return ExitCode.fine
        case .interrupted: return ExitCode.interrupted
        case .signal(let number): return 128 + number
        case .hangUp: return 128 + SIGHUP
        }
    }
}
