import Browser
import CustomRows
import DocumentStores
import Foundation
import NcursesTerminal
import ObjectStore
import PlistConfig
import Presentation
import PropertyLists
import Reports
import SQLiteStores
import Screens
import TerminalUI

/// One run of the program: from files to screens.
struct Session {
    let arguments: Arguments
    let environment: [String: String]
    let localization: Localization
    let presentation: ValuePresentation
    /// How far the reading of the data is.
    let progress = FetchProgress()
    let customRows: CustomRowRegistry
    /// Where the orders of long lists are kept; nil where nothing is shown or nothing may be kept.
    let orderCache: OrderCache?

    init(arguments: Arguments, environment: [String: String], customRows: CustomRowRegistry) {
        self.arguments = arguments
        self.environment = environment
        self.customRows = customRows
        localization = Localization(environment: environment)
        presentation = ValuePresentation(localization: localization)
        orderCache =
            Self.isShown(arguments) && !arguments.has(.private) && !arguments.has(.noCache)
            ? OrderCache(environment: environment) : nil
    }

    func run() -> Int32 {
        guard let file = arguments.files.first ?? arguments[.data] else {
            Console.printError("tlbrowse: no file is given (tlbrowse LIST.plist [DATA]; --help)")
            return ExitCode.usage
        }
        if let fault = filterSyntaxFault {
            Console.printError(filterFault(fault).printedLine)
            return ExitCode.usage
        }
        if let idle = idleOption {
            Console.printError("tlbrowse: \(idle)")
            return ExitCode.usage
        }
        // Nothing between two commas is no key path, and would be left out unnoticed.
        if let order = arguments[.sort], order.split(separator: ",", omittingEmptySubsequences: false).contains(where: \.isEmpty)
        {
            Console.printError("tlbrowse: --sort “\(order)”: a key path is missing (--sort KEYPATH[,-KEYPATH])")
            return ExitCode.usage
        }
        if arguments.has(.entity), namesList(file) {
            Console.printError("tlbrowse: --entity goes with data alone: the list plist says which entity it lists")
            return ExitCode.usage
        }
        do {
            if arguments.has(.check) { return try check(file) }
            guard !isShown else { return try openAndBrowse(file) }
            let opened = try openForPrinting(file)
            if let folder = arguments[.scaffold] { return try writeScaffold(of: opened, into: folder) }
            if arguments.has(.schema) { return try printSchema(of: opened) }
            return try print(opened)
        } catch {
            for fault in error.faults { Console.printError(fault.printedLine) }
            return error.exitStatus
        }
    }

    /// Whether there will be a screen: nothing is to be printed or written, and standard output is a terminal.
    private var isShown: Bool { Self.isShown(arguments) }

    private static func isShown(_ arguments: Arguments) -> Bool {
        ![.scaffold, .schema, .print].contains { arguments.has($0) } && isatty(STDOUT_FILENO) == 1
    }

    /// The first of the options that narrow or order a list, each of which is about the objects of one entity.
    private var listOption: Option.Name? { [.filter, .search, .sort].first(where: arguments.has) }

    /// What to say of such an option where no list comes of the command line.
    private var idleOption: String? {
        guard let other = [Option.Name.check, .schema, .scaffold].first(where: arguments.has) else { return nil }
        return listOption.map { "--\($0.rawValue) goes with a list: it has no effect with --\(other.rawValue)" }
    }

    /// Faults that end the run.
    struct Failure: Error, Sendable {
        let faults: [Fault]
        /// Of the program: a fault's, unless the command line is what is wrong.
        var exitStatus = ExitCode.fault

        init(_ faults: [Fault], exitStatus: Int32 = ExitCode.fault) {
            self.faults = faults.filter { $0.severity == .fault }
            self.exitStatus = exitStatus
        }

        init(_ error: StoreError) { faults = [Fault(file: error.file, problem: error.problem, remedy: error.remedy)] }
    }

    /// What the files turned out to be: a store, and a list of it unless its entities are to be listed.
    struct Opened: Sendable {
        let store: any ObjectStore
        var list: ResolvedList?
        /// `--filter`, where the list is to be shown: there it can be changed and dropped. What is printed has it in the list.
        var filter: ResolvedPredicate?
        /// The list plist's detail; nil for one made from the schema.
        var detail: DetailDescription?
        /// Whether the plist has its sections collapsed at first, whatever the command line says.
        var collapsesByPlist = false
        /// What the reader's place is kept under.
        var name: String
    }

    /// Whether the data are named, too, so that the file can only be a list plist.
    private var namesData: Bool { arguments.files.count > 1 || (arguments.has(.data) && !arguments.files.isEmpty) }

    private func namesList(_ file: String) -> Bool {
        if namesData { return true }
        if case .list = PlistKind.of(file: file) { return true }
        return false
    }

    func open(_ file: String) throws(Failure) -> Opened {
        guard !namesData else { return try openList(file) }
        switch PlistKind.of(file: file) {
        case .list: return try openList(file)
        case .data: return try openData(file)
        case .unreadable(let error): throw Failure([Fault(file: file, error)])
        case .detail:
            let remedy = "name its list plist, or check it with --check"
            throw Failure([Fault(file: file, problem: "a detail plist alone shows nothing", remedy: remedy)])
        }
    }

    // MARK: With a list plist

    private func openList(_ file: String) throws(Failure) -> Opened {
        let (loaded, faults) = ListDescription.load(file: file)
        guard var description = loaded, !faults.hasFault else { throw Failure(allFaults(of: file) ?? faults) }
        // A model that is not there keeps the data from being opened; it is said with all else.
        if description.modelFile != nil, !arguments.has(.model), (try? DataLocator.model(for: description)) == nil,
            let all = allFaults(of: file)
        {
            throw Failure(all)
        }
        let store = try openStore(for: description)
        let collapses = description.sectionsInitiallyCollapsed
        applyOptions(to: &description)
        do throws(Failure) {
            let (list, filter) = try resolve(description, in: store)
            return Opened(
                store: store, list: list, filter: filter, detail: try detailDescription(of: description),
                collapsesByPlist: collapses, name: file)
        } catch {
            guard let all = allFaults(of: file, in: store) else { throw error }
            throw Failure(all + error.faults.filter { $0.file.hasPrefix("--") })
        }
    }

    /// Everything that is wrong with a list plist and with those that it leads to, so that one run says all; nil for nothing.
    ///
    /// - Parameter store: the data, where they are open: what comes by a pipe is read once only.
    private func allFaults(of file: String, in store: (any ObjectStore)? = nil) -> [Fault]? {
        let report = CheckReport.list(file: file, customRows: customRows.names) { description in
            store.map { .schema($0.schema, file: $0.name) } ?? checkData(for: description)
        }
        let faults = report.faults
        return faults.hasFault ? faults : nil
    }

    private func openStore(for description: ListDescription) throws(Failure) -> any ObjectStore {
        if let named = arguments[.data] ?? arguments.files.dropFirst().first {
            return try openStore(for: description, path: named)
        }
        let path: String
        do throws(Fault) {
            path = try DataLocator.data(for: description)
        } catch {
            throw Failure([error])
        }
        return try openStore(for: description, path: path)
    }

    /// Opens the data of a list plist; a model may lie beside either.
    func openStore(for description: ListDescription, path: String) throws(Failure) -> any ObjectStore {
        let model: String?
        do throws(Fault) {
            if let named = arguments[.model] { model = named } else { model = try DataLocator.model(for: description) }
        } catch {
            throw Failure([error])
        }
        let folder = description.file.map { ($0 as NSString).deletingLastPathComponent } ?? ""
        return try openStore(
            path, model: model, modelDirectories: [folder.isEmpty ? "." : folder], entityName: description.entityName)
    }

    private func openStore(
        _ path: String, model: String?, modelDirectories: [String], entityName: String? = nil
    ) throws(Failure) -> any ObjectStore {
        let options = StoreOptions(
            modelPath: model, modelDirectories: modelDirectories, isPrivate: arguments.has(.private),
            timeZone: localization.timeZone,
            localeIdentifier: localization.locale.identifier, models: .files,
            orderCache: orderCache, readsOneState: !isShown)
        let store = try openStore(path, options, entityName)
        guard let model, store.schema.origin != .modelFile(model) else { return store }
        // A model that was named and is of no use is said; one that cannot be read is a fault with any data.
        do throws(StoreError) {
            _ = try ModelSource.files.modelFile(model, [:])
        } catch {
            throw Failure(error)
        }
        let problem = "this model has nothing to do with \(SystemPath.shown(store.name)): that is no Core Data store"
        Console.printError(Fault(file: model, problem: problem, severity: .warning).printedLine)
        return store
    }

    private func openStore(
        _ path: String, _ options: StoreOptions, _ entityName: String?
    ) throws(Failure) -> any ObjectStore {
        do {
            // Records from standard input have no file to be called after: they are what the list plist lists.
            // What is no document is SQLite's to judge: it knows best what is wrong with a store.
            guard path == "-" || DocumentStore.canRead(path: path) || DocumentStore.isNamedAsOne(path: path) else {
                let commits = CommitCounter()
                return try ReopeningStore(.whenOutdated) { () throws(StoreError) in
                    try SQLiteObjectStore.open(path: path, options: options, commits: commits)
                }
            }
            let documentOptions = DocumentOptions(store: options, entityName: path == "-" ? entityName : nil)
            // What is no file, such as a pipe, can be read once only.
            guard path != "-", SystemPath.status(path).flatMap({ FileState($0) }) != nil else {
                return try DocumentStore.open(path: path, options: documentOptions, progress: progress)
            }
            let file = SystemPath.resolved(path) ?? path
            // By the name that was given: a link may lead elsewhere later.
            let state: @Sendable () -> FileState? = { SystemPath.status(path).flatMap { FileState($0) } }
            return try ReopeningStore(file: file, .whenChanged, state: state) { [progress] () throws(StoreError) in
                try DocumentStore.open(path: path, options: documentOptions, progress: progress)
            }
        } catch {
            throw Failure(error)
        }
    }

    private func resolve(
        _ description: ListDescription, in store: any ObjectStore
    ) throws(Failure) -> (list: ResolvedList, filter: ResolvedPredicate?) {
        let (resolved, found) = description.resolve(in: store.schema)
        // What the option says wrong is not the plist's fault.
        let faults = found.map { fault in
            guard arguments.has(.sort), fault.key?.hasPrefix("sortKeyPaths[") == true else { return fault }
            return Fault(file: "--sort", problem: fault.problem, remedy: fault.remedy, severity: fault.severity)
        }
        guard var resolved, !faults.hasFault else { throw Failure(faults) }
        guard let filter = try filter(of: resolved, in: store) else { return (resolved, nil) }
        guard !isShown else { return (resolved, filter) }
        resolved.predicate = resolved.predicate?.and(filter) ?? filter
        return (resolved, nil)
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

    private func openData(_ path: String) throws(Failure) -> Opened {
        let store = try openStore(path, model: arguments[.model], modelDirectories: [])
        guard let entity = try chosenEntity(in: store, file: path) ?? store.schema.onlyEntity else {
            if let option = listOption {
                let remedy = "name one with --entity; --schema lists them"
                let problem = store.schema.entities.allSatisfy(\.isSystem) ? "there is no entity" : "there are several entities"
                throw Failure(
                    [Fault(file: "--\(option.rawValue)", problem: problem, remedy: remedy)], exitStatus: ExitCode.usage)
            }
            return Opened(store: store, name: path)
        }
        var description = ListDescription.fromSchema(entity, in: store.schema)
        applyOptions(to: &description)
        let (list, filter) = try resolve(description, in: store)
        return Opened(store: store, list: list, filter: filter, name: "/" + entity.name)
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
        guard let detail, !faults.hasFault else { throw Failure(faults) }
        return detail
    }

    // MARK: The screen

    func makeTerminal(_ looks: [Lookable: Look]) throws(Failure) -> NcursesTerminal {
        do throws(TerminalError) {
            return try NcursesTerminal(
                environment: environment, usesMouse: !arguments.has(.noMouse), looks: looks, isHeldBack: true)
        } catch {
            throw Failure([Fault(file: "terminal", problem: error.description)])
        }
    }

    func exitStatus(of ending: Browser.Ending) -> Int32 {
        switch ending {
        case .quit: ExitCode.fine
        case .interrupted: ExitCode.interrupted
        case .signal(let number): 128 + number
        case .hangUp: 128 + SIGHUP
        }
    }
}
