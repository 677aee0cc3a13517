import Fetching
import IndexPathModel
import ObjectStore
import Presentation
import TerminalUI

extension ListScreen {
    package mutating func takeRequests() -> [DataRequest] {
        var requests: [DataRequest] = []
        let form: ValueForm = showsRawValues ? .stored : .typed
        if needsList {
            needsList = false
            requests.append(
                DataRequest(
                    kind: .list, generation: generation, form: form, predicate: filter?.predicate, previewLimit: previewLimit))
        }
        if needsMatches, phase == .loaded, let find {
            needsMatches = false
            needsSearchTexts = false
            requests.append(
                DataRequest(kind: .matches(find.query), generation: generation, form: form, predicate: filter?.predicate))
        }
        // Somebody is about to type, which takes longer than the reading.
        if prompt?.purpose == .find, let request = takeSearchTextsRequest(form) { requests.append(request) }
        let missing = rows.takeMissing(visibleKeys())
        if !missing.isEmpty { requests.append(DataRequest(kind: .rows(missing), generation: generation, form: form)) }
        return requests
    }

    package mutating func takeIdleRequests() -> [DataRequest] {
        guard phase == .loaded else { return [] }
        let form: ValueForm = showsRawValues ? .stored : .typed
        var requests: [DataRequest] = []
        if needsCounts {
            needsCounts = false
            requests.append(DataRequest(kind: .sectionCounts, generation: generation, form: form))
        }
        if let request = takeSearchTextsRequest(form) { requests.append(request) }
        return requests
    }

    private mutating func takeSearchTextsRequest(_ form: ValueForm) -> DataRequest? {
        guard needsSearchTexts, phase == .loaded, configuration.isSearchable else { return nil }
        needsSearchTexts = false
        return DataRequest(kind: .searchTexts, generation: generation, form: form, predicate: filter?.predicate)
    }

    /// Keys of the rows in the window, and of half a window before and after it.
    private func visibleKeys() -> [ObjectKey] {
        let margin = window.rows / 2
        let range = max(0, top - margin)..<max(0, min(list.rowCount, top + window.rows + margin))
        return range.compactMap { key(at: list.row(at: $0)) }
    }

    package mutating func receive(_ reply: DataReply) -> [Effect] {
        guard reply.generation == generation else { return [] }
        switch reply.kind {
        case .list(let contents) where contents.isPreview: receivePreview(contents)
        case .list(let contents):
            awaitsList = false
            // A list that is followed may change every second: its texts are read once somebody searches again.
            if followed == nil { needsSearchTexts = true }
            let before = followed
            if let gone = contents.changes?.deleted { fitColumns(without: gone) }
            if filter == nil { receive(contents) } else { receiveNarrowed(contents) }
            let effects = performAwaited()
            if let before, let change = noteChanges(from: before, to: contents) { return effects + [.message(change)] }
            if let fault = contents.fault {
                return effects + [.message([fault.problem, fault.remedy].compactMap { $0 }.joined(separator: "; "))]
            }
            return effects
        case .sectionCounts(let counts): filter?.counts = counts
        case .failure(.sectionCounts, let error):
            // What gave way to something else is asked for again; without an answer nothing old is said.
            if error.cause == .cancelled {
                needsCounts = filter != nil
            } else {
                filter?.counts = SectionCounts(total: nil, bySection: [:])
            }
        case .matches(let matches): receive(matches)
        case .failure(.matches, let error):
            guard error.cause != .cancelled else { break }
            // Where words are being typed, there is no line for a message.
            prompt?.fault = error.problem
            return [.message(error.problem)]
        case .rows(let loaded): return receiveRows(loaded)
        case .failure(.list, let error):
            awaitsList = false
            awaited = []
            failFilter()
            let isCancelled = error.cause == .cancelled
            if phase != .loaded {
                phase = .failed(isCancelled ? "loading was cancelled" + keyLabels.aside(.reload, "loads again") : error.problem)
            }
            return isCancelled ? [] : [.message(error.problem)]
        case .failure(.rows(let keys), let error):
            // What cannot be read is shown as such rather than asked for again and again.
            rows.fail(keys)
            return [.message(error.problem)]
        default: break
        }
        return []
    }

    private mutating func receive(_ contents: ListContents) {
        // A search goes on in the new list, from the object that it was on.
        let key = isNarrowed ? cursorKey : nil
        let suspended = suspendFind()
        total = contents.total
        lastMatches = nil
        resumeFind(suspended)
        // Once there is a list, the reader may have moved on while a newer one was on its way.
        var place = phase == .loaded ? self.place : pendingPlace ?? (isPreview ? self.place : nil)
        isPreview = false
        if let key { place?.key = key }
        let isRefilled = list.backingModel.numberOfItems == 0 && lostPlace != nil
        if phase == .loaded, let reader = place { place = survivor(of: reader, from: list.backingModel, in: contents) }
        pendingPlace = nil
        if phase == .loaded {
            replaceModel(
                with: contents.model, startsOpen: configuration.startsOpen, differences: contents.differences)
            if isRefilled, let folds = place?.exceptions, !folds.isEmpty {
                list = folded(contents.model, exceptions: folds)
            }
        } else {
            list = rearranged(contents.model) ?? folded(contents.model, exceptions: place?.exceptions ?? [])
        }
        formerList = nil
        objects = List(backingModel: contents.model, collapsedSectionNames: [], showsHeaders: false)
        phase = .loaded
        index = configuration.hasSections && configuration.wantsIndexBar ? contents.index : nil
        if indexBar == nil { focusedEntry = nil }
        if let place { moveCursor(to: place) } else { settle() }
    }

    /// The list over a model that is the former one in another order or in other groups; nil where it has no folds to keep.
    private func rearranged(_ model: ListContents.Model) -> List? {
        guard configuration.hasSections, let formerList, formerList.showsHeaders else { return nil }
        // Where one section is open, it is the first among sections of which none was there before.
        if configuration.firstSectionStartsOpen {
            let former = formerList.backingModel
            let isKnown = (0..<model.numberOfSections).contains { section in
                model.sectionName(at: section).flatMap { former.section(named: $0) } != nil
            }
            guard isKnown else { return nil }
        }
        return formerList.replacingBackingModel(with: model, startsOpen: configuration.startsOpen, showsHeaders: true)
    }

    /// A list with the folds that it begins with.
    private func folded(_ model: ListContents.Model, exceptions: Set<String?>) -> List {
        let hasSections = configuration.hasSections
        return List(backingModel: model, showsHeaders: hasSections) { section in
            guard hasSections else { return true }
            guard let name = model.sectionName(at: section) else { return false }
            // Few lists have any: nothing is looked up in an empty table.
            let isException = !exceptions.isEmpty && exceptions.contains(name.title)
            return configuration.opens(section: section) != isException
        }
    }
}
