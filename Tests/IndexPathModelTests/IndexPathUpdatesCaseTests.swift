import IndexPathModel
import Testing

/// Single cases of updates: known defects of TLIndexPathTools, names and identifiers that are there twice, what it costs.
struct IndexPathUpdatesCaseTests {
    typealias Updates = IndexPathUpdates<Int, Int>
    typealias Model = IndexPathDataModel<Int, Int>

    static func model(_ sections: [(SectionName, [Int])]) -> Model {
        Model(sections: sections.map { SectionInfo(name: $0.0, items: $0.1) })
    }

    @Test func aMoveFromADeletedIntoAnInsertedSectionIsToldOnce() {
        let old = Self.model([("A", [1, 2]), ("B", [3])])
        let new = Self.model([("B", [3]), ("C", [2, 4])])
        let updates = Updates(from: old, to: new)
        #expect(updates.deletedSections.map(\.section) == [0] && updates.insertedSections.map(\.section) == [1])
        #expect(updates.movedItems.map(\.from) == [IndexPath(section: 0, row: 1)])
        #expect(updates.movedItems.map(\.to) == [IndexPath(section: 1, row: 0)])
        #expect(updates.deletedItems.isEmpty && updates.insertedItems.isEmpty && updates.movedSections.isEmpty)
        let view = updates.viewUpdates()
        #expect(view.movedRows.isEmpty && view.deletedRows.isEmpty && view.insertedRows.isEmpty)
        #expect(updates.apply(to: old) == new)
    }

    @Test func aMoveOutOfADeletedSectionIsAnInsertionForAViewAndIntoAnInsertedOneADeletion() {
        let old = Self.model([("A", [1]), ("B", [2, 3])])
        let new = Self.model([("B", [1, 2]), ("C", [3])])
        let updates = Updates(from: old, to: new)
        #expect(updates.movedItems.count == 2)
        let view = updates.viewUpdates()
        #expect(view.insertedRows == [IndexPath(section: 0, row: 0)])
        #expect(view.deletedRows == [IndexPath(section: 1, row: 1)])
        #expect(view.movedRows.isEmpty)
        #expect(updates.apply(to: old) == new)
    }

    @Test func onlyVisibleModifiedRowsAreReloaded() {
        let old = Layout(sections: [Layout.Section(name: 0, items: (0..<4).map { Entry(id: $0) })])
        var new = old
        new.sections[0].items[1].version = 1
        new.sections[0].items[3].version = 1
        let updates = IndexPathUpdates(from: old.model, to: new.model)
        #expect(updates.modifiedItems.map(\.to.row) == [1, 3])
        #expect(updates.modifiedItems.map(\.oldItem.version) == [0, 0] && updates.modifiedItems.map(\.item.version) == [1, 1])
        #expect(updates.viewUpdates { $0.row < 2 }.reloadedRows == [IndexPath(section: 0, row: 1)])
        let blind = IndexPathUpdates(from: old.model, to: new.model, isEqual: nil)
        #expect(!blind.hasChanges)
    }

    @Test func sectionsOfOneNameAndRowsOfOneIdentifierAreExactToo() {
        var random = SeededGenerator(state: 3)
        for _ in 0..<2_000 {
            var models: [Model] = []
            for _ in 0..<2 {
                models.append(
                    Self.model(
                        (0..<random.below(5)).map { _ in
                            (["A", "B", .unnamed][random.below(3)], (0..<random.below(4)).map { _ in random.below(4) })
                        }))
            }
            let updates = Updates(from: models[0], to: models[1])
            #expect(updates.apply(to: models[0]) == models[1], "\(models[0].plainSections) → \(models[1].plainSections)")
        }
    }

    @Test func foldsAndOutlinesAreComparedByWhatTheyShow() {
        let backing = Self.model([("A", [1, 2]), ("B", [3]), ("C", [])])
        var models: [CollapsibleDataModel<Int, Int>] = [CollapsibleDataModel(backingModel: Model(items: []))]
        for bits in allSequences(of: 3, below: 2) {
            let names = Set(zip(["A", "B", "C"] as [SectionName], bits).filter { $0.1 == 1 }.map(\.0))
            models.append(CollapsibleDataModel(backingModel: backing, expandedSectionNames: names))
        }
        for old in models {
            for new in models {
                let updates = Updates(from: old, to: new)
                #expect(updates.apply(to: old) == new.displayedModel)
                #expect(updates.apply(to: old)?.numberOfSections == new.numberOfSections)
                #expect(updates.hasChanges == (old.displayedModel != new.displayedModel))
            }
        }
    }

    @Test func updatesThatDoNotFitAreRefused() {
        let old = Self.model([("A", [1, 2, 3]), ("B", [4])])
        let updates = Updates(from: old, to: Self.model([("B", [4, 3]), ("A", [2])]))
        #expect(updates.apply(to: Self.model([("A", [1, 2])])) == nil)
        #expect(updates.apply(to: Self.model([("X", [1, 2, 3]), ("Y", [4])])) == nil)
        #expect(updates.apply(to: Self.model([])) == nil)
        #expect(updates.apply(to: old) != nil)
    }

    @Test func aSmallChangeInALongListHashesOnlyWhatLiesBetween() {
        let counter = OperationCounter()
        let count = 10_000
        var identifiers = ContiguousArray((0..<count).map { CountedIdentifier(value: $0, counter: counter) })
        let old = IndexPathDataModel(identifiers: identifiers, sections: [("A", nil, count)])
        identifiers.insert(CountedIdentifier(value: -1, counter: counter), at: 4_000)
        identifiers.remove(at: 6_000)
        identifiers[5_000] = CountedIdentifier(value: -2, counter: counter)
        let new = IndexPathDataModel(identifiers: identifiers, sections: [("A", nil, count)])
        _ = counter.take()
        let updates = IndexPathUpdates(from: old, to: new)
        #expect(updates.insertedItems.count == 2 && updates.deletedItems.count == 2 && updates.movedItems.isEmpty)
        let operations = counter.take()
        #expect(operations.hashes <= 2 * 2_001)
        #expect(operations.comparisons < count + 2_500)

        let folded = CollapsibleDataModel(backingModel: old, collapsedSectionNames: [])
        _ = IndexPathUpdates(from: folded, to: folded.expandingAllSections())
        #expect(counter.take() == (0, 0))
    }

    @Test func aRowThatGoesToTheEndIsOneMove() {
        let old = Self.model([("A", Array(0..<100))])
        let new = Self.model([("A", Array(1..<100) + [0])])
        #expect(Updates(from: old, to: new).movedItems.map(\.from.row) == [0])
        #expect(Updates(from: new, to: old).movedItems.map(\.to.row) == [0])
    }
}
