import Foundation
import IndexPathModel
import Testing

/// In a debug build a part of the pairs and histories, evenly chosen; all of them in a release build, or when asked.
enum Thoroughness {
    static var isFull: Bool {
        #if DEBUG
            ProcessInfo.processInfo.environment["TLBROWSE_EXHAUSTIVE"] != nil
        #else
            true
        #endif
    }
}

struct IndexPathUpdatesTests {
    /// All ways to write down `count` things of which some are old ones (`0..<oldCount`, each at most once) and the others new (from
    /// 100, numbered as they come): up to names, all new lists there are.
    static func allLists(of count: Int, old oldCount: Int) -> [[Int]] {
        var lists: [[Int]] = [[]]
        for _ in 0..<count {
            lists = lists.flatMap { list in
                let fresh = 100 + list.filter { $0 >= 100 }.count
                return ((0..<oldCount).filter { !list.contains($0) } + [fresh]).map { list + [$0] }
            }
        }
        return lists
    }

    /// All ways to part `count` rows into `sections` sections, as the sections' lengths.
    static func allLengths(of count: Int, sections: Int) -> [[Int]] {
        if sections == 0 { return count == 0 ? [[]] : [] }
        if sections == 1 { return [[count]] }
        return (0...count).flatMap { first in
            allLengths(of: count - first, sections: sections - 1).map { [first] + $0 }
        }
    }

    static func layout(names: [Int], lengths: [Int], ids: [Int], changed: (Int) -> Bool = { _ in false }) -> Layout {
        var rest = ids[...]
        return Layout(
            sections: zip(names, lengths).map { name, length in
                defer { rest = rest.dropFirst(length) }
                return Layout.Section(name: name, items: rest.prefix(length).map { Entry(id: $0, version: changed($0) ? 1 : 0) })
            })
    }

    /// All pairs of models with up to `sections` sections and `items` items, up to the names of sections and items. Each `stride`th.
    static func check(sections: Int, items: Int, stride: Int) -> (pairs: Int, faults: [String]) {
        var pairs = 0
        var faults: [String] = []
        var turn = 0
        for (oldSections, oldItems) in (0...sections).flatMap({ s in (0...items).map { (s, $0) } }) {
            for oldLengths in allLengths(of: oldItems, sections: oldSections) {
                let old = layout(names: Array(0..<oldSections), lengths: oldLengths, ids: Array(0..<oldItems))
                for (newSections, newItems) in (0...sections).flatMap({ s in (0...items).map { (s, $0) } }) {
                    let idLists = allLists(of: newItems, old: oldItems)
                    for newLengths in allLengths(of: newItems, sections: newSections) {
                        for names in allLists(of: newSections, old: oldSections) {
                            for ids in idLists {
                                turn += 1
                                guard turn % stride == 0 else { continue }
                                pairs += 1
                                // Half of the items come in a new version; which half depends on the pair.
                                let new = layout(names: names, lengths: newLengths, ids: ids) { ($0 + turn) % 2 == 0 }
                                if let fault = faultOfUpdates(from: old, to: new) {
                                    faults.append("\(old) → \(new): \(fault)")
                                }
                            }
                        }
                    }
                }
            }
        }
        return (pairs, faults)
    }

    @Test func allPairsOfModelsWithUpToThreeSectionsAndFourItems() {
        // 3,540,000 pairs or so; a debug build takes a part of them, evenly chosen.
        let all = Thoroughness.isFull
        let (pairs, faults) = Self.check(sections: 3, items: 4, stride: all ? 1 : 83)
        #expect(faults.isEmpty, "\(faults.count) of \(pairs): \(faults.prefix(5))")
    }

    @Test func allPairsOfModelsWithFewItems() {
        let (pairs, faults) = Self.check(sections: 2, items: 3, stride: 1)
        #expect(faults.isEmpty, "\(faults.count) of \(pairs): \(faults.prefix(5))")
        let (others, otherFaults) = Self.check(sections: 3, items: 1, stride: 1)
        #expect(otherFaults.isEmpty, "\(otherFaults.count) of \(others): \(otherFaults.prefix(5))")
    }

    /// One change such as a list sees while another program writes.
    static func mutate(_ layout: inout Layout, fresh: inout Int, _ random: inout SeededGenerator) {
        let sections = layout.sections.count
        fresh += 1
        guard sections > 0 else {
            layout.sections = [Layout.Section(name: fresh, items: [Entry(id: fresh)])]
            return
        }
        let section = random.below(sections)
        let rows = layout.sections[section].items.count
        switch random.below(9) {
        case 0: layout.sections.remove(at: section)
        case 1: layout.sections.insert(Layout.Section(name: fresh, items: []), at: section)
        case 2: layout.sections.insert(layout.sections.remove(at: section), at: random.below(sections))
        case 3: layout.sections[section].indexTitle = "\(fresh)"
        case 4 where rows > 0: layout.sections[section].items.remove(at: random.below(rows))
        case 5 where rows > 0: layout.sections[section].items[random.below(rows)].version += 1
        case 6 where rows > 0:
            let moved = layout.sections[section].items.remove(at: random.below(rows))
            let to = random.below(sections)
            layout.sections[to].items.insert(moved, at: random.below(layout.sections[to].items.count + 1))
        case 7: layout.sections[section].items.sort { $0.id &* 7 % 11 < $1.id &* 7 % 11 }
        default: layout.sections[section].items.insert(Entry(id: fresh), at: random.below(rows + 1))
        }
    }

    @Test(arguments: 0..<4) func mutationHistories(part: Int) {
        // 100,000 histories in all; a debug build takes 10,000 of them.
        let all = Thoroughness.isFull
        for seed in 0..<(all ? 25_000 : 2_500) {
            var random = SeededGenerator(state: UInt64(seed * 4 + part))
            var fresh = 0
            var layout = Layout(sections: [])
            for _ in 0..<random.below(12) { Self.mutate(&layout, fresh: &fresh, &random) }
            for step in 0..<(1 + random.below(3)) {
                let before = layout
                for _ in 0...random.below(6) { Self.mutate(&layout, fresh: &fresh, &random) }
                if let fault = faultOfUpdates(from: before, to: layout) {
                    Issue.record("history \(part), \(seed), step \(step): \(before) → \(layout): \(fault)")
                    return
                }
            }
        }
    }
}
