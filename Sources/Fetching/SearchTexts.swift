import Dispatch
internal import CMemorySearch
import Foundation
import IndexPathModel
package import ObjectStore
import Synchronization

/// The texts of a list's rows, folded for searching, one after the other in one stretch of bytes.
///
/// Made in one pass over the store; holds the folded bytes and eight bytes an object.
package final class SearchTexts: Sendable {
    /// Parts the texts of one row: a hit never spans two.
    private static let separator: UInt8 = 1
    /// So much of one text is searched, in bytes.
    private static let longestText = 1 << 16

    private let bytes: [UInt8]
    /// Where each row begins in `bytes`, and at last where they end.
    private let starts: ContiguousArray<Int>
    /// For each row its place in the list.
    private let positions: ContiguousArray<UInt32>
    private let model: ListContents.Model

    /// - Complexity: O(bytes of text + objects).
    package init(
        store: any ObjectStore, request: FetchRequest, keyPaths: [ObjectKeyPath], model: ListContents.Model,
        progress: FetchProgress
    ) throws(StoreError) {
        let order = CollapsibleDataModel(backingModel: model, collapsedSectionNames: [], showsHeaders: false)
        var bytes: [UInt8] = []
        var starts: ContiguousArray<Int> = []
        var positions: ContiguousArray<UInt32> = []
        var current: ObjectKey?
        var isListed = false
        progress.expect(model.numberOfItems)
        try store.scanTexts(at: keyPaths, of: request, progress: progress) { key, text in
            if key != current {
                current = key
                // What came into the store after the list is not in it.
                let position = model.indexPath(forIdentifier: key).flatMap { order.position(of: $0) }
                isListed = position.map { $0 <= Int(UInt32.max) } ?? false
                if isListed, let position {
                    starts.append(bytes.count)
                    positions.append(UInt32(truncatingIfNeeded: position))
                    if positions.count % 4096 == 0 { progress.report(positions.count) }
                }
            }
            guard isListed else { return }
            SearchFolding.append(UnsafeRawBufferPointer(rebasing: text.prefix(Self.longestText)), to: &bytes)
            bytes.append(Self.separator)
        }
        starts.append(bytes.count)
        self.bytes = bytes
        self.starts = starts
        self.positions = positions
        self.model = model
    }

    /// The rows that hold all words of a query, in the list's order. O(bytes of text) by both cores, and O(objects / 64).
    package func matches(_ query: SearchQuery, alphabetical: Bool?, progress: FetchProgress) throws(StoreError) -> ListMatches {
        let rows = positions.count
        let parts = rows > 20_000 ? 4 : 1
        let found = Mutex<[ContiguousArray<UInt32>]>(Array(repeating: [], count: parts))
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let hits = hits(of: query, in: (rows * part / parts)..<(rows * (part + 1) / parts), progress)
            found.withLock { $0[part] = hits }
        }
        if progress.isCancelled { throw StoreError(file: "", cause: .cancelled) }
        var bits = ContiguousArray<UInt64>(repeating: 0, count: (model.numberOfItems + 63) / 64)
        for part in found.withLock({ $0 }) {
            for position in part where Int(position) / 64 < bits.count { bits[Int(position) / 64] |= 1 << UInt64(position % 64) }
        }
        return ListMatches(query: query, bits: bits, of: model, alphabetical: alphabetical)
    }

    private func hits(of query: SearchQuery, in rows: Range<Int>, _ progress: FetchProgress) -> ContiguousArray<UInt32> {
        var hits: ContiguousArray<UInt32> = []
        // The longest word is the rarest, as a rule: it finds the candidates, the others are looked for in those alone.
        guard let rarest = query.words.max(by: { $0.count < $1.count }), !rows.isEmpty else { return hits }
        let others = query.words.filter { $0 != rarest }
        bytes.withUnsafeBytes { text in
            guard let base = text.baseAddress else { return }
            func find(_ word: [UInt8], from: Int, to: Int) -> Int? {
                word.withUnsafeBytes { word in
                    guard let start = word.baseAddress, let found = cmemory_find(base + from, to - from, start, word.count) else {
                        return nil
                    }
                    return found - base
                }
            }
            var row = rows.lowerBound
            var from = starts[row]
            let end = starts[rows.upperBound]
            while from < end, !progress.isCancelled, let hit = find(rarest, from: from, to: end) {
                row = self.row(at: hit, from: row, below: rows.upperBound)
                let next = starts[row + 1]
                if others.allSatisfy({ find($0, from: starts[row], to: next) != nil }) { hits.append(positions[row]) }
                from = next
                row += 1
            }
        }
        return hits
    }

    /// The row that holds a byte: a few steps on from the last hit's, else by halves.
    private func row(at byte: Int, from first: Int, below end: Int) -> Int {
        var low = first
        var step = 1
        while low + step < end, starts[low + step] <= byte {
            low += step
            step *= 2
        }
        var high = min(low + step, end)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= byte { low = middle } else { high = middle }
        }
        return low
    }
}

/// The rows of a list that a search found, as a list of their own.
package struct ListMatches: Sendable {
    package let query: SearchQuery
    /// The hits in the sections of the whole list; sections without a hit are left out.
    package let contents: ListContents
    /// Places of the hits in the whole list, ascending.
    package let positions: ContiguousArray<UInt32>

    init(query: SearchQuery, bits: ContiguousArray<UInt64>, of model: ListContents.Model, alphabetical: Bool?) {
        self.query = query
        let items = model.items
        var positions: ContiguousArray<UInt32> = []
        var keys: ContiguousArray<ObjectKey> = []
        for (place, var word) in bits.enumerated() where word != 0 {
            while word != 0 {
                let position = place * 64 + word.trailingZeroBitCount
                word &= word - 1
                guard position < items.count else { break }
                positions.append(UInt32(truncatingIfNeeded: position))
                keys.append(items[position])
            }
        }
        self.positions = positions
        var sections: [(name: SectionName, indexTitle: String?, count: Int)] = []
        var end = 0
        var taken = 0
        for section in 0..<model.numberOfSections {
            end += model.numberOfRows(inSection: section) ?? 0
            var count = 0
            while taken < positions.count, Int(positions[taken]) < end {
                count += 1
                taken += 1
            }
            guard count > 0, let name = model.sectionName(at: section) else { continue }
            sections.append((name: name, indexTitle: nil, count: count))
        }
        contents = ListContents(
            model: ListContents.Model(identifiers: keys, sections: sections),
            index: alphabetical.map { SectionIndex(titles: sections.map(\.name.title), alphabetical: $0) })
    }
}
