import Fetching
import Foundation
import IndexPathModel
import ObjectStore
import PlistConfig
import Presentation
import Reports
import Screens
import TerminalUI

// Lists and objects as files and on the clipboard, in the forms that the command line prints.
extension ObjectNavigator {
    private var measure: TextMeasure {
        TextMeasure(printable: { DisplayText.printable($0) }, width: { DisplayText.width(of: $0) })
    }

    // MARK: Printing the view

    package func printing(_ list: StackEntry, toFile path: String, columns: Int) -> BackgroundJob? {
        guard let format = PrintFormat(fileName: path), let screen = list.screen as? ListScreen else { return nil }
        let options = PrintOptions(format: format, columns: columns, measure: measure)
        let (store, presentation) = (store, presentation)
        if let source = list.source as? ListSource {
            let fetcher = source.fetcher.narrowed(by: screen.predicateInForce)
            let query = screen.searchInForce
            let reason = screen.emptyText
            return { progress in
                Self.reporting(of: store) { store throws(StoreError) in
                    var (view, fault) = try Self.view(of: fetcher, query, in: store, presentation, progress)
                    view.emptyReason = reason
                    return Self.write(view, options, to: path, progress: progress, readSoFar: fault)
                }
            }
        }
        guard list.source is EntityListSource else { return nil }
        let title = screen.configuration.title
        let shown = screen.shownModel.items
        return { progress in
            Self.reporting(of: store) { store throws(StoreError) in
                let entities = shown.compactMap { EntityListSource.entity($0, in: store.schema) }
                let source = EntityPrintSource(title: title, store: store, entities: entities)
                return Self.write(source, options, to: path, progress: progress)
            }
        }
    }

    /// Does something with the data in one committed state, as `--print` does: what is shown is read while others write.
    private static func reporting(
        of store: any ObjectStore, _ body: (any ObjectStore) throws(StoreError) -> [Effect]
    ) -> [Effect] {
        do throws(StoreError) {
            let store = try oneState(of: store)
            let effects = try body(store)
            guard !store.hasKeptState, case .message(let text)? = effects.first else { return effects }
            return [.message("\(text); it was written meanwhile: it is of several of its states")]
        } catch {
            return [.message(error.cause == .cancelled ? "cancelled; nothing was written" : error.problem)]
        }
    }

    /// A file that is gone is read as it is still open.
    private static func oneState(of store: any ObjectStore) throws(StoreError) -> any ObjectStore {
        do throws(StoreError) {
            return try store.ofOneState()
        } catch {
            guard error.cause == .missing else { throw error }
            return store
        }
    }

    /// The list as it is shown, read anew.
    private static func view(
        of shown: ListFetcher, _ query: SearchQuery?, in store: any ObjectStore, _ presentation: ValuePresentation,
        _ progress: FetchProgress
    ) throws(StoreError) -> (source: ListPrintSource, fault: StoreError?) {
        let fetcher = ListFetcher(
            store: store, list: shown.list, presentation: presentation, request: shown.request, members: shown.members)
        let (contents, fault) = try fetcher.contents(ofHits: query, progress: progress)
        return (ListPrintSource(store: store, list: fetcher.list, contents: contents, presentation: presentation), fault)
    }

    private static func write(
        _ source: some PrintSource, _ options: PrintOptions, to path: String, progress: FetchProgress,
        readSoFar fault: StoreError? = nil
    ) -> [Effect] {
        let count = source.sections.reduce(0) { $0 + $1.count }
        progress.expect(count)
        var broken: StoreError?
        do throws(NewFile.Failure) {
            try NewFile.create(path) { output throws(ReportOutputError) in
                do throws(ListPrinter.Failure) {
                    try ListPrinter(options: options, output: output).print(StoppableSource(source: source, progress: progress))
                } catch {
                    switch error {
                    case .output(let reason): throw reason
                    case .store(let reason):
                        broken = reason
                        throw .failed(reason.problem)
                    }
                }
            }
        } catch {
            if broken?.cause == .cancelled { return [.message("cancelled; nothing was written")] }
            return [.message(error.text)]
        }
        let printed = "printed \(count) \(count == 1 ? source.noun.one : source.noun.many) to \(path)"
        return [.message(fault.map { "\(printed), all that can be read: \($0.problem)" } ?? printed)]
    }

    // MARK: Saving the list as a plist

    package func saving(_ list: StackEntry, toFile path: String) -> BackgroundJob? {
        guard let source = list.source as? ListSource else { return nil }
        // A plist lists all objects of its entity: it cannot say that only those of one relationship are meant.
        guard source.fetcher.request.scope == .all, source.fetcher.members == nil else {
            return { _ in [.message("a list plist cannot say that only the objects of one relationship are meant")] }
        }
        var description = source.fetcher.list.description
        var predicate = source.fetcher.request.predicate
        if let typed = (list.screen as? ListScreen)?.predicateInForce { predicate = predicate?.and(typed) ?? typed }
        description.filterPredicate = predicate?.text
        guard !description.sortKeyPaths.isEmpty, !description.cellTextLabelKeyPath.isEmpty else { return nil }
        let saved = SavedList(
            description, of: store, modelPath: modelPath, schemaEntity: source.fetcher.list.entity, path: path)
        return { _ in [.message(saved.write())] }
    }

    // MARK: Copying an object

    package func copying(_ stack: [StackEntry], as form: CopyForm) -> BackgroundJob? {
        guard let top = stack.last else { return nil }
        let measure = measure
        let make: @Sendable () throws(StoreError) -> ListPrintSource?
        if let screen = top.screen as? ListScreen, let source = top.source as? ListSource, let key = screen.cursorKey {
            let list = source.fetcher.list
            let title = screen.sectionTitle(of: key) ?? nil
            make = { () throws(StoreError) -> ListPrintSource? in
                self.printSource(of: key, in: list, sectionTitle: title, detail: self.printedDetail(of: list))
            }
        } else if let screen = top.screen as? DetailScreen, let source = top.source as? DetailSource {
            let object = screen.objectID
            let below = stack.dropLast().last
            let parent = (below?.source as? ListSource)?.fetcher.list
            let title = (below?.screen as? ListScreen)?.sectionTitle(of: object.key)
            make = { () throws(StoreError) -> ListPrintSource? in
                let detail = try self.fetcher(for: object, layout: source.layout).detail
                if let parent, let title, parent.entity.name == object.entityName {
                    return self.printSource(of: object.key, in: parent, sectionTitle: title, detail: detail)
                }
                guard let entity = self.store.schema.entity(named: detail.entityName),
                    let list = ListDescription.fromSchema(entity, in: self.store.schema).resolve(in: self.store.schema).list
                else { return nil }
                return self.printSource(of: object.key, in: list, sectionTitle: nil, detail: detail)
            }
        } else {
            return nil
        }
        return { _ in
            do throws(StoreError) {
                guard let printed = try make() else { return [.message("nothing to copy")] }
                let text =
                    switch form {
                    case .row: try RowReport.tsv(printed, measure: measure)
                    case .object: try RowReport.json(printed, measure: measure)
                    }
                guard let text else { return [.message("the object is gone")] }
                return [.copy(text, label: form == .row ? "row as TSV" : "object as JSON")]
            } catch {
                return [.message(error.problem)]
            }
        }
    }

    private func printSource(
        of key: ObjectKey, in list: ResolvedList, sectionTitle: String?, detail: ResolvedDetail
    ) -> ListPrintSource {
        ListPrintSource(
            store: store, list: list, key: key, sectionTitle: sectionTitle, presentation: presentation, detail: detail)
    }

    /// The detail whose values `--print --details` prints for a list: its plist's, else one made from the schema.
    private func printedDetail(of list: ResolvedList) -> ResolvedDetail {
        let named = list.description.file == nil ? nil : rootDetail
        let description = named ?? DetailDescription.fromSchema(list.entity, in: store.schema)
        return description.resolve(in: store.schema, entityName: list.entity.name).detail
    }
}

/// A source that stops when the reader of the screen has asked for it, and says how far it is.
private struct StoppableSource<Source: PrintSource>: PrintSource {
    let source: Source
    let progress: FetchProgress

    var title: String { source.title }
    var noun: (one: String, many: String) { source.noun }
    var isSectioned: Bool { source.isSectioned }
    var sections: [PrintedSection] { source.sections }
    var columnHeadings: [String] { source.columnHeadings }
    var detailKeyPaths: [String] { source.detailKeyPaths }
    var detailLabels: [String] { source.detailLabels }
    var total: Int? { source.total }
    var emptyReason: String? { source.emptyReason }

    func read(_ places: Range<Int>) throws(StoreError) -> (batch: Source.Batch, count: Int) {
        if progress.isCancelled { throw StoreError(file: "", cause: .cancelled) }
        let found = try source.read(places)
        progress.report(places.lowerBound + found.count)
        return found
    }

    func rows(_ places: Range<Int>, of batch: Source.Batch, worker: Int, _ body: (PrintedRow) -> Void) {
        source.rows(places, of: batch, worker: worker, body)
    }
}
