import IndexPathModel
import Synchronization
import Testing

/// Writes down which sections were folded.
final class FoldListener: CollapsibleControllerDelegate {
    typealias Item = Int
    typealias Identifier = Int

    var events: [String] = []

    func controller(_ controller: CollapsibleController<Int, Int>, didChangeSection section: Int, collapsed: Bool) {
        events.append("\(section) \(collapsed ? "collapsed" : "expanded")")
    }

    func controller(_ controller: CollapsibleController<Int, Int>, didUpdate updates: IndexPathUpdates<Int, Int>) {
        events.append("+\(updates.insertedItems.count)-\(updates.deletedItems.count)")
        #expect(updates.apply(to: updates.oldModel) == updates.newModel.displayedModel)
    }

    func take() -> [String] {
        defer { events = [] }
        return events
    }
}

struct CollapsibleControllerTests {
    let inner = IndexPathController<Int, Int>(sectionName: { "\($0 / 10)" }, identifier: { $0 })
    let listener = FoldListener()
    let controller: CollapsibleController<Int, Int>

    init() {
        controller = CollapsibleController(inner)
        controller.delegate = listener
    }

    @Test func aTapFoldsAndUnfolds() {
        inner.items = [10, 11, 20]
        #expect(listener.take() == ["+0-0"])
        controller.toggleSection(0)
        #expect(listener.take() == ["+2-0", "0 expanded"])
        controller.toggleSection(1)
        #expect(listener.take() == ["+1-0", "1 expanded"])
        controller.toggleSection(0)
        #expect(listener.take() == ["+0-2", "0 collapsed"])
        controller.toggleSection(7)
        controller.toggleSection(-1)
        #expect(listener.take().isEmpty)
        controller.singleExpandedSection = true
        controller.toggleSection(0)
        #expect(listener.take() == ["+2-1", "0 expanded", "1 collapsed"])
        controller.expandAllSections()
        #expect(listener.take() == ["+1-0", "1 expanded"])
        controller.collapseAllSections()
        #expect(listener.take() == ["+0-3", "0 collapsed", "1 collapsed"])
    }

    @Test func aPlainModelKeepsTheFoldsAndACollapsibleOnePasses() {
        inner.items = [10, 20]
        controller.toggleSection(1)
        inner.items = [20, 30]
        #expect(controller.dataModel?.expandedSectionNames == ["2"])
        controller.startsOpen = true
        inner.items = [20, 30, 40]
        #expect(controller.dataModel?.expandedSectionNames == ["2", "4"])
        let backing = IndexPathDataModel(items: [1, 2])
        inner.dataModel = CollapsibleDataModel(backingModel: backing, showsHeaders: false)
        #expect(controller.dataModel?.showsHeaders == false && controller.dataModel?.numberOfItems == 2)
    }

    @Test func unfoldingScrollsIfAsked() {
        inner.items = Array(10..<20)
        controller.toggleSection(0)
        #expect(controller.firstPosition(afterExpanding: 0, from: 5, height: 5) == 0)
        controller.optimizesScrollOnExpand = false
        #expect(controller.firstPosition(afterExpanding: 0, from: 5, height: 5) == 5)
    }
}

/// A node of an outline.
struct Branch: Sendable, Equatable {
    var id: String
    var children: [Branch]?
}

struct TreeDataModelTests {
    typealias Tree = TreeDataModel<Branch, String>

    static let roots = [
        Branch(id: "a", children: [Branch(id: "a1", children: [Branch(id: "a11")]), Branch(id: "a2")]),
        Branch(id: "b", children: []), Branch(id: "c"),
    ]

    static func shown(_ tree: Tree) -> [String] { tree.displayedModel.items.map(\.id) }

    @Test func itemsAreFlattenedDepthFirst() {
        let open = Tree(roots: Self.roots, collapsedIdentifiers: [], identifier: { $0.id }, children: { $0.children })
        #expect(Self.shown(open) == ["a", "a1", "a11", "a2", "b", "c"])
        let paths = (0..<6).map { IndexPath(section: 0, row: $0) }
        #expect(paths.map { open.level(at: $0) } == [0, 1, 2, 1, 0, 0])
        #expect(paths.map { open.disclosure(at: $0) } == [.expanded, .expanded, .leaf, .leaf, .expanded, .leaf])
        #expect(paths.map { open.parent(of: $0)?.row } == [nil, 0, 1, 0, nil, nil])
        #expect(paths.map { open.needsChildren(at: $0) } == [false, false, false, false, true, false])
        #expect(open.indexPath(forIdentifier: "a2") == paths[3])
        let shut = Tree(roots: Self.roots, identifier: { $0.id }, children: { $0.children })
        #expect(Self.shown(shut) == ["a", "b", "c"])
        #expect(Self.shown(shut.expanding("a")) == ["a", "a1", "a2", "b", "c"])
        #expect(Self.shown(shut.expanding("a1").toggling("a")) == ["a", "a1", "a11", "a2", "b", "c"])
        #expect(Self.shown(open.collapsing("a")) == ["a", "b", "c"])
        #expect(Self.shown(open.collapsing("a1").collapsing("a1").toggling("a1")) == Self.shown(open))
        for outside in [IndexPath(section: 0, row: 6), IndexPath(section: 1, row: 0), IndexPath(section: -1, row: -1)] {
            #expect(open.level(at: outside) == nil && open.disclosure(at: outside) == nil)
            #expect(open.parent(of: outside) == nil && !open.needsChildren(at: outside))
        }
    }

    @Test func sectionsAreThoseOfTheRoots() {
        let tree = Tree(
            sections: [
                SectionInfo(name: "one", indexTitle: "1", items: [Self.roots[0]]), SectionInfo(name: "none"),
                SectionInfo(name: "two", items: [Self.roots[2]]),
            ], collapsedIdentifiers: ["a1"], identifier: { $0.id }, children: { $0.children })
        #expect((0..<3).map { tree.numberOfRows(inSection: $0) } == [3, 0, 1])
        #expect(tree.sectionNames == ["one", "none", "two"] && tree.indexTitle(at: 0) == "1")
        #expect(tree.level(at: IndexPath(section: 2, row: 0)) == 0)
    }

    @Test func childrenAreAskedForOnlyWhereTheyAreShown() {
        let asked = OperationCounter()
        let tree = TreeDataModel<Int, Int>(
            roots: [1, 2, 3], expandedIdentifiers: [2], identifier: { $0 },
            children: { item in
                asked.hashes.add(1, ordering: .relaxed)
                return (0..<10).map { item * 10 + $0 }
            })
        #expect(tree.numberOfItems == 13)
        #expect(asked.take().hashes == 1)
    }

    @Test func cyclesEndAndDepthIsNoLimit() {
        let cyclic = TreeDataModel<Int, Int>(
            roots: [0], collapsedIdentifiers: [], identifier: { $0 }, children: { [($0 + 1) % 5, 0] })
        #expect(Array(cyclic.displayedModel.items) == [0, 1, 2, 3, 4])
        let deep = TreeDataModel<Int, Int>(
            roots: [0], collapsedIdentifiers: [], identifier: { $0 }, children: { $0 < 20_000 ? [$0 + 1] : nil })
        #expect(deep.level(at: IndexPath(section: 0, row: 20_000)) == 20_000)
    }

    @Test func aNewVersionBringsItsChildren() {
        let tree = Tree(roots: Self.roots, expandedIdentifiers: ["b"], identifier: { $0.id }, children: { $0.children })
        #expect(Self.shown(tree) == ["a", "b", "c"])
        let loaded = tree.replacing(Branch(id: "b", children: [Branch(id: "b1")]))
        #expect(Self.shown(loaded) == ["a", "b", "b1", "c"])
        let updates = IndexPathUpdates(from: tree, to: loaded)
        #expect(updates.insertedItems.map(\.item.id) == ["b1"] && updates.modifiedItems.map(\.item.id) == ["b"])
        #expect(updates.apply(to: tree) == loaded.displayedModel)
    }
}

/// Loads children at once or later.
final class Loader: TreeControllerDelegate {
    typealias Item = Branch
    typealias Identifier = String

    var atOnce = true
    var events: [String] = []

    func controller(_ controller: TreeController<Branch, String>, willExpand item: Branch) -> Branch? {
        events.append("load \(item.id)")
        return atOnce ? Branch(id: item.id, children: [Branch(id: item.id + "1")]) : nil
    }

    func controller(_ controller: TreeController<Branch, String>, didChangeItem item: Branch, collapsed: Bool) {
        events.append("\(item.id) \(collapsed ? "collapsed" : "expanded")")
    }
}

struct TreeControllerTests {
    @Test(arguments: [true, false]) func foldingAsksForChildren(atOnce: Bool) {
        let inner = IndexPathController<Branch, String>(identifier: { $0.id })
        let controller = TreeController(inner)
        let loader = Loader()
        loader.atOnce = atOnce
        controller.delegate = loader
        controller.toggleItem(at: IndexPath(section: 0, row: 0))
        controller.replace(Branch(id: "b"))
        #expect(controller.dataModel == nil && loader.events.isEmpty)
        controller.dataModel = TreeDataModel(
            roots: TreeDataModelTests.roots, identifier: { $0.id }, children: { $0.children })
        controller.toggleItem(at: IndexPath(section: 0, row: 1))
        if !atOnce {
            #expect(inner.items.map(\.id) == ["a", "b", "c"])
            controller.replace(Branch(id: "b", children: [Branch(id: "b1")]))
        }
        #expect(inner.items.map(\.id) == ["a", "b", "b1", "c"])
        controller.toggleItem(at: IndexPath(section: 0, row: 1))
        controller.toggleItem(at: IndexPath(section: 0, row: 1))
        controller.toggleItem(at: IndexPath(section: 0, row: 3))
        controller.toggleItem(at: IndexPath(section: 0, row: 9))
        #expect(inner.items.map(\.id) == ["a", "b", "b1", "c"])
        #expect(loader.events == ["load b", "b expanded", "b collapsed", "b expanded"])
    }
}
