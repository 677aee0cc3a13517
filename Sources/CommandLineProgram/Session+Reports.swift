import CustomRows
import Fetching
import Foundation
import ObjectStore
import PlistConfig
import PropertyLists
import Reports
import Screens
import TerminalUI

// What is printed instead of shown.
extension Session {
    private var output: ReportOutput { ReportOutput(descriptor: STDOUT_FILENO) }

    private var isToTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    private var measure: TextMeasure {
        TextMeasure(printable: { DisplayText.printable($0) }, width: { DisplayText.width(of: $0) })
    }

    // MARK: --check

    func check(_ file: String) throws(Failure) -> Int32 {
        let lines: [String]
        let status: Int32
        do throws(Failure) {
            if let config = configReport(of: file) {
                (lines, status) = config
            } else {
                let report = try checkReport(file)
                (lines, status) = (report.lines, report.exitStatus)
            }
        } catch {
            // Every fault is what was asked for: it belongs on standard output.
            (lines, status) = (error.faults.map(\.printedLine), ExitCode.fault)
        }
        let output = output
        do throws(ReportOutputError) {
            for line in lines { try output.write(DisplayText.printable(SystemPath.shown(line)) + "\n") }
            try output.flush()
        } catch {
            return try outputStatus(of: error)
        }
        return status
    }

    private func checkReport(_ file: String) throws(Failure) -> CheckReport {
        switch PlistKind.of(file: file) {
        case .detail: return CheckReport.detail(file: file, customRows: customRows.names, data: checkData)
        case .list: return CheckReport.list(file: file, customRows: customRows.names, data: checkData)
        case .unreadable(let error): throw Failure([Fault(file: file, error)])
        case .data:
            guard (file as NSString).pathExtension.lowercased() == "plist" || arguments.files.count > 1 else {
                let remedy = "--check checks list, detail and config plists"
                throw Failure([Fault(file: file, problem: "neither a list plist nor a detail plist", remedy: remedy)])
            }
            return CheckReport.list(file: file, customRows: customRows.names, data: checkData)
        }
    }

    /// The data of a list plist, as a check needs them.
    func checkData(for description: ListDescription) -> CheckReport.Data {
        let path: String
        if let named = arguments[.data] ?? arguments.files.dropFirst().first {
            path = named
        } else {
            do throws(Fault) {
                path = try DataLocator.data(for: description)
            } catch {
                return description.dataFile == nil ? .none(error) : .failed(error)
            }
        }
        do throws(Failure) {
            return .schema(try openStore(for: description, path: path).schema, file: path)
        } catch {
            let failed = error.faults.first ?? Fault(file: path, problem: "cannot be opened")
            guard path != "-", arguments[.model] == nil, description.modelFile != nil else { return .failed(failed) }
            // The model may be what is at fault: without it the data say what there is.
            var withoutModel = description
            withoutModel.modelFile = nil
            guard let store = try? openStore(for: withoutModel, path: path) else { return .failed(failed) }
            return .schema(store.schema, file: path, faults: error.faults)
        }
    }

    // MARK: --schema and --print

    func printSchema(of opened: Opened) throws(Failure) -> Int32 {
        let form = arguments[.schema] ?? ""
        let report = SchemaReport(schema: opened.store.schema) { name throws(StoreError) in
            do throws(StoreError) {
                return try opened.store.readableCount(of: name, within: EntityPrintSource.longest).count
            } catch {
                guard error.cause == .takesTooLong else { throw error }
                let problem = "counting its objects takes too long"
                Console.printError(Fault(file: opened.store.name, key: name, problem: problem, severity: .warning).printedLine)
                return nil
            }
        }
        let text: String
        do throws(StoreError) {
            text =
                form == "json"
                ? try report.json(withMetadata: arguments.has(.details)) : try report.text(columns: columns, measure: measure)
        } catch {
            throw Failure(error)
        }
        let output = output
        do throws(ReportOutputError) {
            try output.write(isToTerminal ? DisplayText.printable(text, keepsLineFeeds: true) : text)
            try output.flush()
        } catch {
            return try outputStatus(of: error)
        }
        for warning in opened.store.schema.warnings {
            Console.printError(Fault(file: opened.store.name, problem: warning, severity: .warning).printedLine)
        }
        return complainOfDamage(in: opened.store) ? ExitCode.fault : ExitCode.fine
    }

    func print(_ opened: Opened) throws(Failure) -> Int32 {
        let options = PrintOptions(
            format: printFormat, withDetails: arguments.has(.details), toTerminal: isToTerminal, columns: columns,
            measure: measure)
        for warning in opened.store.schema.warnings {
            Console.printError(Fault(file: opened.store.name, problem: warning, severity: .warning).printedLine)
        }
        var broken: StoreError?
        var isFaulty = false
        let printer = ListPrinter(options: options, output: output)
        do throws(ListPrinter.Failure) {
            if let list = opened.list {
                let detail = printedDetail(of: list, opened)
                isFaulty = detail?.isFaulty ?? false
                let (source, fault) = try source(of: list, opened, detail: detail?.detail)
                broken = fault
                try printer.print(source)
            } else {
                let title = SystemPath.shown((opened.store.name as NSString).lastPathComponent)
                try printer.print(EntityPrintSource(title: title, store: opened.store))
            }
        } catch {
            switch error {
            case .store(let storeError): throw Failure(storeError)
            case .output(let outputError): return try outputStatus(of: outputError)
            }
        }
        // What could be read is printed; that it is not all is said, and is a fault.
        let isDamaged = complainOfDamage(in: opened.store)
        if let broken {
            throw Failure([Fault(file: broken.file, problem: broken.problem, remedy: "what can be read is printed")])
        }
        return isDamaged || isFaulty ? ExitCode.fault : ExitCode.fine
    }

    /// Says what was found damaged on the way; true if the store as a whole is not in order, too.
    private func complainOfDamage(in store: any ObjectStore) -> Bool {
        if !store.hasKeptState {
            let problem = "it was written meanwhile: what is printed is of several of its states"
            Console.printError(Fault(file: store.name, problem: problem, remedy: "print it once more").printedLine)
        }
        let damages = store.takeDamage()
        for damage in damages {
            let fault = Fault(
                file: store.name, key: damage.place.isEmpty ? nil : damage.place, problem: damage.problem,
                remedy: "what can be read is printed")
            Console.printError(fault.printedLine)
        }
        return store.schema.isDamaged || !damages.isEmpty || !store.hasKeptState
    }

    /// The detail whose rows `--details` adds; nil without. What is wrong with a row is said; the others are printed all the same.
    private func printedDetail(of list: ResolvedList, _ opened: Opened) -> (detail: ResolvedDetail, isFaulty: Bool)? {
        guard arguments.has(.details) else { return nil }
        let schema = opened.store.schema
        let description = opened.detail ?? DetailDescription.fromSchema(list.entity, in: schema)
        let (detail, found) = description.resolve(in: schema, entityName: list.entity.name, customRows: customRows.names)
        let faults = found.filter { $0.severity == .fault }
        for fault in faults { Console.printError(fault.printedLine) }
        return (detail, !faults.isEmpty)
    }

    /// Why a list that is printed has no rows, as the screen says it.
    private func emptyReason(of list: ResolvedList) -> String {
        let base = list.description.filterPredicate
        return ListConfiguration.emptyText(
            search: arguments[.search].flatMap { SearchQuery($0).isEmpty ? nil : $0 }, filter: arguments[.filter], among: base,
            otherwise: ListConfiguration.emptyReason(entityName: list.entity.name, filter: base))
    }

    private func source(
        of list: ResolvedList, _ opened: Opened, detail: ResolvedDetail?
    ) throws(ListPrinter.Failure) -> (source: ListPrintSource, fault: StoreError?) {
        let contents: ListContents
        let fault: StoreError?
        do {
            let fetcher = ListFetcher(store: opened.store, list: list, presentation: presentation)
            (contents, fault) = try fetcher.contents(
                ofHits: arguments[.search].map { SearchQuery($0) }, progress: FetchProgress())
        } catch {
            throw .store(error)
        }
        // As text the detail is what its screen shows, in every other form its values.
        let isText = printFormat == .text
        let shown = (isText ? detail : nil).map {
            DetailFetcher(
                store: opened.store, detail: $0, titleKeyPath: nil, presentation: presentation, customRows: customRows)
        }
        var source = ListPrintSource(
            store: opened.store, list: list, contents: contents, presentation: presentation, detail: isText ? nil : detail,
            shown: shown)
        source.emptyReason = emptyReason(of: list)
        return (source, fault)
    }

    /// The form asked for; checked when the command line was.
    private var printFormat: PrintFormat { arguments[.print].flatMap(PrintFormat.init(rawValue:)) ?? .text }

    /// Width of the terminal, 80 where there is none.
    private var columns: Int {
        var size = winsize()
        guard isToTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A reader that has gone is no fault; a full disk is one.
    private func outputStatus(of error: ReportOutputError) throws(Failure) -> Int32 {
        switch error {
        case .closed: return ExitCode.fine
        case .failed(let reason):
            throw Failure([Fault(file: "standard output", problem: "cannot be written: \(reason)")])
        }
    }
}
