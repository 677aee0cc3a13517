import Fetching
import IndexPathModel
package import ObjectStore
import TerminalUI

// Only the objects that a predicate is true for.
extension ListScreen {
    /// A predicate in force.
    struct Filter: Sendable {
        var predicate: ResolvedPredicate
        /// The one that the list shown was narrowed by, should the new one fail.
        var former: ResolvedPredicate?
        /// What the list was before; nil until the narrowed list is there.
        var whole: Whole?
        /// Whether the whole list was to be read anew meanwhile.
        var isWholeStale = false
        /// Whether the list has been sorted or grouped in another way since: then the whole list is fetched again, not brought back.
        var isWholeObsolete = false
        /// Where the reader was in the whole list, where that was never read: the filter is one that the list began with.
        var start: ListPlace?
        /// Whether the whole list was never read.
        var isStart = false
        /// How many objects the whole list has, where that is not to be had from it.
        var counts: SectionCounts?

        /// Whether the whole list does not say how many objects there are: it is not there, or not what it was.
        var needsCounts: Bool { isStart || isWholeStale || isWholeObsolete }
        /// Whether the list shown is that of the predicate; else it is on its way.
        var isShown: Bool { whole != nil && former == predicate }
        /// The whole list, where it was read and is still arranged as the list is.
        var readWhole: Whole? { isStart || isWholeObsolete ? nil : whole }
    }

    /// Begins with a filter (`--filter`): the one that `&` edits, only that there is no whole list yet.
    package mutating func begin(with predicate: ResolvedPredicate) {
        filter = Filter(predicate: predicate, isWholeObsolete: true, start: pendingPlace, isStart: true)
    }

    /// The folds of the whole list where it is to be fetched again, as far as they are known.
    var foldsKept: Set<String?> { formerList.map { exceptions(of: $0) } ?? filter?.start?.exceptions ?? [] }

    // MARK: The prompt

    mutating func beginFilter() -> [Effect] {
        guard configuration.schema != nil else { return [.message("this list has no attributes to filter by")] }
        guard phase == .loaded else { return [.message("the list is not there yet")] }
        prompt = Prompt(.predicate, text: filter?.predicate.text ?? "")
        return []
    }

    /// Puts what was typed into force; a fault keeps the prompt, with the cursor where the fault is.
    mutating func acceptFilter(_ editing: Prompt) -> [Effect] {
        guard let schema = configuration.schema, !editing.text.allSatisfy(\.isWhitespace) else {
            dropFilter()
            return []
        }
        do throws(PredicateFault) {
            narrow(by: try PredicateFormat(editing.text).resolve(in: schema, entityName: configuration.entityName))
        } catch {
            var editing = editing
            editing.fault = error.problem + (error.remedy.map { " (\($0))" } ?? "")
            editing.moveCursor(to: error.offset)
            prompt = editing
        }
        return []
    }

    private mutating func narrow(by predicate: ResolvedPredicate) {
        let wasStale = filter?.isWholeStale ?? awaitsList
        let former = awaitsList ? filter?.former : filter?.predicate
        var next = filter ?? Filter(predicate: predicate)
        next.predicate = predicate
        next.former = former
        next.isWholeStale = wasStale
        filter = next
        askForList()
    }

    // MARK: Lists that come

    /// Takes the narrowed list; the cursor stays on its object if that is still there.
    mutating func receiveNarrowed(_ contents: ListContents) {
        let key = pendingPlace?.key ?? cursorKey
        pendingPlace = nil
        // A search that is dropped for now brings back the number that there was.
        let suspended = suspendFind()
        let formerTotal = total
        total = contents.total
        lastMatches = nil
        let isFirst = filter?.whole == nil
        // A narrowed list that is read anew keeps the reader's place, as a whole one does.
        var former = isFirst && !isPreview ? nil : place
        if let reader = former, !isPreview {
            if filter?.isShown == true {
                former = survivor(of: reader, from: list.backingModel, in: contents)
            } else if reader.key.map({ contents.model.indexPath(ofObject: $0) != nil }) != true {
                // Another predicate leaves other objects: there is no next one.
                former = nil
            }
        }
        isPreview = false
        let whole =
            filter?.whole ?? Whole(list: list, objects: objects, index: index, cursor: cursor, top: top, total: formerTotal)
        if var narrowed = filter {
            narrowed.former = narrowed.predicate
            narrowed.whole = whole
            filter = narrowed
            // Without sections the total says it all.
            needsCounts = narrowed.needsCounts && (configuration.hasSections || total == nil)
        }
        let model = contents.model
        if isFirst {
            list = List(backingModel: model, collapsedSectionNames: [], showsHeaders: configuration.hasSections)
        } else {
            replaceModel(with: model, startsOpen: true, differences: contents.differences)
        }
        objects = List(backingModel: model, collapsedSectionNames: [], showsHeaders: false)
        phase = .loaded
        index = configuration.hasSections && configuration.wantsIndexBar ? contents.index : nil
        if indexBar == nil { focusedEntry = nil }
        if let former {
            moveCursor(to: former)
            resumeFind(suspended)
            return
        }
        top = 0
        let place = key.flatMap { model.indexPath(ofObject: $0) } ?? IndexPath(section: 0, row: 0)
        cursor = list.position(of: place) ?? list.position(ofHeader: place.section) ?? 0
        settle()
        resumeFind(suspended)
    }

    /// The narrowed list could not be had: what was shown before still is.
    mutating func failFilter() {
        guard let failed = filter else { return }
        guard let former = failed.former, failed.whole != nil else {
            // What the list began with is asked for again with the list.
            if failed.isStart { return }
            filter = nil
            if failed.isWholeStale { askForList() }
            return
        }
        filter?.predicate = former
    }

    /// Brings back the whole list with cursor and folds as they were.
    mutating func dropFilter() {
        guard let dropped = filter else { return }
        dropFind()
        filter = nil
        // What is on its way is about the narrowed list.
        generation += 1
        needsList = false
        needsCounts = false
        awaitsList = false
        rows.removeAll()
        lastMatches = nil
        guard !dropped.isWholeObsolete else {
            pendingPlace = dropped.start
            // Whatever the reader has gone to is still where the reader is.
            if list.rowCount > 0 {
                pendingPlace = ListPlace(
                    key: cursorKey, sectionTitle: cursorSection.flatMap { list.backingModel.sectionName(at: $0)?.title },
                    rowInSection: 0, offset: cursor - top, exceptions: dropped.start?.exceptions ?? [])
            }
            isPreview = false
            phase = .loading
            return askForList()
        }
        if let whole = dropped.whole { restore(whole) }
        if dropped.isWholeStale { askForList() }
    }

    /// Shows a list as it was.
    mutating func restore(_ whole: Whole) {
        list = whole.list
        objects = whole.objects
        index = whole.index
        cursor = whole.cursor
        top = whole.top
        total = whole.total
        if indexBar == nil { focusedEntry = nil }
        settle()
    }

    // MARK: What is said of it

    /// Whether Esc has a filter to drop: a typed one once its list is there, one that the list began with at any time.
    var hasFilterToDrop: Bool { filter.map { $0.whole != nil || $0.isStart } ?? false }

    /// The list without find and filter, as far as it is there; nil where there is neither.
    private var unfiltered: List? {
        if filter?.isStart == true { return nil }
        return (filter?.whole ?? find?.whole)?.list
    }

    /// `7 objects`, or `3 of 7 match`.
    var countText: String {
        guard let all = total ?? filter?.counts?.total ?? unfiltered?.backingModel.numberOfItems else {
            return Chrome.count(objectCount, configuration.noun)
        }
        return "\(Chrome.grouped(objectCount)) of \(Chrome.grouped(all)) match"
    }

    /// A section's count: `3`, or `3 of 214` while a search or a predicate narrows the list.
    func countText(ofSection section: Int) -> String {
        if isPreview { return "…" }
        let shown = Chrome.grouped(list.numberOfBackingRows(inSection: section) ?? 0)
        // A number from before the store changed, until the new one comes; but none that cannot be.
        guard let all = wholeCount(ofSection: section), all >= list.numberOfBackingRows(inSection: section) ?? 0 else {
            return shown
        }
        return "\(shown) of \(Chrome.grouped(all))"
    }

    /// Objects of a section if nothing narrowed the list; nil where nothing does, or where that is not known.
    private func wholeCount(ofSection section: Int) -> Int? {
        guard let name = list.backingModel.sectionName(at: section) else { return nil }
        if let counts = filter?.counts { return counts.bySection[name] }
        guard filter?.isWholeObsolete != true, let unfiltered, let place = unfiltered.backingModel.section(named: name) else {
            return nil
        }
        return unfiltered.numberOfBackingRows(inSection: place)
    }

    /// Filter and search in force, for the last line; empty where there is neither.
    var filterStatus: String {
        var parts: [String] = []
        for text in [configuration.filterLabel, filter?.predicate.text] { if let text { parts.append("&\(text)") } }
        if isNarrowed, let find { parts.append("/\(find.query.text)") }
        guard !parts.isEmpty else { return "" }
        let escape =
            isNarrowed
            ? keyLabels.apart(.cancel, "drops the search") : hasFilterToDrop ? keyLabels.apart(.cancel, "shows all") : ""
        return parts.joined(separator: "   ") + escape
    }

    /// Why nothing shows.
    package var emptyText: String {
        ListConfiguration.emptyText(
            search: find?.query.text, filter: filter?.predicate.text, among: configuration.filterLabel,
            otherwise: configuration.emptyReason)
    }
}
