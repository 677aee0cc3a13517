import Fetching
import Foundation
import Presentation
import PropertyLists
import TerminalUI

// Finding: the cursor goes to the next row that holds the words.
extension ViewerScreen {
    /// Where the reader was when a search began, which Esc brings back.
    struct Origin: Sendable {
        var cursor = 0
        var top = 0
        var outline: OutlineRows?
    }

    mutating func beginFind() {
        prompt = Prompt(.find)
        origin = Origin(cursor: cursor, top: top, outline: outline)
    }

    mutating func returnToOrigin() {
        cursor = origin.cursor
        top = origin.top
        // Rows that came in meanwhile stay.
        if origin.outline != nil { outline = origin.outline }
    }

    /// The text of a row, for copying and finding.
    func text(ofRow row: Int) -> String? {
        guard row >= 0, row < rowCount, let content else { return nil }
        switch mode {
        case .outline:
            guard let shown = outline?.rows[row], shown.omitted == 0 else { return nil }
            return Self.text(of: shown.node)
        case .text: return lines[row]
        case .bytes:
            return content.bytes.dropFirst(row * bytesPerRow).prefix(bytesPerRow)
                .map { Self.hexadecimal(Int($0), digits: 2) }.joined(separator: " ")
        }
    }

    private static func text(of node: OutlineNode) -> String {
        [node.label, node.summary].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Goes to the first hit at or after where the search began.
    mutating func find(_ text: String) -> [Effect] {
        let query = SearchQuery(text)
        self.query = query.isEmpty ? nil : query
        returnToOrigin()
        guard self.query != nil else { return [] }
        return move(toHitFrom: cursor, includesStart: true, forward: true)
    }

    mutating func moveToHit(forward: Bool) -> [Effect] {
        guard query != nil else { return [.message("nothing was searched for yet (/)")] }
        return move(toHitFrom: cursor, includesStart: false, forward: forward)
    }

    /// Looks at every row once, from a place on and round the end; in an outline at what is folded away, too.
    private mutating func move(toHitFrom start: Int, includesStart: Bool, forward: Bool) -> [Effect] {
        guard let query, rowCount > 0 else { return [] }
        switch mode {
        case .bytes: return move(toBytesFrom: start, includesStart: includesStart, forward: forward, query.text)
        case .outline:
            let found = outline?.moveToHit(from: start, includesStart: includesStart, forward: forward) {
                query.matches(Self.text(of: $0))
            }
            if let found {
                cursor = found
                return []
            }
        case .text:
            for step in (includesStart ? 0 : 1)...rowCount {
                let row = ((start + (forward ? step : -step)) % rowCount + rowCount) % rowCount
                guard query.matches(lines[row]) else { continue }
                cursor = row
                return []
            }
        }
        return [.message("no match for “\(query.text)”")]
    }

    /// To the row where the next such bytes begin.
    private mutating func move(toBytesFrom start: Int, includesStart: Bool, forward: Bool, _ text: String) -> [Effect] {
        guard let bytes = content?.bytes else { return [] }
        let wanted = Data(text.utf8)
        func place(_ row: Int) -> Data.Index { bytes.startIndex + max(0, min(row * bytesPerRow, bytes.count)) }
        let found: Range<Data.Index>?
        if forward {
            found =
                bytes.range(of: wanted, in: place(includesStart ? start : start + 1)..<bytes.endIndex) ?? bytes.range(of: wanted)
        } else {
            // What begins in a row above may end in the cursor's.
            let end = min(place(start) + max(0, wanted.count - 1), bytes.endIndex)
            found =
                bytes.range(of: wanted, options: .backwards, in: bytes.startIndex..<end)
                ?? bytes.range(of: wanted, options: .backwards)
        }
        guard let found else { return [.message("no such bytes")] }
        cursor = (found.lowerBound - bytes.startIndex) / bytesPerRow
        return []
    }
}
