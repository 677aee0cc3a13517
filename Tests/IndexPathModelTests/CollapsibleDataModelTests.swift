import IndexPathModel
import Testing

struct CollapsibleDataModelTests {
    typealias Model = IndexPathDataModel<Int, Int>
    typealias Collapsible = CollapsibleDataModel<Int, Int>

    static let names: [SectionName] = ["A", .unnamed, "C"]

    static func model(lengths: [Int]) -> Model {
        Model(
            identifiers: ContiguousArray(0..<lengths.reduce(0, +)),
            sections: zip(names, lengths).map { (name: $0, indexTitle: $0.title, count: $1) })
    }

    /// Every look-up against the backing model and the collapsed sections.
    static func check(_ model: Collapsible, _ collapsed: [Bool], _ trail: String) {
        let backing = model.backingModel
        let sections = backing.numberOfItems == 0 ? 0 : backing.numberOfSections
        #expect(model.numberOfSections == sections, "\(trail)")
        var screen: [ScreenRow] = []
        for section in 0..<sections {
            #expect(model.isSectionCollapsed(section) == collapsed[section], "\(trail)")
            #expect(model.sectionName(at: section) == backing.sectionName(at: section))
            #expect(model.indexTitle(at: section) == backing.indexTitle(at: section))
            #expect(model.numberOfBackingRows(inSection: section) == backing.numberOfRows(inSection: section))
            let rows = collapsed[section] ? 0 : backing.numberOfRows(inSection: section) ?? 0
            #expect(model.numberOfRows(inSection: section) == rows, "\(trail)")
            if model.showsHeaders { screen.append(.header(section)) }
            for row in 0..<(backing.numberOfRows(inSection: section) ?? 0) {
                let path = IndexPath(section: section, row: row)
                let shown = collapsed[section] ? nil : path
                let id = backing.identifier(at: path) ?? -1
                if shown != nil { screen.append(.item(path)) }
                #expect(model.item(at: path) == (shown == nil ? nil : id))
                #expect(model.indexPath(forIdentifier: id) == shown, "\(trail)")
                #expect(model.contains(id) == (shown != nil))
                #expect(model.currentVersion(of: id) == (shown == nil ? nil : id))
                #expect(model.position(of: path) == (shown == nil ? nil : screen.count - 1), "\(trail)")
            }
        }
        #expect(model.rowCount == screen.count, "\(trail)")
        #expect((-1...screen.count).map { model.row(at: $0) } == [nil] + screen + [nil], "\(trail)")
        for (position, row) in screen.enumerated() {
            #expect(model.position(of: row) == position)
            #expect(model.positions(ofSection: row.section)?.contains(position) == true)
        }
        #expect(model.numberOfItems == screen.count - (model.showsHeaders ? sections : 0))
        #expect(Array(model.displayedModel.items) == model.plainSections.flatMap(\.items))
        let all = Set((0..<backing.numberOfSections).compactMap { backing.sectionName(at: $0) })
        if sections > 0 { #expect(model.expandedSectionNames.union(model.collapsedSectionNames) == all) }
        for outside in [-1, sections, Int.max, Int.min] {
            #expect(!model.isSectionCollapsed(outside))
            #expect(model.position(ofHeader: outside) == nil)
            #expect(model.position(of: IndexPath(section: outside, row: 0)) == nil)
            #expect(model.row(at: outside == sections ? screen.count : outside) == nil)
            #expect(model.togglingSection(outside) == model)
            #expect(model.numberOfBackingRows(inSection: outside) == nil)
        }
    }

    @Test func everyFoldingOfEveryFewSections() {
        for count in 0...3 {
            for lengths in allSequences(of: count, below: 3) {
                let backing = Self.model(lengths: lengths)
                let flags = backing.numberOfSections
                for bits in allSequences(of: flags, below: 2) {
                    let collapsed = bits.map { $0 == 1 }
                    let expandedNames = Set((0..<flags).filter { !collapsed[$0] }.compactMap { backing.sectionName(at: $0) })
                    let collapsedNames = Set((0..<flags).filter { collapsed[$0] }.compactMap { backing.sectionName(at: $0) })
                    let trail = "\(lengths) \(bits)"
                    let model = Collapsible(backingModel: backing, expandedSectionNames: expandedNames)
                    Self.check(model, collapsed, trail)
                    #expect(Collapsible(backingModel: backing, collapsedSectionNames: collapsedNames) == model)
                    #expect(model.collapsingAllSections().expandingOnly(expandedNames) == model)
                    for section in 0..<model.numberOfSections {
                        var toggled = collapsed
                        toggled[section].toggle()
                        Self.check(model.togglingSection(section), toggled, trail + " toggle \(section)")
                        var single = collapsed.map { _ in true }
                        single[section] = false
                        Self.check(
                            model.collapsingSection(section).expandingSection(section, singleExpandedSection: true), single,
                            trail)
                        #expect(model.togglingSection(section).togglingSection(section) == model)
                        #expect(
                            model.togglingSection(section, singleExpandedSection: true)
                                == (collapsed[section]
                                    ? model.expandingSection(section, singleExpandedSection: true)
                                    : model.collapsingSection(section)))
                    }
                    Self.check(model.expandingAllSections(), collapsed.map { _ in false }, trail)
                    Self.check(model.collapsingAllSections(), collapsed.map { _ in true }, trail)
                    Self.check(
                        Collapsible(backingModel: backing, expandedSectionNames: expandedNames, showsHeaders: false),
                        collapsed.map { _ in false }, trail + " without headers")
                }
            }
        }
    }

    @Test func anEmptyBackingModelShowsNoSection() {
        for backing in [Model(items: []), Model(sections: []), Model(sections: [SectionInfo(name: "A")])] {
            for model in [
                Collapsible(backingModel: backing), Collapsible(backingModel: backing, collapsedSectionNames: []),
                Collapsible(backingModel: backing, showsHeaders: false),
            ] {
                #expect(model.numberOfSections == 0)
                #expect(model.rowCount == 0)
                #expect(model.row(at: 0) == nil)
                #expect(model.sectionName(at: 0) == nil)
                #expect(model.section(named: .unnamed) == nil && model.section(named: "A") == nil)
                #expect(model.plainSections.isEmpty)
            }
        }
    }

    @Test func nothingSaidMeansNothingExpanded() {
        let model = Collapsible(backingModel: Self.model(lengths: [1, 2, 1]))
        #expect(model.expandedSectionNames.isEmpty)
        #expect(model.rowCount == 3)
    }

    @Test func replacingTheBackingModelKeepsFoldsByName() {
        // Every old set of names in order, every new one in every order, every folding, both rules.
        let orders: [[SectionName]] = [
            [], ["A"], [.unnamed], ["A", "B"], ["B", "A"], ["A", .unnamed], ["C", "A", "B"], ["B", .unnamed, "C"],
            ["A", "B", "C", .unnamed], [.unnamed, "C", "B", "A"],
        ]
        for old in orders {
            for new in orders {
                for bits in allSequences(of: old.count, below: 2) {
                    let expanded = Set(zip(old, bits).filter { $0.1 == 0 }.map(\.0))
                    let model = Collapsible(backingModel: Self.model(names: old), expandedSectionNames: expanded)
                    let kept = expanded.intersection(new)
                    let next = Self.model(names: new)
                    #expect(model.replacingBackingModel(with: next).expandedSectionNames == kept, "\(old) \(new) \(bits)")
                    #expect(
                        model.replacingBackingModel(with: next, startsOpen: true).expandedSectionNames
                            == kept.union(Set(new).subtracting(old)), "\(old) \(new) \(bits)")
                    #expect(
                        model.replacingBackingModel(with: next, startsOpen: false).expandedSectionNames == kept)
                }
            }
        }
    }

    static func model(names: [SectionName]) -> Model {
        Model(
            identifiers: ContiguousArray(0..<names.count), sections: names.map { (name: $0, indexTitle: nil, count: 1) })
    }

    @Test func replacingCanChangeWhetherHeadersAreShown() {
        let model = Collapsible(backingModel: Self.model(names: ["A"]))
        let without = model.replacingBackingModel(with: Self.model(names: [.unnamed]), showsHeaders: false)
        #expect(without.rowCount == 1 && without.row(at: 0) == .item(IndexPath(section: 0, row: 0)))
        #expect(!without.replacingBackingModel(with: Self.model(names: ["A"])).showsHeaders)
    }

    @Test func foldingDoesNothingToItemsAndSharesThem() {
        let counter = OperationCounter()
        let identifiers = ContiguousArray((0..<1_000).map { CountedIdentifier(value: $0, counter: counter) })
        let backing = IndexPathDataModel(
            identifiers: identifiers, sections: (0..<100).map { (SectionName("\($0)"), nil, 10) })
        var model = CollapsibleDataModel(backingModel: backing, collapsedSectionNames: [])
        _ = model.indexPath(forIdentifier: identifiers[5])
        #expect(counter.take().hashes == 1_001)
        model = model.togglingSection(7).collapsingAllSections().expandingAllSections().togglingSection(3)
        model = model.replacingBackingModel(with: backing, startsOpen: true)
        #expect(model.row(at: 500) == .item(IndexPath(section: 46, row: 3)))
        #expect(counter.take() == (0, 0))
        #expect(model.indexPath(forIdentifier: identifiers[35]) == nil)
        #expect(model.indexPath(forIdentifier: identifiers[45]) == IndexPath(section: 4, row: 5))
        #expect(counter.take().hashes == 2)
    }

    @Test func unfoldingShowsTheHeaderAndAsMuchAsFits() {
        let model = Collapsible(backingModel: Self.model(lengths: [2, 3, 20]), collapsedSectionNames: [])
        // Screen rows: A 0–2, unnamed 3–6, C 7–27.
        #expect(model.firstPosition(showingSection: 1, from: 0, height: 10) == 0)
        #expect(model.firstPosition(showingSection: 1, from: 0, height: 5) == 2)
        #expect(model.firstPosition(showingSection: 1, from: 5, height: 5) == 3)
        #expect(model.firstPosition(showingSection: 2, from: 0, height: 10) == 7)
        #expect(model.firstPosition(showingSection: 9, from: 4, height: 10) == 4)
        #expect(model.firstPosition(showingSection: 2, from: 4, height: 0) == 4)
    }
}
