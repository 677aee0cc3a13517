/// Text as the terminal may see it (SPEC section 7): printable, measured in cells, cut and wrapped between grapheme clusters.
///
/// Every function takes text as it comes from the data and looks at no more of it than the answer needs. What they return
/// has the same width, and does not change if it is given to them again.
///
/// Stand-ins: C0 controls and DEL are shown by their control pictures (a tab is `␉`, ESC `␛`, a line feed `␊` where it does
/// not break the line); C1 controls, non-characters and what the C library cannot print by `�`; characters that nobody sees
/// (bidirectional marks, overrides and isolates, zero-width ones, tags, fillers, line and paragraph separators) by `␦`. A mark
/// without a base stands on `◌`. Joiners, variation selectors and tags stay where a script or an emoji has use for them;
/// a terminal does not get them even there.
package enum DisplayText {
    package static let ellipsis = "…"

    /// Longest cluster in bytes of UTF-8: a longer one (a million combining marks) counts as several, so that showing one
    /// cell never walks a text of megabytes.
    static let maximumClusterBytes = 192

    /// The text with a visible stand-in for all that a terminal would obey or hide. Flags and emoji families stay whole.
    ///
    /// - Parameter keepsLineFeeds: LF and CR LF come out as LF; otherwise as stand-ins.
    /// - Complexity: O(n) in the text's bytes; printable ASCII is returned as it is.
    package static func printable(_ text: String, keepsLineFeeds: Bool = false) -> String {
        if isPlain(text) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        forEachUnit(in: text) { unit, _ in
            switch unit {
            case .ascii(let byte):
                if byte == 0x0A, keepsLineFeeds { result.append("\n") } else { result.unicodeScalars.append(shown(ascii: byte)) }
            case .lineEnd:
                result.append(keepsLineFeeds ? "\n" : "␍␊")
            case .character(let character):
                appendWhole(character, to: &result)
            }
            return true
        }
        return result
    }

    /// How many cells the text takes in one line.
    ///
    /// - Parameter limit: stops counting there; the result is then `limit` or a little more.
    /// - Complexity: O(n) in the bytes looked at.
    package static func width(of text: String, limit: Int = .max) -> Int {
        var width = 0
        forEachCluster(in: text) { cluster, _ in
            width += cluster.width
            return width < limit
        }
        return width
    }

    /// The text if it fits, else as much of it as fits before a `…`.
    package static func truncate(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        var cut = Cut(columns: columns)
        forEachCluster(in: text) { cluster, _ in cut.take(cluster) }
        return cut.finished
    }

    /// The text if it fits, else a `…` and as much of its end as fits.
    ///
    /// - Complexity: O(`columns`) clusters, counted from the end.
    package static func truncateStart(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        if width(of: text, limit: columns + 1) <= columns { return truncate(text, to: columns) }
        var clusters: [DisplayCluster] = []
        var width = 0
        // A bounded tail of the text is enough; its first cluster may have lost its beginning and is left out.
        let tail = suffix(of: text, bytes: (columns + 2) * maximumClusterBytes)
        forEachCluster(in: tail) { cluster, _ in
            clusters.append(cluster)
            width += cluster.width
            return true
        }
        var dropped = 0
        while dropped < clusters.count, width > columns - 1 {
            width -= clusters[dropped].width
            dropped += 1
        }
        return ellipsis + clusters[dropped...].map(\.text).joined()
    }

    /// The beginning of the text that fits, with its width; no `…`.
    package static func firstCells(of text: String, columns: Int) -> (text: String, width: Int) {
        var result = ""
        var width = 0
        forEachCluster(in: text) { cluster, _ in
            guard width + cluster.width <= columns else { return false }
            result += cluster.text
            width += cluster.width
            return width < columns
        }
        return (result, width)
    }

    /// Where a part of the text (a hit of a search) stands when the text is written in one line, in cells from its start.
    ///
    /// - Parameter limit: looks no further than this many cells.
    package static func cells(of part: Range<String.Index>, in text: String, limit: Int = .max) -> Range<Int> {
        let bytes =
            text.utf8.distance(
                from: text.startIndex, to: part.lowerBound)..<text.utf8.distance(from: text.startIndex, to: part.upperBound)
        var column = 0
        var start: Int?
        var end = 0
        forEachCluster(in: text) { cluster, range in
            if range.lowerBound >= bytes.upperBound { return false }
            if range.upperBound > bytes.lowerBound {
                if start == nil { start = column }
                end = column + cluster.width
            }
            column += cluster.width
            return column < limit
        }
        guard let start else { return 0..<0 }
        return start..<max(start, end)
    }
}

/// A text being cut to a number of cells.
private struct Cut {
    let columns: Int
    private var text = ""
    private var width = 0
    /// A cluster that fills the last cell, held back until it is known that nothing follows.
    private var last: String?
    private var overflows = false

    init(columns: Int) { self.columns = columns }

    /// - Returns: whether more is wanted.
    mutating func take(_ cluster: DisplayCluster) -> Bool {
        guard last == nil, width + cluster.width <= columns else {
            overflows = true
            return false
        }
        if width + cluster.width == columns {
            last = cluster.text
        } else {
            text += cluster.text
            width += cluster.width
        }
        return true
    }

    var finished: String { text + (overflows ? DisplayText.ellipsis : last ?? "") }
}
