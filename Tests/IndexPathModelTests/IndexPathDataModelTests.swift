import IndexPathModel
import Testing

struct IndexPathDataModelTests {
    typealias Model = IndexPathDataModel<Note, Int>

    static func plain(_ sections: [(SectionName, [Note])]) -> [PlainSection<Note>] {
        sections.map { PlainSection(name: $0.0, indexTitle: nil, items: $0.1) }
    }

    /// The rule of the reference, as slowly and plainly as it can be written.
    static func reference(_ notes: [Note]) -> (sections: [PlainSection<Note>], duplicates: [Note], unidentified: [Note]) {
        var sections: [PlainSection<Note>] = []
        var duplicates: [Note] = []
        var unidentified: [Note] = []
        for note in notes {
            guard let id = note.id else {
                unidentified.append(note)
                continue
            }
            if sections.contains(where: { $0.items.contains { $0.id == id } }) {
                duplicates.append(note)
                continue
            }
            let name = note.section.map { SectionName.named($0) } ?? .unnamed
            if let index = sections.firstIndex(where: { $0.name == name }) {
                sections[index].items.append(note)
            } else {
                sections.append(PlainSection(name: name, indexTitle: nil, items: [note]))
            }
        }
        if sections.isEmpty { sections = [PlainSection(name: .unnamed, indexTitle: nil, items: [])] }
        return (sections, duplicates, unidentified)
    }

    /// Every look-up of `model` against a plain reading of `sections`.
    static func checkLookUps(_ model: Model, _ sections: [PlainSection<Note>], _ trail: String) {
        #expect(model.plainSections == sections, "\(trail)")
        #expect(model.numberOfSections == sections.count)
        #expect(model.numberOfItems == sections.reduce(0) { $0 + $1.items.count })
        #expect(Array(model.items) == sections.flatMap(\.items), "\(trail)")
        for (index, section) in sections.enumerated() {
            #expect(model.sectionTitle(at: index) == section.name.title)
            #expect(model.section(named: section.name) == sections.firstIndex { $0.name == section.name }, "\(trail)")
            #expect(model.items(inSection: index).map { Array($0) } == section.items)
            #expect(model.sectionInfo(at: index)?.items == section.items)
            for (row, note) in section.items.enumerated() {
                let path = IndexPath(section: index, row: row)
                #expect(model.identifier(at: path) == note.id)
                guard let id = note.id else { continue }
                let first = sections.indices.lazy.flatMap { section in
                    sections[section].items.indices.lazy.map { IndexPath(section: section, row: $0) }
                }.first { sections[$0.section].items[$0.row].id == id }
                #expect(model.indexPath(forIdentifier: id) == first, "\(trail)")
                #expect(model.indexPath(forItem: note) == first)
                #expect(model.contains(note) && model.contains(identifier: id))
                #expect(model.currentVersion(of: Note(id: id, section: "elsewhere")) == first.flatMap { model.item(at: $0) })
                #expect(model.item(forIdentifier: id) == first.flatMap { model.item(at: $0) })
            }
        }
        checkOutside(model)
    }

    /// What is not there is nil.
    static func checkOutside(_ model: Model) {
        for section in [-1, model.numberOfSections, .max, .min] {
            #expect(model.numberOfRows(inSection: section) == nil)
            #expect(model.sectionName(at: section) == nil)
            #expect(model.sectionTitle(at: section) == nil)
            #expect(model.indexTitle(at: section) == nil)
            #expect(model.items(inSection: section) == nil)
            #expect(model.sectionInfo(at: section) == nil)
            #expect(model.item(at: IndexPath(section: section, row: 0)) == nil)
        }
        for section in 0..<model.numberOfSections {
            for row in [-1, model.numberOfRows(inSection: section) ?? 0, .max, .min] {
                #expect(model.item(at: IndexPath(section: section, row: row)) == nil)
                #expect(model.identifier(at: IndexPath(section: section, row: row)) == nil)
            }
        }
        #expect(model.indexPath(forIdentifier: 4711) == nil)
        #expect(!model.contains(identifier: 4711))
        #expect(model.item(forIdentifier: 4711) == nil)
        #expect(model.indexPath(forItem: Note(id: nil)) == nil)
        #expect(model.currentVersion(of: Note(id: nil)) == nil)
        #expect(model.section(named: "not there") == nil)
    }

    @Test func everyFewItemsInEveryFewSections() {
        let sections = [nil, "", "A"]
        for length in 0...4 {
            for labels in allSequences(of: length, below: sections.count) {
                let notes = labels.enumerated().map { Note(id: $0, section: sections[$1]) }
                let model = Model(items: notes, sectionName: { $0.section }, identifier: { $0.id })
                Self.checkLookUps(model, Self.reference(notes).sections, "\(labels)")
                #expect(model.duplicates.isEmpty && model.itemsWithoutIdentifier.isEmpty)
            }
        }
    }

    @Test func manyItemsWithDuplicatesAndWithoutIdentifiers() {
        var random = SeededGenerator(state: 1)
        for round in 0..<300 {
            let notes = (0..<random.below(40)).map { number in
                Note(
                    id: random.below(8) == 0 ? nil : random.below(60), section: ["A", "B", "C", nil][random.below(4)],
                    text: "\(number)")
            }
            let model = Model(items: notes, sectionName: { $0.section }, identifier: { $0.id })
            let reference = Self.reference(notes)
            Self.checkLookUps(model, reference.sections, "round \(round)")
            #expect(Array(model.duplicates) == reference.duplicates)
            #expect(Array(model.itemsWithoutIdentifier) == reference.unidentified)
        }
    }

    @Test func explicitSectionsMayBeEmptyAndKeepDuplicates() {
        let sections: [SectionInfo<Note>] = [
            SectionInfo(name: "A", indexTitle: "a"),
            SectionInfo(name: .unnamed, items: [Note(id: 1, text: "first"), Note(id: 2), Note(id: nil)]),
            SectionInfo(name: "C", indexTitle: "c", items: [Note(id: 1, text: "second"), Note(id: 3)]),
            SectionInfo(name: "A", items: [Note(id: 4)]),
        ]
        let model = Model(sections: sections, identifier: { $0.id })
        Self.checkLookUps(
            model,
            [
                PlainSection(name: "A", indexTitle: "a", items: []),
                PlainSection(name: .unnamed, indexTitle: nil, items: [Note(id: 1, text: "first"), Note(id: 2)]),
                PlainSection(name: "C", indexTitle: "c", items: [Note(id: 1, text: "second"), Note(id: 3)]),
                PlainSection(name: "A", indexTitle: nil, items: [Note(id: 4)]),
            ], "explicit")
        #expect(Array(model.duplicates) == [Note(id: 1, text: "second")])
        #expect(Array(model.itemsWithoutIdentifier) == [Note(id: nil)])
        #expect(model.indexPath(forIdentifier: 1) == IndexPath(section: 1, row: 0))
    }

    @Test func noSectionsAreOneEmptySectionWithTheSentinelName() {
        let models = [
            Model(items: [], identifier: { $0.id }),
            Model(items: [], sectionName: { $0.section }, identifier: { $0.id }),
            Model(sections: [], identifier: { $0.id }),
            Model(items: [], sections: [], identifier: { $0.id }),
        ]
        for model in models {
            Self.checkLookUps(model, Self.plain([(.unnamed, [])]), "none")
            #expect(model.sectionName(at: 0) == .unnamed)
            #expect(model.sectionTitle(at: 0) == nil)
        }
    }

    @Test func aLongListIsSharedAndCutToItsItems() {
        let numbers = ContiguousArray(0..<10)
        let model = IndexPathDataModel(
            identifiers: numbers,
            sections: [("A", nil, 3), ("B", "b", 0), ("C", nil, -5), ("D", nil, 4), ("E", nil, .max), ("F", "f", 2)])
        #expect((0..<6).map { model.numberOfRows(inSection: $0) } == [3, 0, 0, 4, 3, 0])
        #expect((0..<6).map { model.indexTitle(at: $0) } == [nil, "b", nil, nil, nil, "f"])
        #expect(model.indexPath(forIdentifier: 6) == IndexPath(section: 3, row: 3))
        #expect(model.identifier(at: IndexPath(section: 4, row: 2)) == 9)
        let shared = numbers.withUnsafeBufferPointer { numbers in
            model.items.withUnsafeBufferPointer { $0.baseAddress == numbers.baseAddress }
        }
        #expect(shared)

        let short = IndexPathDataModel(identifiers: numbers, sections: [("A", nil, 4)])
        #expect(short.numberOfItems == 4)
        #expect(short.indexPath(forIdentifier: 4) == nil)
        #expect(Array(short.items) == [0, 1, 2, 3])
    }

    @Test func everyWayOfMakingOneGivesTheSameModel() {
        struct Chord: Sendable, Equatable, Identifiable {
            var id: Int
            var scale: String
            var mode: String? { scale }
        }
        let chords = [Chord(id: 3, scale: "C"), Chord(id: 1, scale: "D"), Chord(id: 2, scale: "C")]
        typealias Chords = IndexPathDataModel<Chord, Int>
        let expected = Chords(items: chords, sectionName: { $0.scale }, identifier: { $0.id })
        #expect(expected.plainSections.map { $0.items.map(\.id) } == [[3, 2], [1]])
        #expect(Chords(items: chords, sectionNameKeyPath: \.scale, identifierKeyPath: \.id) == expected)
        #expect(Chords(items: chords, sectionNameKeyPath: \.mode, identifierKeyPath: \.id) == expected)
        #expect(Chords(items: chords, sectionName: \.scale) == expected)
        #expect(
            Chords(sections: [
                SectionInfo(name: "C", items: [chords[0], chords[2]]), SectionInfo(name: "D", items: [chords[1]]),
            ]) == expected)
        #expect(
            Chords(
                items: [chords[0], chords[2], chords[1]], sections: [("C", nil, 2), ("D", nil, 1)], identifier: { $0.id })
                == expected)
        #expect(Chords(items: chords) != expected)
        let words = IndexPathDataModel(items: ["one", "two", "one"])
        #expect(words.numberOfRows(inSection: 0) == 2 && Array(words.duplicates) == ["one"])
    }

    @Test func lookUpsCountTheirOperations() {
        let counter = OperationCounter()
        let count = 20_000
        let identifiers = ContiguousArray((0..<count).map { CountedIdentifier(value: $0 &* 7919, counter: counter) })
        let model = IndexPathDataModel(
            identifiers: identifiers, sections: (0..<200).map { (SectionName("\($0)"), nil, count / 200) })
        _ = model.item(at: IndexPath(section: 100, row: 50))
        _ = model.section(named: "150")
        #expect(counter.take() == (0, 0))

        #expect(model.indexPath(forIdentifier: identifiers[0]) == IndexPath(section: 0, row: 0))
        let making = counter.take()
        #expect(making.hashes == count + 1)
        #expect(making.comparisons < count / 10)

        for place in stride(from: 0, to: count, by: 7) {
            #expect(
                model.indexPath(forIdentifier: identifiers[place]) == IndexPath(section: place / 100, row: place % 100))
        }
        let asked = (count + 6) / 7
        let finding = counter.take()
        #expect(finding.hashes == asked)
        #expect(finding.comparisons < asked * 11 / 10)
    }

    @Test func theTableCanBeMadeBeforehand() {
        let counter = OperationCounter()
        let identifiers = ContiguousArray((0..<100).map { CountedIdentifier(value: $0, counter: counter) })
        let model = IndexPathDataModel(identifiers: identifiers, sections: [("A", nil, 100)])
        model.prepareForLookUp()
        #expect(counter.take().hashes == 100)
        model.prepareForLookUp()
        #expect(counter.take() == (0, 0))
        #expect(model.contains(identifiers[5]) && counter.take().hashes == 1)
    }

    @Test func theTableIsMadeOnceWhoeverAsks() async {
        let counter = OperationCounter()
        let count = 5_000
        let identifiers = ContiguousArray((0..<count).map { CountedIdentifier(value: $0, counter: counter) })
        let model = IndexPathDataModel(identifiers: identifiers, sections: [("A", nil, count)])
        await withTaskGroup(of: IndexPath?.self) { group in
            for asked in 0..<8 { group.addTask { model.indexPath(forIdentifier: identifiers[asked]) } }
            for await path in group { #expect(path != nil) }
        }
        #expect(counter.take().hashes == count + 8)
    }

    @Test func keysThatCollideAreStillFound() {
        struct Clash: Hashable, Sendable {
            let value: Int
            func hash(into hasher: inout Hasher) { hasher.combine(value % 3) }
        }
        let model = IndexPathDataModel(items: (0..<200).map { Clash(value: $0 % 150) })
        #expect(model.numberOfItems == 150 && model.duplicates.count == 50)
        for value in 0..<150 {
            #expect(model.indexPath(forIdentifier: Clash(value: value)) == IndexPath(section: 0, row: value))
        }
        #expect(model.indexPath(forIdentifier: Clash(value: 150)) == nil)
    }
}
