import Fetching
package import ObjectStore
import Presentation
package import TerminalUI

/// The detail of one object: rows under section titles, as its plist lays them out.
package struct DetailScreen: Screen {
    /// Titles of the screens that led here, from the root.
    package let breadcrumb: [String]
    package private(set) var objectID: ObjectID
    var contents: DetailContents?
    /// What went wrong, or that the object is gone.
    var notice: String?
    /// Whether it was said that something could not be read.
    private var hasFailed = false
    var layout = DetailLayout()
    package private(set) var size = Size(rows: 24, columns: 80)
    package var keyLabels = KeyLabels()
    /// The cursor's stop in the layout.
    var cursor = 0
    /// The screen line at the top of the window.
    var top = 0
    var showsRawValues = false
    var relatedRows: [Int: RowCache<RelatedRow>] = [:]
    var generation = 0
    private var needsDetail = true
    /// Whether the values to come are compared with those shown.
    private var isFollowing = false
    /// Rows that have just changed.
    var marks: Set<DetailPlace> = []
    /// Objects of to-many sections whose lines have just changed or come, by section.
    var relatedMarks: [Int: Set<ObjectKey>] = [:]
    /// How many of them, as it is said; nil where nothing is compared.
    private var counted: Counted?
    package var finding = Finding<RowPlace>()
    /// A search that waits for lines to be read.
    var unread: UnreadSearch?

    package init(_ objectID: ObjectID, breadcrumb: [String]) {
        self.objectID = objectID
        self.breadcrumb = breadcrumb
    }

    package var context: KeyContext { .detail }
    package var isFilling: Bool { contents == nil ? notice == nil : awaitsCursorLine || unread != nil }
    var window: Rect { Chrome.body(of: size) }

    /// Title for the breadcrumb of screens above.
    package var title: String {
        guard let contents else { return objectID.entityName }
        return contents.title.isPlaceholder ? objectID.entityName : contents.title.text
    }

    package mutating func resize(to size: Size) {
        let isOtherWidth = size.columns != self.size.columns
        self.size = size
        if isOtherWidth, let contents { layout = DetailLayout(contents, columns: size.columns) }
        settle()
    }

    // MARK: Data

    package mutating func takeRequests() -> [DataRequest] {
        let form: ValueForm = showsRawValues ? .stored : .typed
        var requests: [DataRequest] = []
        if needsDetail {
            needsDetail = false
            requests.append(DataRequest(kind: .detail, generation: generation, form: form))
        }
        if !needsDetail, let search = takeSearchRequest() {
            requests.append(DataRequest(kind: search, generation: generation, form: form))
        }
        for block in layout.blocks {
            guard case .related(let section, let objects) = block.content, !objects.keys.isEmpty else { continue }
            let margin = window.rows / 2
            let first = max(0, top - margin - block.firstLine)
            let last = min(objects.keys.count, top + window.rows + margin - block.firstLine)
            guard first < last else { continue }
            let missing = relatedRows[section, default: RowCache()].takeMissing(Array(objects.keys[first..<last]))
            guard !missing.isEmpty else { continue }
            requests.append(DataRequest(kind: .related(section: section, keys: missing), generation: generation, form: form))
        }
        return requests
    }

    package mutating func receive(_ reply: DataReply) -> [Effect] {
        guard reply.generation == generation else { return [] }
        switch reply.kind {
        case .detail(.some(let contents)):
            var said: [Effect] = hasFailed ? [.message("the object can be read again")] : []
            if notice != nil, self.contents != nil { said = [.message("the object is there again")] }
            if isFollowing { mark(contents) }
            isFollowing = false
            if let text = counted?.text(of: contents) { said = [.message(text)] }
            notice = nil
            hasFailed = false
            show(following: contents)
            return said + searchAnew()
        case .detail(nil):
            notice = "This object is no longer in the store."
            return [.message(contents == nil ? "the object is gone" : "the object is gone; these are its last values")]
        case .related(let section, let rows):
            let changed = relatedRows[section, default: RowCache()].store(rows)
            guard !changed.isEmpty else { break }
            relatedMarks[section, default: []].formUnion(changed)
            counted?.lines[section, default: []].formUnion(changed)
            guard !isFollowing, let contents, let text = counted?.text(of: contents) else { break }
            return [.message(text)]
        case .relatedHit(let lines, let place): return receive(lines, hit: place)
        case .failure(let request, let error):
            if case .relatedHit(let lines) = request, unread?.reading?.lines == lines { unread = nil }
            guard error.cause != .cancelled else { break }
            if case .detail = request {
                if contents == nil { notice = error.problem }
                hasFailed = true
            }
            if case .related(let section, let keys) = request {
                relatedRows[section, default: RowCache()].store(
                    Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, RelatedRow?.none) }))
            }
            return [.message(error.problem)]
        default: break
        }
        return []
    }

    package mutating func follow() {
        generation += 1
        needsDetail = true
        isFollowing = true
        counted = Counted()
        for section in relatedRows.keys { relatedRows[section]?.markStale() }
    }

    package mutating func clearMarks() -> Bool {
        guard !marks.isEmpty || !relatedMarks.isEmpty else { return false }
        marks = []
        relatedMarks = [:]
        return true
    }

    /// So many objects of a to-many section are looked through for new ones: some milliseconds.
    private static var mostComparedObjects: Int { 20_000 }

    /// What has changed since the store did.
    private struct Counted {
        var inserted = 0
        var changed = 0
        var deleted = 0
        /// Objects whose lines are others, by section; those that came or went among them are counted as such.
        var lines: [Int: Set<ObjectKey>] = [:]

        /// `1 new, 2 changed`; nil for nothing. O(objects of sections with such lines).
        func text(of contents: DetailContents) -> String? {
            var changed = changed
            for (section, keys) in lines where contents.sections.indices.contains(section) {
                guard case .related(let objects) = contents.sections[section].body else { continue }
                changed += objects.keys.count { keys.contains($0) }
            }
            return ListScreen.text(inserted: inserted, changed: changed, deleted: deleted)
        }
    }

    /// Marks the rows whose values are not what they were, and the objects that came.
    private mutating func mark(_ new: DetailContents) {
        guard let old = contents else { return }
        var counts = counted ?? Counted()
        for (section, parts) in zip(old.sections, new.sections).enumerated() {
            if case .related(let before) = parts.0.body, case .related(let after) = parts.1.body {
                // Of very many only those that are there still are compared, when they are seen.
                guard after.keys.count <= Self.mostComparedObjects, before.keys.count <= Self.mostComparedObjects else {
                    continue
                }
                let (former, present) = (Set(before.keys), Set(after.keys))
                let new = present.subtracting(former)
                counts.inserted += new.count
                counts.deleted += former.subtracting(present).count
                if !new.isEmpty { relatedMarks[section, default: []].formUnion(new) }
                continue
            }
            guard case .rows(let before) = parts.0.body, case .rows(let after) = parts.1.body else { continue }
            for (row, values) in zip(before, after).enumerated()
            where values.0.value != values.1.value || values.0.isOn != values.1.isOn {
                marks.insert(DetailPlace(section: section, row: row))
                counts.changed += 1
            }
        }
        counted = counts
    }

    private mutating func reloadData() {
        generation += 1
        needsDetail = true
        relatedRows = [:]
        counted = nil
    }

    // MARK: Commands

    package mutating func perform(_ command: Command) -> [Effect] {
        let rows = max(1, window.rows)
        switch command {
        case .moveUp: moveUp()
        case .moveDown: moveDown()
        case .pageUp: page(by: -max(1, rows - 1))
        case .pageDown, .toggleSection: page(by: max(1, rows - 1))
        case .halfPageUp: page(by: -max(1, rows / 2))
        case .halfPageDown: page(by: max(1, rows / 2))
        case .moveToStart: moveCursor(to: 0, top: 0)
        case .moveToEnd: moveCursor(to: layout.stopCount - 1, top: .max)
        case .previousSection: moveToSection(forward: false)
        case .nextSection: moveToSection(forward: true)
        case .open, .moveRight: return open()
        case .moveLeft, .back: return [.back]
        case .nextObject: return [.openNeighbour(1)]
        case .previousObject: return [.openNeighbour(-1)]
        case .openAsList: return openAsList()
        case .find: beginFind()
        case .goToRow: finding.prompt = Prompt(.goToRow)
        case .nextHit, .previousHit: return moveToHit(forward: command == .nextHit)
        case .copy: return copy()
        case .toggleRawValues:
            showsRawValues.toggle()
            reloadData()
            return [.message(showsRawValues ? "values as stored" : "values as shown")]
        case .reload:
            reloadData()
            return [.reload]
        default: break
        }
        return []
    }

    /// Shows another object in the same place.
    package mutating func show(_ objectID: ObjectID) {
        self.objectID = objectID
        contents = nil
        notice = nil
        layout = DetailLayout()
        moveCursor(to: 0, top: 0)
        reloadData()
    }

    /// What the cursor's line shows and leads to.
    private enum Line {
        case row(DetailRow, DetailPlace)
        case related(section: Int, RelatedObjects, RelatedRow?)
    }

    private var cursorLine: Line? {
        guard let block = layout.block(ofStop: cursor) else { return nil }
        switch block.content {
        case .row(let row, let place, _, _): return .row(row, place)
        case .related(let section, let objects):
            let place = cursor - block.firstStop
            guard objects.keys.indices.contains(place) else { return .related(section: section, objects, nil) }
            let known = relatedRows[section]?.row(for: objects.keys[place]) ?? nil
            return .related(section: section, objects, known)
        default: return nil
        }
    }

    /// Whether the cursor is on an object of a to-many section that was not read yet: nobody knows what it leads to.
    private var awaitsCursorLine: Bool {
        guard let block = layout.block(ofStop: cursor), case .related(let section, let objects) = block.content else {
            return false
        }
        let place = cursor - block.firstStop
        guard objects.keys.indices.contains(place) else { return false }
        return relatedRows[section]?.row(for: objects.keys[place]) == nil
    }

    private func open() -> [Effect] {
        switch cursorLine {
        case .row(let row, let place):
            guard let destination = row.destination else {
                guard row.hasViewer else { return [.message("nothing to open here")] }
                return [.view(section: place.section, row: place.row, title: row.label ?? "value")]
            }
            return [.open(destination, detail: row.detailViewPropertyListFile)]
        case .related(_, let objects, let row):
            guard let destination = row?.destination else { return [.message("nothing to open here")] }
            return [.open(destination, detail: objects.detailViewPropertyListFile)]
        case nil: return []
        }
    }

    private func openAsList() -> [Effect] {
        guard case .related(_, let objects, _) = cursorLine else {
            return [.message("only a to-many relationship opens as a list")]
        }
        if let lines = objects.lines { return [.openLines(of: objectID, lines)] }
        return [.openList(of: objectID, through: objects.relationshipName)]
    }

    private func copy() -> [Effect] {
        switch cursorLine {
        case .row(let row, _):
            return [
                .copy(
                    row.value.isPlaceholder ? "" : row.value.text,
                    label: (row.label ?? "value") + (row.isCut ? " (its beginning)" : ""))
            ]
        case .related(_, _, let row):
            guard let row else { return [.message("nothing to copy")] }
            return [.copy(row.text.isPlaceholder ? "" : row.text.text, label: "value")]
        case nil: return [.message("nothing to copy")]
        }
    }

    package mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        switch mouse.action {
        case .wheelUp: scroll(by: -3)
        case .wheelDown: scroll(by: 3)
        case .press, .doublePress:
            let line = top + mouse.position.row - window.row
            guard window.contains(mouse.position), let block = layout.block(atLine: line), block.stops > 0 else { return [] }
            cursor = layout.stop(atOrAfterLine: line)
            settle()
            if mouse.action == .doublePress { return open() }
        case .drag, .release: break
        }
        return []
    }
}

/// A row of a detail, by section and row, both 0-based.
struct DetailPlace: Hashable, Sendable {
    let section: Int
    let row: Int
}
