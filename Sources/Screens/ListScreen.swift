import Fetching
package import IndexPathModel
package import ObjectStore
package import TerminalUI

/// The list: sections that fold, rows of objects, the index bar at the right edge.
///
/// The cursor is a row of the flat list of headers and rows; texts of rows come when they are about to be seen.
package struct ListScreen: Screen {
    package typealias List = CollapsibleDataModel<ObjectKey, ObjectKey>

    enum Phase: Sendable, Equatable {
        case loading
        case loaded
        case failed(String)
    }

    package internal(set) var configuration: ListConfiguration
    var phase = Phase.loading
    var list: List
    /// All objects without headers or folds: their numbers.
    var objects: List
    var index: SectionIndex?
    var size = Size(rows: 24, columns: 80)
    package var keyLabels = KeyLabels()
    /// The cursor's row in the flat list.
    var cursor = 0
    /// The flat row at the top of the window. Where it is an object's row, its section's header covers it.
    var top = 0
    /// The entry of the index bar that has the focus, nil while the list has it.
    var focusedEntry: Int?
    var prompt: Prompt?
    var showsRawValues = false
    var find: Find?
    /// The last search, when it is dropped: `n` goes on from hit to hit.
    var lastQuery: SearchQuery?
    var lastMatches: ListMatches?
    var needsMatches = false
    /// Whether the texts that a search looks at were not yet asked for.
    var needsSearchTexts = false
    /// Objects whose rows have just changed or come.
    var marks = RowMarks()
    /// Those among them whose time has just begun.
    var freshMarks = RowMarks()
    /// The list before the store changed, while its rows are compared with those before.
    var followed: ListContents.Model?
    var filter: Filter?
    /// Whether it was not yet asked how many objects the list has that the filter narrows.
    var needsCounts = false
    /// What the reader lost when most of the list went, to be found again if it comes back before a key is pressed.
    var lostPlace: ListPlace?
    /// Number, 0-based, of the object before which the cursor's object stood when its whole section went; nil if it did not.
    var numberAfterGone: Int?
    /// Keys of the entities whose rows have changed since the store did, and how many came and went.
    var changedEntities: (inserted: Int, deleted: Int, changed: Set<ObjectKey>)?
    /// Whether a list was asked for that has not come yet.
    var awaitsList = true
    /// Whether only the beginning of the list is there; the phase is `loading` then, and its counts say nothing.
    package internal(set) var isPreview = false
    /// What was asked of the preview and needs the whole list, in the order of asking.
    var awaited: [Awaited] = []
    /// Objects of the entity, where plist or command line filter them; else nil.
    var total: Int?

    var rows = RowCache<ListRow>()
    /// How wide the text and each column is.
    var widths: [ColumnWidth] = []
    var generation = 0
    var needsList = true
    /// Where to be when the list comes.
    var pendingPlace: ListPlace?
    /// The whole list as it was before it was arranged in another way, for its folds; nil once the new one is there.
    var formerList: List?

    package init(_ configuration: ListConfiguration, place: ListPlace? = nil) {
        self.configuration = configuration
        pendingPlace = place
        let empty = IndexPathDataModel<ObjectKey, ObjectKey>(identifiers: [], sections: [])
        list = List(backingModel: empty, showsHeaders: configuration.hasSections)
        objects = List(backingModel: empty, collapsedSectionNames: [], showsHeaders: false)
        widths = Self.widths(for: configuration)
    }

    package var context: KeyContext { .list }
    package var isFilling: Bool { phase == .loading && !isPreview }
    package var takesKeys: Bool { prompt != nil || focusedEntry != nil }
    package var typingPosition: Position? { prompt.flatMap { Chrome.typingPosition(of: $0, in: size) } }

    // MARK: Geometry

    /// The window of the list: between the first and the last line, below the headings.
    var window: Rect {
        var body = Chrome.body(of: size)
        // Three rows are too few to give one to the headings.
        if hasHeadings, body.rows > 3 {
            body.row += 1
            body.rows -= 1
        }
        return body
    }

    var hasHeadings: Bool { !configuration.columnHeadings.isEmpty }

    /// Whether the header of the topmost rows' section stays at the top while they scroll.
    var hasStickyHeader: Bool { configuration.hasSections && window.rows >= 2 }

    /// The bar, where it is shown.
    var indexBar: IndexBar? {
        guard let index, objectCount >= configuration.minimumRowCountForIndexBar, size.columns >= 8 else { return nil }
        let bar = IndexBar(count: index.entries.count, height: window.rows)
        return bar.slots.isEmpty ? nil : bar
    }

    var objectCount: Int { list.backingModel.numberOfItems }

    // MARK: The cursor's row

    var cursorRow: ScreenRow? { list.row(at: cursor) }

    /// The section of the cursor.
    var cursorSection: Int? {
        switch cursorRow {
        case .header(let section): section
        case .item(let indexPath): indexPath.section
        case nil: nil
        }
    }

    func key(at row: ScreenRow?) -> ObjectKey? {
        guard case .item(let indexPath) = row else { return nil }
        return list.item(at: indexPath)
    }

    /// The object under the cursor.
    package var cursorKey: ObjectKey? { key(at: cursorRow) }

    func title(ofSection section: Int) -> String {
        Self.displayTitle(list.backingModel.sectionName(at: section)?.title)
    }

    /// A section's title as it is shown: missing values `(none)`, the empty text `""`.
    static func displayTitle(_ title: String?) -> String {
        guard let title else { return "(none)" }
        return title.isEmpty ? "\"\"" : title
    }

    package mutating func resize(to size: Size) {
        self.size = size
        if indexBar == nil { focusedEntry = nil }
        settle()
    }

    /// The list is sorted or grouped in another way: the cursor stays on its object or header, folds stay by section name.
    package mutating func arrange(_ configuration: ListConfiguration) {
        let key = cursorKey
        let title = cursorSection.flatMap { list.backingModel.sectionName(at: $0)?.title }
        let offset = cursor - top
        dropFind()
        if phase == .loaded, let whole = filter == nil ? list : filter?.readWhole?.list { formerList = whole }
        lastMatches = nil
        awaited = []
        self.configuration = configuration
        focusedEntry = nil
        filter?.isWholeObsolete = true
        // Sections of another grouping.
        filter?.counts = nil
        generation += 1
        needsList = true
        awaitsList = true
        phase = .loading
        followed = nil
        // Of a list that has not come yet the folds that it was to have stay.
        pendingPlace = ListPlace(
            key: key, sectionTitle: key == nil ? title : nil, rowInSection: 0, offset: offset,
            exceptions: pendingPlace?.exceptions ?? [])
        // An answer that is on its way is of the former list and will not be taken: every row is asked for again.
        rows.markStale()
        refitColumns()
    }

    // MARK: Neighbours, for the detail above

    /// Moves the cursor to the object that stands so many places after (or before) another in the list, folds or no folds.
    package mutating func moveToNeighbour(of key: ObjectKey, by distance: Int) -> ObjectKey? {
        let found = list.backingModel.indexPath(ofObject: key).flatMap { objects.position(of: $0) }
        // Where an object was that is gone, the next one stands now: one step on leads to it.
        guard let position = found ?? positionAfterGone.map({ distance > 0 ? $0 - 1 : $0 }) else { return nil }
        let (target, overflow) = position.addingReportingOverflow(distance)
        guard !overflow, case .item(let found) = objects.row(at: target) else { return nil }
        moveCursor(toObjectAt: found)
        return list.backingModel.item(at: found)
    }

    /// Number, 0-based, of the object that stands where one was that is gone: the cursor has stayed on it, or on the header of the
    /// section of which it was the last. Nil while there is no list.
    private var positionAfterGone: Int? {
        guard phase == .loaded else { return nil }
        if let numberAfterGone { return numberAfterGone }
        switch cursorRow {
        case .item(let indexPath): return objects.position(of: indexPath)
        case .header(let section):
            guard let first = objects.position(of: IndexPath(section: section, row: 0)) else { return nil }
            return first + (list.numberOfBackingRows(inSection: section) ?? 0)
        case nil: return nil
        }
    }

    /// Unfolds the section of an object if need be and puts the cursor on it. O(sections).
    mutating func moveCursor(toObjectAt indexPath: IndexPath) {
        numberAfterGone = nil
        if list.isSectionCollapsed(indexPath.section) { setExpanded(indexPath.section, true) }
        if let position = list.position(of: indexPath) { moveCursor(to: position) }
    }
}
