import IndexPathModel
import Testing

/// Writes down what a controller tells, and replaces models if asked to.
final class Listener: IndexPathControllerDelegate {
    typealias Item = Note
    typealias Identifier = Int

    var events: [String] = []
    var updates: [IndexPathUpdates<Note, Int>] = []
    var replacement: ((any SectionedDataModel<Note, Int>) -> (any SectionedDataModel<Note, Int>)?)?
    var onUpdate: (() -> Void)?

    static func text(_ model: any SectionedDataModel<Note, Int>) -> String {
        model.displayedModel.items.map { "\($0.id ?? -1)" + $0.text }.joined(separator: ",")
    }

    func controller(
        _ controller: IndexPathController<Note, Int>, willUpdate oldModel: any SectionedDataModel<Note, Int>,
        with newModel: any SectionedDataModel<Note, Int>
    ) -> (any SectionedDataModel<Note, Int>)? {
        events.append("will \(Self.text(oldModel))→\(Self.text(newModel))")
        return replacement?(newModel)
    }

    func controller(_ controller: IndexPathController<Note, Int>, didUpdate updates: IndexPathUpdates<Note, Int>) {
        events.append("did \(Self.text(updates.oldModel))→\(Self.text(updates.newModel))")
        self.updates.append(updates)
        #expect(updates.apply(to: updates.oldModel) == updates.newModel.displayedModel)
        #expect(controller.announcedDataModel.displayedModel == updates.newModel.displayedModel)
        let next = onUpdate
        onUpdate = nil
        next?()
    }

    func take() -> [String] {
        defer { events = [] }
        return events
    }
}

struct IndexPathControllerTests {
    let controller = IndexPathController<Note, Int>(sectionName: { $0.section }, identifier: { $0.id })
    let listener = Listener()

    init() { controller.delegate = listener }

    static func notes(_ ids: Int...) -> [Note] { ids.map { Note(id: $0) } }

    @Test func itemsModelsAndFetchesGoOneRoad() {
        controller.items = Self.notes(1, 2)
        #expect(listener.take() == ["will →1,2", "did →1,2"])
        controller.dataModel = IndexPathDataModel(items: Self.notes(2), identifier: { $0.id })
        #expect(listener.take() == ["will 1,2→2", "did 1,2→2"])
        controller.fetchDidReturn(items: Self.notes(3))
        #expect(listener.take() == ["will 2→3", "did 2→3"])
        controller.fetchDidReturn(model: IndexPathDataModel(items: Self.notes(4), identifier: { $0.id }))
        #expect(listener.take() == ["will 3→4", "did 3→4"])
        controller.items = [Note(id: 4, text: "!")]
        #expect(listener.take() == ["will 4→4!", "did 4→4!"])
        #expect(listener.updates.last?.modifiedItems.count == 1)
        controller.items = controller.items
        #expect(listener.take() == ["will 4!→4!", "did 4!→4!"])
        #expect(listener.updates.last?.hasChanges == false)
    }

    @Test func theDelegateMayReplaceTheModel() {
        listener.replacement = { new in
            new.numberOfItems > 0
                ? nil
                : IndexPathDataModel.emptyResult(
                    blankRows: 2, blank: { Note(id: -2 - $0) }, noResults: Note(id: -1, text: "none"), identifier: { $0.id })
        }
        controller.items = []
        #expect(listener.take() == ["will →", "did →-2,-3,-1none"])
        #expect(controller.items.map(\.id) == [-2, -3, -1])
        controller.items = Self.notes(1)
        #expect(listener.take() == ["will -2,-3,-1none→1", "did -2,-3,-1none→1"])
        let negative = IndexPathDataModel.emptyResult(
            blankRows: -3, blank: { Note(id: $0) }, noResults: Note(id: -1), identifier: { $0.id })
        #expect(negative.numberOfItems == 1)
    }

    @Test func aBatchIsOneUpdateFromTheModelBeforeIt() throws {
        controller.items = Self.notes(1)
        _ = listener.take()
        controller.performBatchUpdates {
            controller.items.append(Note(id: 2))
            controller.performBatchUpdates { controller.items.append(Note(id: 3)) }
            controller.items.removeFirst()
            #expect(listener.events.isEmpty)
            #expect(controller.items.map(\.id) == [2, 3])
            #expect(controller.announcedDataModel.numberOfItems == 1)
        }
        #expect(listener.take() == ["will 1→2,3", "did 1→2,3"])
        controller.performBatchUpdates {}
        #expect(listener.take().isEmpty)
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try controller.performBatchUpdates {
                controller.items = Self.notes(9)
                throw Failure()
            }
        }
        #expect(listener.take() == ["will 2,3→9", "did 2,3→9"])
    }

    @Test func whilePausedUpdatesWait() {
        controller.isPaused = true
        controller.items = Self.notes(1)
        controller.items = Self.notes(2)
        controller.performBatchUpdates { controller.items = Self.notes(3) }
        #expect(listener.take().isEmpty)
        controller.isPaused = false
        #expect(listener.take() == ["will →3", "did →3"])
        controller.isPaused = true
        controller.isPaused = false
        #expect(listener.take().isEmpty)
    }

    @Test func ignoredFetchesAreCaughtUpWith() {
        controller.fetchDidReturn(items: Self.notes(1))
        _ = listener.take()
        controller.ignoresFetchedResultsChanges = true
        controller.fetchDidReturn(items: Self.notes(2))
        controller.fetchDidReturn(items: Self.notes(3))
        controller.items = Self.notes(7)
        #expect(listener.take() == ["will 1→7", "did 1→7"])
        controller.ignoresFetchedResultsChanges = false
        #expect(listener.take() == ["will 7→3", "did 7→3"])
        controller.ignoresFetchedResultsChanges = true
        controller.ignoresFetchedResultsChanges = false
        #expect(listener.take().isEmpty)
    }

    @Test func fetchedItemsAreFilteredAndSortedInMemory() {
        controller.inMemoryFilter = { $0.id != 3 }
        #expect(listener.take().isEmpty)
        controller.fetchDidReturn(items: Self.notes(2, 3, 1))
        #expect(listener.take() == ["will →2,1", "did →2,1"])
        controller.inMemorySort = { ($0.id ?? 0) < ($1.id ?? 0) }
        #expect(listener.take() == ["will 2,1→1,2", "did 2,1→1,2"])
        controller.inMemoryFilter = nil
        #expect(listener.take() == ["will 1,2→1,2,3", "did 1,2→1,2,3"])
        controller.inMemorySort = nil
        #expect(listener.take() == ["will 1,2,3→2,3,1", "did 1,2,3→2,3,1"])
        controller.fetchDidReturn(
            model: IndexPathDataModel(
                sections: [SectionInfo(name: "A", items: Self.notes(5, 4)), SectionInfo(name: "B", items: Self.notes(9))],
                identifier: { $0.id }))
        controller.inMemoryFilter = { $0.id != 9 }
        controller.inMemorySort = { ($0.id ?? 0) < ($1.id ?? 0) }
        #expect(controller.items.map(\.id) == [4, 5])
        #expect(controller.dataModel.numberOfSections == 1)
    }

    @Test func aModelSetFromAnUpdateFollowsIt() {
        listener.onUpdate = { [controller] in controller.items = Self.notes(2) }
        controller.items = Self.notes(1)
        #expect(listener.take() == ["will →1", "did →1", "will 1→2", "did 1→2"])
    }

    @Test func observersHearUntilTheyGo() {
        var heard = 0
        var observation: IndexPathControllerObservation? = controller.observe { heard += $0.insertedItems.count }
        controller.items = Self.notes(1, 2)
        #expect(heard == 2 && observation != nil)
        observation = nil
        controller.items = Self.notes(1, 2, 3)
        #expect(heard == 2)
    }

    @Test func sortingKeepsTheOrderOfEquals() {
        let notes = [Note(id: 1, text: "b"), Note(id: 2, text: "a"), Note(id: 3, text: "b"), Note(id: 4, text: "a")]
        let model = IndexPathDataModel<Note, Int>(items: notes, identifier: { $0.id }).sorted { $0.text < $1.text }
        #expect(model.items.map(\.id) == [2, 4, 1, 3])
    }

    @Test func wrappedItemsFallBackOnTheWrappersSection() {
        typealias Wrapped = IndexPathItem<Int, String>
        let items = [
            Wrapped(identifier: 1, sectionName: "own", content: ""), Wrapped(identifier: 2, sectionName: "own", content: "x"),
            Wrapped(identifier: nil, content: "lost"), Wrapped(identifier: 3, content: ""),
        ]
        let model = IndexPathDataModel(items: items) { $0.isEmpty ? nil : $0 }
        #expect(model.sectionNames == ["own", "x", .unnamed])
        #expect(model.itemsWithoutIdentifier.map(\.content) == ["lost"])
    }
}
