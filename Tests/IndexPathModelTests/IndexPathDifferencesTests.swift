import IndexPathModel
import Testing

/// Updates of models of which it is known how they differ.
struct IndexPathDifferencesTests {
    typealias Model = IndexPathDataModel<Int, Int>
    typealias Collapsible = CollapsibleDataModel<Int, Int>
    typealias Plain = [(name: Int, items: [Int])]

    private static func model(_ sections: Plain) -> Model {
        Model(sections: sections.map { SectionInfo(name: .named("\($0.name)"), items: $0.items) })
    }

    /// Some items of some sections taken out, and put in anywhere, with others; sections come, go and move.
    private static func changed(
        _ old: Plain, _ random: inout SeededGenerator, fresh: inout Int
    ) -> (sections: Plain, removed: Set<Int>, inserted: Set<Int>) {
        var new = old
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for section in new.indices {
            let all = random.below(8) == 0
            for item in new[section].items where all || random.below(5) == 0 { removed.insert(item) }
            new[section].items.removeAll { removed.contains($0) }
        }
        var arriving = removed.sorted().filter { _ in random.below(3) > 0 }
        for _ in 0..<random.below(4) {
            fresh += 1
            arriving.append(fresh)
        }
        if random.below(3) == 0 {
            fresh += 1
            new.append((fresh, []))
        }
        for item in arriving where !new.isEmpty {
            let section = random.below(new.count)
            new[section].items.insert(item, at: random.below(new[section].items.count + 1))
            inserted.insert(item)
        }
        if random.below(2) == 0 { new.removeAll { $0.items.isEmpty } }
        if random.below(3) == 0, new.count > 1 { new.swapAt(0, random.below(new.count)) }
        return (new, removed, inserted)
    }

    private static func differences(
        _ old: Model, _ new: Model, _ removed: Set<Int>, _ inserted: Set<Int>
    ) -> IndexPathDifferences<Int, Int> {
        IndexPathDifferences(
            from: old, to: new, removed: ContiguousArray(old.items.indices.filter { removed.contains(old.items[$0]) }),
            inserted: ContiguousArray(new.items.indices.filter { inserted.contains(new.items[$0]) }))
    }

    @Test func theyAreExactForRandomModels() {
        var random = SeededGenerator(state: 5)
        for _ in 0..<20_000 {
            var fresh = 100
            var items = 0
            var old: Plain = []
            for name in 0..<random.below(4) {
                let count = random.below(6)
                old.append((name, Array(items..<(items + count))))
                items += count
            }
            let (sections, removed, inserted) = Self.changed(old, &random, fresh: &fresh)
            var folded: Set<SectionName> = []
            for section in old where random.below(4) == 0 { folded.insert(.named("\(section.name)")) }
            let before = Collapsible(backingModel: Self.model(old), collapsedSectionNames: folded)
            let backing = Self.model(sections)
            let after = before.replacingBackingModel(with: backing, startsOpen: random.below(2) == 0)
            let known = Self.differences(before.backingModel, backing, removed, inserted)
            let updates = IndexPathUpdates(from: before, to: after, differences: known, isEqual: nil)
            let plain = IndexPathUpdates(from: before, to: after)
            let applied = updates.apply(to: before)?.plainSections
            let isExact =
                applied == after.displayedModel.plainSections
                && updates.insertedItems.map(\.item) == plain.insertedItems.map(\.item)
                && updates.deletedItems.map(\.item) == plain.deletedItems.map(\.item)
                && updates.movedItems.count >= plain.movedItems.count
            #expect(isExact, "\(old) → \(sections), out \(removed), in \(inserted), folded \(folded)")
        }
    }

    /// What does not fit is not believed: all rows are compared.
    @Test func whatDoesNotFitIsNotUsed() {
        let old = Self.model([(0, [1, 2, 3]), (1, [4, 5])])
        let new = Self.model([(0, [1, 3]), (1, [5, 4, 6])])
        let plain = IndexPathUpdates(from: old, to: new)
        let wrong: [IndexPathDifferences<Int, Int>] = [
            IndexPathDifferences(from: old, to: new, removed: [], inserted: []),
            IndexPathDifferences(from: old, to: new, removed: [1], inserted: []),
            IndexPathDifferences(from: old, to: new, removed: [1, 1, 9], inserted: [4]),
            IndexPathDifferences(from: old, to: new, removed: [3, 1], inserted: [2, 4]),
            IndexPathDifferences(from: new, to: old, removed: [1, 3], inserted: [2, 4]),
            IndexPathDifferences(from: Self.model([(0, [1, 2, 3]), (1, [4, 5])]), to: new, removed: [1], inserted: [4]),
        ]
        for differences in wrong {
            let updates = IndexPathUpdates(from: old, to: new, differences: differences, isEqual: nil)
            #expect(updates.apply(to: old) == new)
            #expect(updates.movedItems.map(\.item) == plain.movedItems.map(\.item))
        }
    }

    @Test func aRowInItsOldPlaceIsModifiedAndNotMoved() {
        let old = Layout(sections: [Layout.Section(name: 0, items: (0..<4).map { Entry(id: $0) })])
        var new = old
        new.sections[0].items[2].version = 1
        let (before, after) = (old.model, new.model)
        let known = IndexPathDifferences(from: before, to: after, removed: [2], inserted: [2])
        let updates = IndexPathUpdates(from: before, to: after, differences: known, isEqual: { $0 == $1 })
        #expect(updates.movedItems.isEmpty && updates.deletedItems.isEmpty && updates.insertedItems.isEmpty)
        #expect(updates.modifiedItems.map(\.to) == [IndexPath(section: 0, row: 2)])
    }

    /// Few changes in a long list cost the same few operations on identifiers as in a short one, through the controllers.
    @Test(arguments: [100, 100_000]) func itCostsWhatDiffers(count: Int) {
        let counter = OperationCounter()
        func model(_ values: [Int]) -> IndexPathDataModel<CountedIdentifier, CountedIdentifier> {
            IndexPathDataModel(
                identifiers: ContiguousArray(values.map { CountedIdentifier(value: $0, counter: counter) }),
                sections: [(name: "all", indexTitle: nil, count: values.count)])
        }
        let old = model(Array(0..<count))
        var values = Array(0..<count)
        values.remove(at: 10)
        values.insert(10, at: 50)
        values.insert(-1, at: 60)
        let new = model(values)
        // One that a list shows already is taken as it is.
        _ = counter.take()
        let controller = IndexPathController<CountedIdentifier, CountedIdentifier>(
            dataModel: CollapsibleDataModel(backingModel: old, collapsedSectionNames: []), identifier: { $0 }, isEqual: nil)
        let folds = CollapsibleController(controller)
        folds.startsOpen = true
        var moved = 0
        var inserted = 0
        let observation = controller.observe { updates in
            moved += updates.movedItems.count
            inserted += updates.insertedItems.count
        }
        controller.fetchDidReturn(IndexPathDifferences(from: old, to: new, removed: [10], inserted: [50, 60]))
        withExtendedLifetime(observation) {}
        let operations = counter.take()
        #expect(moved == 1 && inserted == 1)
        #expect(operations.hashes < 20 && operations.comparisons < 20)
        #expect(folds.dataModel?.backingModel.numberOfItems == count + 1)
    }

    /// Differences of an update that waits are not taken for those of another.
    @Test func aWaitingUpdateGoesTheWholeWay() {
        let old = Self.model([(0, [1, 2, 3])])
        let middle = Self.model([(0, [1, 3])])
        let new = Self.model([(0, [3, 1, 4])])
        let controller = IndexPathController<Int, Int>(identifier: { $0 }, isEqual: nil)
        controller.dataModel = old
        var updates: [IndexPathUpdates<Int, Int>] = []
        let observation = controller.observe { updates.append($0) }
        controller.isPaused = true
        controller.fetchDidReturn(IndexPathDifferences(from: old, to: middle, removed: [1], inserted: []))
        controller.fetchDidReturn(IndexPathDifferences(from: middle, to: new, removed: [0], inserted: [1, 2]))
        controller.isPaused = false
        withExtendedLifetime(observation) {}
        #expect(updates.count == 1)
        #expect(updates.first?.apply(to: old) == new)
    }
}
