import Fetching
import IndexPathModel
import ObjectStore
import TerminalUI

// The beginning of a list, shown while the whole is made. What a key does then is what it does in the whole list: rows that are
// there can be gone to; whatever needs the others waits for them, or says that the list is still loading.
extension ListScreen {
    /// Something that waits for the whole list.
    enum Awaited: Sendable, Equatable {
        case command(Command)
        case objectNumber(Int)
    }

    /// So many commands wait, no more: a key that repeats is no reason to grow.
    private static var mostAwaited: Int { 64 }

    /// How many objects from the beginning are wanted ahead of the list; nil where its beginning is not what will be shown first.
    var previewLimit: Int? {
        guard phase == .loading, filter?.isStart ?? true, list.rowCount == 0,
            configuration.startsOpen || !configuration.hasSections,
            configuration.opens == .objects, !configuration.singleExpandedSection
        else { return nil }
        let limit = min(1_000, max(100, window.rows * 3))
        if let place = pendingPlace, !place.exceptions.isEmpty || place.rowInSection >= limit { return nil }
        return limit
    }

    /// Shows the beginning of the list, unless the reader was elsewhere in it.
    mutating func receivePreview(_ contents: ListContents) {
        guard phase == .loading, filter?.isStart ?? true, list.rowCount == 0 else { return }
        let model = contents.model
        if let place = pendingPlace {
            let isSectionThere = model.section(named: SectionName(place.sectionTitle)) != nil
            guard place.key.map({ model.indexPath(ofObject: $0) != nil }) ?? isSectionThere else { return }
        }
        isPreview = true
        list = List(backingModel: model, collapsedSectionNames: [], showsHeaders: configuration.hasSections)
        objects = List(backingModel: model, collapsedSectionNames: [], showsHeaders: false)
        if let place = pendingPlace { moveCursor(to: place) } else { settle() }
        pendingPlace = nil
    }

    /// Whether a command has to wait for the whole list; then it is kept for it.
    mutating func waits(_ command: Command) -> Bool {
        guard isPreview, phase == .loading, needsWhole(command) else { return false }
        if awaited.count < Self.mostAwaited { awaited.append(.command(command)) }
        return true
    }

    private func needsWhole(_ command: Command) -> Bool {
        let last = list.rowCount - 1
        switch command {
        case .toggleSection where !configuration.hasSections: return needsWhole(.pageDown)
        case .moveToEnd, .nextSection, .toggleSection, .expandAll, .collapseAll: return true
        case .moveLeft, .moveRight, .open:
            if case .header = cursorRow { return true }
            return !awaited.isEmpty
        case .moveDown: return !awaited.isEmpty || cursor >= last
        // The last page of the preview is not that of the list: it would stop short.
        case .pageDown, .halfPageDown: return !awaited.isEmpty || cursor + window.rows > last || top + 2 * window.rows > last
        case .moveUp, .pageUp, .halfPageUp, .moveToStart, .previousSection, .copy: return !awaited.isEmpty
        default: return false
        }
    }

    /// Does what waited for the whole list.
    mutating func performAwaited() -> [Effect] {
        let waiting = awaited
        awaited = []
        return waiting.flatMap { waiting -> [Effect] in
            switch waiting {
            case .command(let command): return perform(command)
            case .objectNumber(let number):
                goTo(objectNumber: number)
                return []
            }
        }
    }
}
