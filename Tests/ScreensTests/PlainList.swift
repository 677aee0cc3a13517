import IndexPathModel

/// What commands do to folds and cursor, written as plainly as can be: an array of all lines, made anew each time.
struct PlainList {
    var counts: [Int]
    var collapsed: [Bool]
    var hasSections: Bool
    var singleExpandedSection = false
    /// Rows of the window.
    var height: Int
    var cursor: ScreenRow?

    init(_ counts: [Int], hasSections: Bool, height: Int) {
        self.counts = counts
        self.hasSections = hasSections
        self.height = height
        collapsed = counts.map { _ in false }
        cursor = lines.first
    }

    /// Headers and rows from top to bottom.
    var lines: [ScreenRow] {
        counts.indices.flatMap { section in
            let rows =
                collapsed[section] ? [] : (0..<counts[section]).map { ScreenRow.item(IndexPath(section: section, row: $0)) }
            return hasSections ? [.header(section)] + rows : rows
        }
    }

    var place: Int { cursor.flatMap { lines.firstIndex(of: $0) } ?? 0 }
    var isSticky: Bool { hasSections && height >= 2 }
    var page: Int { max(1, height - (isSticky ? 2 : 1)) }

    mutating func move(to place: Int) {
        let lines = lines
        cursor = lines.isEmpty ? nil : lines[max(0, min(place, lines.count - 1))]
    }

    mutating func fold(_ section: Int) {
        collapsed[section] = true
        if cursor?.section == section { cursor = .header(section) }
    }

    mutating func unfold(_ section: Int) {
        guard collapsed[section] else { return }
        if singleExpandedSection { collapsed = collapsed.map { _ in true } }
        collapsed[section] = false
    }

    mutating func toggle() {
        guard hasSections else { return move(to: place + page) }
        switch cursor {
        case .header(let section): if collapsed[section] { unfold(section) } else { fold(section) }
        case .item(let path): fold(path.section)
        case nil: break
        }
    }

    mutating func left() {
        guard hasSections else { return }
        switch cursor {
        case .header(let section): fold(section)
        case .item(let path): cursor = .header(path.section)
        case nil: break
        }
    }

    mutating func previousSection() {
        guard hasSections, let cursor else { return move(to: 0) }
        if case .header(let section) = cursor { self.cursor = .header(max(0, section - 1)) } else { left() }
    }

    mutating func nextSection() {
        guard hasSections, let section = cursor?.section, section + 1 < counts.count else { return move(to: lines.count - 1) }
        cursor = .header(section + 1)
    }

    mutating func collapseAll() {
        guard hasSections else { return }
        for section in counts.indices { fold(section) }
    }

    mutating func expandAll() { if hasSections { collapsed = collapsed.map { _ in false } } }

    /// To the object of a number, the first is 1.
    mutating func goTo(_ number: Int) {
        let all = counts.indices.flatMap { section in (0..<counts[section]).map { IndexPath(section: section, row: $0) } }
        guard !all.isEmpty else { return }
        let path = all[max(0, min(number - 1, all.count - 1))]
        unfold(path.section)
        cursor = .item(path)
    }
}
