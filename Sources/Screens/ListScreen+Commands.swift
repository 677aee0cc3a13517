import Fetching
import IndexPathModel
import ObjectStore
import Presentation
package import TerminalUI

extension ListScreen {
    package mutating func perform(_ command: Command) -> [Effect] {
        if waits(command) { return [] }
        lostPlace = nil
        switch command {
        case .moveUp, .moveDown, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .moveToStart, .moveToEnd: move(command)
        case .previousSection: moveToPreviousSection()
        case .nextSection: moveToNextSection()
        case .toggleSection: return toggleSection()
        case .open: return open()
        case .moveRight:
            if case .header(let section) = cursorRow { setExpanded(section, true) } else { return open() }
        case .moveLeft: moveLeft()
        case .expandAll: setAllExpanded(true)
        case .collapseAll: setAllExpanded(false)
        case .focusIndexBar: return focusIndexBar()
        case .goToRow: prompt = Prompt(.goToRow)
        case .sort: return configuration.opens == .objects ? [.chooseOrder] : [.message("the list of entities has one order")]
        case .group: return configuration.opens == .objects ? [.chooseGrouping] : [.message("the list of entities has no groups")]
        case .find: return beginFind()
        case .filter: return beginFilter()
        case .printView, .saveList: return beginSaving(command)
        case .nextHit: return moveToHit(forward: true)
        case .previousHit: return moveToHit(forward: false)
        case .copy: return copy()
        case .toggleRawValues:
            showsRawValues.toggle()
            rows.removeAll()
            resetColumns()
            return [.message(showsRawValues ? "values as stored" : "values as shown")]
        case .reload: return reload()
        case .back: return [.back]
        default: break
        }
        return []
    }

    // MARK: Sections and rows

    private mutating func toggleSection() -> [Effect] {
        guard configuration.hasSections else {
            move(.pageDown)
            return []
        }
        guard let row = cursorRow else { return [] }
        switch row {
        case .header(let section): setExpanded(section, list.isSectionCollapsed(section))
        case .item(let indexPath):
            setExpanded(indexPath.section, false)
            if let header = list.position(ofHeader: indexPath.section) { moveCursor(to: header) }
        }
        return []
    }

    private mutating func open() -> [Effect] {
        switch cursorRow {
        case .header(let section):
            setExpanded(section, list.isSectionCollapsed(section))
            return []
        case .item(let indexPath):
            guard let key = list.item(at: indexPath) else { return [] }
            if configuration.opens == .entities { return [.openEntity(key)] }
            return [.open(ObjectID(entityName: configuration.entityName, key: key))]
        case nil: return []
        }
    }

    private mutating func moveLeft() {
        switch cursorRow {
        case .header(let section): setExpanded(section, false)
        case .item(let indexPath):
            if let header = list.position(ofHeader: indexPath.section) { moveCursor(to: header) }
        case nil: break
        }
    }

    private func copy() -> [Effect] {
        switch cursorRow {
        case .header(let section):
            return [.copy(list.backingModel.sectionName(at: section)?.title ?? "", label: "section title")]
        case .item(let indexPath):
            guard let key = list.item(at: indexPath), case .some(.some(let row)) = rows.row(for: key) else { return [] }
            return [.copy(row.text.isPlaceholder ? "" : row.text.text, label: "row text")]
        case nil: return [.message("nothing to copy")]
        }
    }

    package mutating func reload() -> [Effect] {
        if phase != .loaded { phase = .loading }
        filter?.isWholeStale = true
        askForList()
        return [.reload]
    }

    /// Asks for the list once more; what was asked for before is not wanted any more.
    mutating func askForList() {
        generation += 1
        needsList = true
        needsCounts = false
        followed = nil
        awaitsList = true
        rows.removeAll()
        resetColumns()
    }

    // MARK: The index bar and the prompt

    private mutating func focusIndexBar() -> [Effect] {
        guard let bar = indexBar, let index else { return [.message("no index bar: \(reasonForNoIndexBar)")] }
        focusedEntry = cursorSection.flatMap { index.entry(forSection: $0) } ?? bar.slots.first?.entries.lowerBound ?? 0
        return []
    }

    private var reasonForNoIndexBar: String {
        if isPreview { return "the list is still loading" }
        if !configuration.hasSections { return "the list has no sections" }
        if !configuration.wantsIndexBar { return "the plist does not enable it (sectionIndexTitlesEnabled)" }
        if objectCount < configuration.minimumRowCountForIndexBar {
            return "fewer than \(configuration.minimumRowCountForIndexBar) objects"
        }
        return "the window is too small"
    }

    package mutating func handle(_ key: Key) -> [Effect] {
        lostPlace = nil
        if prompt != nil { return handlePrompt(key) }
        guard let entry = focusedEntry, let index, let bar = indexBar else {
            focusedEntry = nil
            return []
        }
        switch key {
        case Key(.enter), Key(.tab), Key(.escape), .control("c"), Key(.left), Key(.right): focusedEntry = nil
        case Key(.up): jump(toEntry: entry - 1)
        case Key(.down): jump(toEntry: entry + 1)
        case Key(.home): jump(toEntry: 0)
        case Key(.end): jump(toEntry: index.entries.count - 1)
        case Key(.pageUp): jump(toEntry: entry - bar.slots.count / 2)
        case Key(.pageDown): jump(toEntry: entry + bar.slots.count / 2)
        default:
            guard case .character(let character) = key.code, !key.control, !key.alt else { return [] }
            guard let typed = index.entry(forTyped: character) else {
                let name = character == " " ? "space" : DisplayText.printable(String(character))
                return [.message("no \(name) in the index")]
            }
            jump(toEntry: typed)
        }
        return []
    }

    private mutating func jump(toEntry entry: Int) {
        guard let index, !index.entries.isEmpty else { return }
        let entry = max(0, min(entry, index.entries.count - 1))
        focusedEntry = entry
        jump(toSection: index.entries[entry].section)
    }

    private mutating func handlePrompt(_ key: Key) -> [Effect] {
        guard var editing = prompt else { return [] }
        if editing.purpose == .find, handleFind(key) { return [] }
        let outcome = editing.handle(key)
        prompt = outcome == .editing ? editing : nil
        switch (outcome, editing.purpose) {
        case (.editing, .find): changeQuery(to: SearchQuery(editing.text))
        case (.cancelled, .find): dropFind()
        case (.accepted, .goToRow): return goTo(editing.rowNumber)
        case (.accepted, .predicate): return acceptFilter(editing)
        case (.accepted, .printView), (.accepted, .saveList): return save(editing)
        default: break
        }
        return []
    }

    private mutating func goTo(_ typed: Prompt.RowNumber) -> [Effect] {
        switch typed {
        case .none: return []
        case .fault(let problem): return [.message(problem)]
        case .number(let number):
            if isPreview, phase == .loading, number > objectCount || !awaited.isEmpty {
                awaited.append(.objectNumber(number))
            } else {
                goTo(objectNumber: number)
                if let problem = Chrome.outOfRange(number, objectCount, configuration.noun.many) { return [.message(problem)] }
            }
            return []
        }
    }

    package mutating func undo() -> Bool {
        if !awaited.isEmpty {
            awaited = []
        } else if find != nil {
            dropFind()
        } else if hasFilterToDrop {
            dropFilter()
        } else {
            return false
        }
        return true
    }

    package mutating func handle(paste text: String) -> [Effect] {
        prompt?.insert(text)
        if let prompt, prompt.purpose == .find { changeQuery(to: SearchQuery(prompt.text)) }
        return []
    }

    // MARK: Mouse

    /// Whether the mouse works the index bar: pressed on it, or dragged along it, be it beyond its ends.
    private func isOnIndexBar(_ mouse: MouseEvent) -> Bool {
        guard mouse.position.column >= size.columns - 2 else { return false }
        switch mouse.action {
        case .drag: return true
        case .press, .doublePress: return (window.row..<window.endRow).contains(mouse.position.row)
        case .release, .wheelUp, .wheelDown: return false
        }
    }

    package mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        let window = window
        lostPlace = nil
        if let bar = indexBar, let index, isOnIndexBar(mouse) {
            let row = max(0, min(mouse.position.row - window.row, bar.slots.count - 1))
            if let entry = bar.entry(atRow: row) { jump(toSection: index.entries[entry].section) }
            return []
        }
        switch mouse.action {
        case .wheelUp: scroll(by: -3)
        case .wheelDown: scroll(by: 3)
        case .press, .doublePress:
            guard window.contains(mouse.position) else { return [] }
            let offset = mouse.position.row - window.row
            guard top + offset < list.rowCount else { return [] }
            if offset == 0, hiddenRows(atTop: top) > 0, case .item(let indexPath) = list.row(at: top) {
                moveCursor(to: list.position(ofHeader: indexPath.section) ?? top)
            } else {
                moveCursor(to: top + offset)
            }
            // A click on the mark folds, as a click on a disclosure triangle does.
            if case .header = cursorRow, mouse.action == .press, mouse.position.column < 3 { return perform(.toggleSection) }
            if isPreview, case .header = cursorRow { return [] }
            if mouse.action == .doublePress, mouse.position.column >= 3 || key(at: cursorRow) != nil { return open() }
        case .drag, .release: break
        }
        return []
    }
}
