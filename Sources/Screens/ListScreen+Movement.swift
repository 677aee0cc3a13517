import Fetching
import IndexPathModel
import ObjectStore
import TerminalUI

// Where the cursor goes and what the window shows then.
extension ListScreen {
    /// Rows by which a page moves: all but one, so that a row of the old page stays in sight.
    private var pageRows: Int { max(1, window.rows - (hasStickyHeader ? 2 : 1)) }

    mutating func move(_ command: Command) {
        switch command {
        case .moveUp: moveCursor(to: cursor - 1)
        case .moveDown: moveCursor(to: cursor + 1)
        case .pageUp: page(by: -pageRows)
        case .pageDown: page(by: pageRows)
        case .halfPageUp: page(by: -max(1, window.rows / 2))
        case .halfPageDown: page(by: max(1, window.rows / 2))
        case .moveToStart: moveCursor(to: 0)
        case .moveToEnd: moveCursor(to: list.rowCount - 1)
        default: break
        }
    }

    mutating func moveCursor(to row: Int) {
        cursor = row
        numberAfterGone = nil
        settle()
    }

    /// Scrolls window and cursor together.
    mutating func page(by rows: Int) {
        cursor += rows
        top += rows
        settle()
    }

    /// Scrolls the window; the cursor comes along only where it would leave it.
    mutating func scroll(by rows: Int) {
        top = max(0, min(top + rows, lastTop))
        cursor = min(cursor, top + max(1, window.rows) - 1)
        if cursor < top + hiddenRows(atTop: top) { cursor = top + hiddenRows(atTop: top) }
        settle()
    }

    /// The furthest that the window can be scrolled: the last row at its bottom.
    private var lastTop: Int { max(0, list.rowCount - max(1, window.rows)) }

    /// How many of the window's rows a sticky header covers, if `row` is at its top.
    func hiddenRows(atTop row: Int) -> Int {
        guard hasStickyHeader, case .item = list.row(at: row) else { return 0 }
        return 1
    }

    /// Brings the cursor into the list and the window to the cursor.
    mutating func settle() {
        cursor = max(0, min(cursor, list.rowCount - 1))
        let rows = max(1, window.rows)
        top = max(0, min(top, lastTop))
        if cursor >= top + rows { top = cursor - rows + 1 }
        top = min(top, cursor)
        // The header that stays at the top may cover the row that the cursor has just been put on.
        if cursor == top, hiddenRows(atTop: top) > 0 { top = max(0, top - 1) }
    }

    // MARK: Sections

    /// To the header of the section before, or of this one from within it.
    mutating func moveToPreviousSection() {
        guard let section = cursorSection, let header = list.position(ofHeader: section) else { return moveCursor(to: 0) }
        if cursor != header { return moveCursor(toHeader: header, of: section) }
        if section > 0, let previous = list.position(ofHeader: section - 1) { moveCursor(toHeader: previous, of: section - 1) }
    }

    mutating func moveToNextSection() {
        guard let section = cursorSection, let next = list.position(ofHeader: section + 1) else {
            return moveCursor(to: list.rowCount - 1)
        }
        moveCursor(toHeader: next, of: section + 1)
    }

    /// A header at the bottom would say nothing: as much of its section as fits comes into sight with it.
    private mutating func moveCursor(toHeader header: Int, of section: Int) {
        moveCursor(to: header)
        guard !list.isSectionCollapsed(section) else { return }
        showAsMuchAsFits(of: section)
        settle()
    }

    /// Puts a section's header at the top of the window, or as near as the end of the list allows.
    mutating func jump(toSection section: Int) {
        guard let header = list.position(ofHeader: section) else { return }
        cursor = header
        top = header
        settle()
    }

    /// To the object of this number, the first is 1; folds open for it. Beyond the end it is the last.
    mutating func goTo(objectNumber number: Int) {
        guard case .item(let indexPath) = objects.row(at: max(0, min(number, objectCount) - 1)) else { return }
        moveCursor(toObjectAt: indexPath)
    }

    // MARK: Folding

    /// Folds or unfolds; the cursor stays on its row, or goes to the header where its row goes away.
    mutating func setExpanded(_ section: Int, _ expanded: Bool) {
        guard configuration.hasSections, list.isSectionCollapsed(section) == expanded else { return }
        let place = cursorRow
        list =
            expanded
            ? list.expandingSection(section, singleExpandedSection: configuration.singleExpandedSection)
            : list.collapsingSection(section)
        restore(place, headerOf: section)
        if expanded { showAsMuchAsFits(of: section) }
        settle()
    }

    mutating func setAllExpanded(_ expanded: Bool) {
        guard configuration.hasSections else { return }
        let place = cursorRow
        let offset = cursor - top
        list = expanded ? list.expandingAllSections() : list.collapsingAllSections()
        restore(place, headerOf: cursorSection)
        top = cursor - offset
        settle()
    }

    private mutating func restore(_ row: ScreenRow?, headerOf fallback: Int?) {
        switch row {
        case .header(let section): cursor = list.position(ofHeader: section) ?? cursor
        case .item(let indexPath):
            cursor = list.position(of: indexPath) ?? list.position(ofHeader: indexPath.section) ?? cursor
        case nil: cursor = fallback.flatMap { list.position(ofHeader: $0) } ?? 0
        }
    }

    /// Scrolls so that as much as fits of a section is in the window, its header first.
    private mutating func showAsMuchAsFits(of section: Int) {
        top = list.firstPosition(showingSection: section, from: top, height: max(1, window.rows))
    }

    // MARK: Place

    /// Where the reader is, to be found again after a reload or in the next run. O(sections).
    package var place: ListPlace {
        var rowInSection = 0
        if case .item(let indexPath) = cursorRow { rowInSection = indexPath.row }
        return ListPlace(
            key: cursorKey, sectionTitle: cursorSection.flatMap { list.backingModel.sectionName(at: $0)?.title },
            rowInSection: rowInSection, offset: cursor - top, exceptions: exceptions(of: list))
    }

    /// Titles of the sections of a list that are not as they are at first. O(sections).
    func exceptions(of list: List) -> Set<String?> {
        guard configuration.hasSections else { return [] }
        let model = list.backingModel
        var exceptions: Set<String?> = []
        for section in 0..<model.numberOfSections where list.isSectionCollapsed(section) == configuration.opens(section: section)
        {
            exceptions.insert(model.sectionName(at: section)?.title)
        }
        return exceptions
    }

    /// The place to keep for the next run; nil while there is no list to have a place in.
    package var placeToKeep: ListPlace? {
        guard phase == .loaded else { return nil }
        var whole = self
        let key = cursorKey
        whole.dropFind()
        let isUnread = filter?.isWholeObsolete ?? false
        let folds = foldsKept
        whole.dropFilter()
        // Of a list that was never read, only where the reader is in what was shown of it.
        if isUnread {
            var place = place
            place.exceptions = folds
            return keptAsPlistSays(place)
        }
        // The object that the reader found is where the reader is.
        if isNarrowed || filter != nil, let indexPath = key.flatMap({ whole.list.backingModel.indexPath(ofObject: $0) }) {
            whole.moveCursor(toObjectAt: indexPath)
        }
        return whole.keptAsPlistSays(whole.place)
    }

    /// A place with its folds as exceptions from the plist's own rule, where another was in force: those kept before, if the reader
    /// has changed none.
    private func keptAsPlistSays(_ place: ListPlace) -> ListPlace {
        guard let kept = configuration.keptFolds else { return place }
        var place = place
        guard !place.exceptions.isEmpty else {
            place.exceptions = kept.exceptions
            return place
        }
        let model = list.backingModel
        var exceptions: Set<String?> = []
        for section in 0..<model.numberOfSections {
            guard let name = model.sectionName(at: section) else { continue }
            let isOpen = configuration.opens(section: section) != place.exceptions.contains(name.title)
            if isOpen != kept.opens(section: section) { exceptions.insert(name.title) }
        }
        place.exceptions = exceptions
        return place
    }

    /// Puts the cursor where it was, or as near as what is left allows: the object, else the next in its section, else the header.
    mutating func moveCursor(to place: ListPlace) {
        let model = list.backingModel
        var position: Int?
        if let key = place.key {
            let name = SectionName(place.sectionTitle)
            if let indexPath = model.indexPath(ofObject: key, near: place.rowInSection, inSectionNamed: name) {
                position = list.position(of: indexPath) ?? list.position(ofHeader: indexPath.section)
            } else if let section = model.section(named: SectionName(place.sectionTitle)) {
                let rows = list.numberOfRows(inSection: section) ?? 0
                position =
                    place.rowInSection < rows
                    ? list.position(of: IndexPath(section: section, row: place.rowInSection)) : list.position(ofHeader: section)
            }
        } else if let section = model.section(named: SectionName(place.sectionTitle)) {
            position = list.position(ofHeader: section)
        }
        guard let position else { return settle() }
        cursor = position
        top = cursor - place.offset
        settle()
    }
}
