import IndexPathModel

/// An item with an identity and a version.
struct Entry: Hashable, Sendable {
    var id: Int
    var version = 0
}

/// A model written down: sections by number, with their rows.
struct Layout: Equatable, CustomStringConvertible {
    struct Section: Equatable {
        var name: Int
        var items: [Entry]
        var indexTitle: String?
    }

    var sections: [Section]

    var model: IndexPathDataModel<Entry, Int> {
        IndexPathDataModel(
            sections: sections.map { section in
                SectionInfo(name: SectionName("\(section.name)"), indexTitle: section.indexTitle, items: section.items)
            }, identifier: { $0.id })
    }

    var description: String {
        sections.map { section in
            "\(section.name):" + section.items.map { "\($0.id)" + ($0.version > 0 ? "'" : "") }.joined(separator: ",")
        }.joined(separator: " ")
    }
}

/// What is wrong with the updates between two layouts; nil if nothing is. As plain as it can be written, and it trusts nothing that
/// the library says about itself.
func faultOfUpdates(from old: Layout, to new: Layout) -> String? {
    let (oldModel, newModel) = (old.model, new.model)
    let updates = IndexPathUpdates(from: oldModel, to: newModel)
    guard updates.apply(to: oldModel) == newModel else { return "applied, they do not give the new model" }
    guard updates.hasChanges == (oldModel != newModel) else { return "hasChanges is wrong" }
    // An empty layout is the model with one section without name.
    guard !old.sections.isEmpty, !new.sections.isEmpty else { return nil }
    if let fault = faultOfView(updates.viewUpdates(), from: old, to: new) { return fault }

    let oldNames = old.sections.map(\.name)
    let newNames = new.sections.map(\.name)
    guard updates.deletedSections.map(\.section) == oldNames.indices.filter({ !newNames.contains(oldNames[$0]) }) else {
        return "deleted sections"
    }
    guard updates.insertedSections.map(\.section) == newNames.indices.filter({ !oldNames.contains(newNames[$0]) }) else {
        return "inserted sections"
    }
    let common = newNames.filter { oldNames.contains($0) }
    guard updates.movedSections.count == common.count - longestCommon(oldNames, newNames) else { return "moved sections" }

    var places: [Int: IndexPath] = [:]
    for (section, rows) in old.sections.enumerated() {
        for (row, entry) in rows.items.enumerated() { places[entry.id] = IndexPath(section: section, row: row) }
    }
    var inserted: [IndexPath] = []
    var modified: [IndexPath] = []
    var fewestMoves = 0
    for (section, rows) in new.sections.enumerated() {
        let oldSection = oldNames.firstIndex(of: rows.name)
        var staying: [Int] = []
        for (row, entry) in rows.items.enumerated() {
            if let from = places.removeValue(forKey: entry.id) {
                if from.section == oldSection { staying.append(from.row) } else { fewestMoves += 1 }
                if old.sections[from.section].items[from.row] != entry { modified.append(IndexPath(section: section, row: row)) }
            } else if oldSection != nil {
                inserted.append(IndexPath(section: section, row: row))
            }
        }
        fewestMoves += staying.count - longestCommon(staying, staying.sorted())
    }
    guard updates.insertedItems.map(\.indexPath) == inserted else { return "inserted rows" }
    guard updates.deletedItems.map(\.indexPath) == places.values.filter({ newNames.contains(oldNames[$0.section]) }).sorted()
    else { return "deleted rows" }
    guard updates.movedItems.count == fewestMoves else { return "\(updates.movedItems.count) moves, not \(fewestMoves)" }
    guard updates.modifiedItems.map(\.to) == modified else { return "modified rows" }
    return nil
}

/// The length of a longest common subsequence.
func longestCommon(_ left: [Int], _ right: [Int]) -> Int {
    if left == right { return left.count }
    var above = [Int](repeating: 0, count: right.count + 1)
    for element in left {
        var diagonal = 0
        for (column, other) in right.enumerated() {
            let old = above[column + 1]
            above[column + 1] = element == other ? diagonal + 1 : max(old, above[column])
            diagonal = old
        }
    }
    return above[right.count]
}

/// What goes wrong when a strict table view takes the updates; nil if it shows the new layout in the end.
///
/// As strict as UIKit's: everything deleted or moved must be there and be named once, nothing may be done to the rows of a section
/// that is deleted or inserted, and each place after the batch must be filled once.
func faultOfView(_ updates: ViewUpdates, from old: Layout, to new: Layout) -> String? {
    var leaving = Set(updates.deletedRows)
    guard leaving.count == updates.deletedRows.count else { return "view: a row deleted twice" }
    for move in updates.movedRows where !leaving.insert(move.from).inserted { return "view: a row taken away twice" }
    let goneSections = Set(updates.deletedSections + updates.movedSections.map(\.from))
    guard goneSections.count == updates.deletedSections.count + updates.movedSections.count else {
        return "view: a section taken away twice"
    }
    var left = old.sections
    for path in leaving.sorted(by: >) {
        guard left.indices.contains(path.section), left[path.section].items.indices.contains(path.row),
            !updates.deletedSections.contains(path.section)
        else { return "view: no row to take away at \(path)" }
        left[path.section].items.remove(at: path.row)
    }
    var shown: [Layout.Section?] = Array(
        repeating: nil, count: old.sections.count - updates.deletedSections.count + updates.insertedSections.count)
    for section in updates.insertedSections {
        guard shown.indices.contains(section), shown[section] == nil else { return "view: no place for section \(section)" }
        shown[section] = new.sections[section]
    }
    for move in updates.movedSections {
        guard shown.indices.contains(move.to), shown[move.to] == nil else { return "view: no place for section \(move.to)" }
        shown[move.to] = left[move.from]
    }
    var staying = left.indices.filter { !goneSections.contains($0) }.map { left[$0] }[...]
    for section in shown.indices where shown[section] == nil { shown[section] = staying.popFirst() }
    guard staying.isEmpty, var sections = Optional(shown.compactMap { $0 }), sections.count == shown.count else {
        return "view: sections left over"
    }
    var coming: [(to: IndexPath, item: Entry)] = updates.movedRows.map { move in
        (move.to, old.sections[move.from.section].items[move.from.row])
    }
    for path in updates.insertedRows {
        guard new.sections.indices.contains(path.section), new.sections[path.section].items.indices.contains(path.row) else {
            return "view: nothing to insert at \(path)"
        }
        coming.append((path, new.sections[path.section].items[path.row]))
    }
    for (path, item) in coming.sorted(by: { $0.to < $1.to }) {
        guard sections.indices.contains(path.section), path.row <= sections[path.section].items.count,
            !updates.insertedSections.contains(path.section)
        else { return "view: no place for a row at \(path)" }
        sections[path.section].items.insert(item, at: path.row)
    }
    for path in updates.reloadedRows {
        guard new.sections.indices.contains(path.section), new.sections[path.section].items.indices.contains(path.row) else {
            return "view: nothing to reload at \(path)"
        }
        guard sections[path.section].items[path.row].id == new.sections[path.section].items[path.row].id else {
            return "view: another row at \(path)"
        }
        sections[path.section].items[path.row] = new.sections[path.section].items[path.row]
    }
    for section in sections.indices { sections[section].indexTitle = new.sections[section].indexTitle }
    return sections == new.sections ? nil : "view: shows \(Layout(sections: sections))"
}
