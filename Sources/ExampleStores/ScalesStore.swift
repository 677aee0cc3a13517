import Foundation

/// Musical scales, all on C: to-one to their category, many-to-many with the triads in them, and an ordered to-many to their
/// notes through the intermediate entity Degree.
enum ScalesStore {
    static let model = StoreModel(entities: [
        StoreModel.Entity(
            name: "ScaleCategory",
            attributes: [
                StoreModel.Attribute(name: "name", type: .string), StoreModel.Attribute(name: "position", type: .integer16),
            ],
            relationships: [StoreModel.Relationship(name: "scales", destination: "Scale", inverse: "category", isToMany: true)]),
        StoreModel.Entity(
            name: "Chord",
            attributes: [
                StoreModel.Attribute(name: "name", type: .string), StoreModel.Attribute(name: "quality", type: .string),
                StoreModel.Attribute(name: "notes", type: .string), StoreModel.Attribute(name: "rootPitch", type: .integer16),
            ],
            relationships: [StoreModel.Relationship(name: "scales", destination: "Scale", inverse: "chords", isToMany: true)]),
        StoreModel.Entity(
            name: "Degree",
            attributes: [
                StoreModel.Attribute(name: "name", type: .string), StoreModel.Attribute(name: "order", type: .integer16),
            ],
            relationships: [
                StoreModel.Relationship(name: "note", destination: "Note", inverse: "degrees"),
                StoreModel.Relationship(name: "scale", destination: "Scale", inverse: "degrees"),
            ]),
        StoreModel.Entity(
            name: "Note",
            attributes: [
                StoreModel.Attribute(name: "name", type: .string), StoreModel.Attribute(name: "pitch", type: .integer16),
                StoreModel.Attribute(name: "frequency", type: .double),
            ],
            relationships: [
                StoreModel.Relationship(
                    name: "degrees", destination: "Degree", inverse: "note", isToMany: true, deletionRule: "Cascade")
            ]),
        StoreModel.Entity(
            name: "Scale",
            attributes: [
                StoreModel.Attribute(name: "name", type: .string),
                StoreModel.Attribute(name: "alternativeNames", type: .string, isOptional: true),
                StoreModel.Attribute(name: "formula", type: .string), StoreModel.Attribute(name: "steps", type: .string),
                StoreModel.Attribute(name: "noteCount", type: .integer16),
                StoreModel.Attribute(name: "isSymmetric", type: .boolean),
                StoreModel.Attribute(name: "summary", type: .string),
            ],
            relationships: [
                StoreModel.Relationship(name: "category", destination: "ScaleCategory", inverse: "scales"),
                StoreModel.Relationship(name: "chords", destination: "Chord", inverse: "scales", isToMany: true),
                StoreModel.Relationship(
                    name: "degrees", destination: "Degree", inverse: "scale", isToMany: true, deletionRule: "Cascade"),
            ]),
    ])

    /// The triads looked for on each note of a scale: semitones above the root of the other two notes.
    private static let triads: [(quality: String, suffix: String, third: Int, fifth: Int)] = [
        ("major", "", 4, 7), ("minor", "m", 3, 7), ("diminished", "dim", 3, 6), ("augmented", "aug", 4, 8),
    ]

    /// Reads the table `scales` of a folder.
    static func contents(source: String) throws -> StoreContents {
        var contents = StoreContents(model: model)
        var categories: [String: StoreContents.ObjectID] = [:]
        var notes: [String: StoreContents.ObjectID] = [:]
        var chords: [String: StoreContents.ObjectID] = [:]
        for row in try SourceTable(file: source + "/scales.tsv").rows {
            let categoryName = try row.text("category")
            let category =
                try categories[categoryName]
                ?? contents.insert("ScaleCategory", ["name": .text(categoryName), "position": .integer(categories.count)])
            categories[categoryName] = category

            let degrees = try row.text("formula").split(separator: " ").map {
                try ScaleDegree(formula: String($0), place: row.place)
            }
            let steps = zip(degrees, degrees.dropFirst().map(\.pitch) + [12]).map { $1 - $0.pitch }
            guard steps.allSatisfy({ $0 > 0 }), degrees.first?.pitch == 0 else {
                throw Complaint("\(row.place): the notes do not rise from 1")
            }
            let scale = try contents.insert(
                "Scale",
                [
                    "name": row.textValue("name"), "alternativeNames": row.textValue("alternativeNames"),
                    "formula": .text(degrees.map(\.name).joined(separator: " ")),
                    "steps": .text(steps.map(String.init).joined(separator: " ")), "noteCount": .integer(degrees.count),
                    "isSymmetric": .integer(isPeriodic(steps) ? 1 : 0), "summary": row.textValue("summary"),
                ], to: ["category": category])

            for (order, degree) in degrees.enumerated() {
                let note =
                    try notes[degree.noteName]
                    ?? contents.insert(
                        "Note",
                        [
                            "name": .text(degree.noteName), "pitch": .integer(degree.pitch), "frequency": .real(degree.frequency),
                        ])
                notes[degree.noteName] = note
                _ = try contents.insert(
                    "Degree", ["name": .text(degree.name), "order": .integer(order)], to: ["note": note, "scale": scale])
            }
            for chord in triads(of: Set(degrees.map(\.pitch))) {
                let object =
                    try chords[chord.name]
                    ?? contents.insert(
                        "Chord",
                        [
                            "name": .text(chord.name), "quality": .text(chord.quality), "notes": .text(chord.notes),
                            "rootPitch": .integer(chord.root),
                        ])
                chords[chord.name] = object
                try contents.join(object, "scales", scale)
            }
        }
        return contents
    }

    /// Whether the steps are a shorter row of steps, repeated: a scale that can be transposed onto itself.
    private static func isPeriodic(_ steps: [Int]) -> Bool {
        (1..<steps.count).contains { period in
            steps.count % period == 0 && steps.indices.allSatisfy { steps[$0] == steps[$0 % period] }
        }
    }

    private static func triads(of pitches: Set<Int>) -> [(name: String, quality: String, notes: String, root: Int)] {
        pitches.sorted().flatMap { root in
            triads.compactMap { triad in
                guard pitches.contains((root + triad.third) % 12), pitches.contains((root + triad.fifth) % 12) else { return nil }
                let spelled = ScaleDegree.spelledTriad(root: root, third: triad.third, fifth: triad.fifth)
                return (spelled[0] + triad.suffix, triad.quality, spelled.joined(separator: " "), root)
            }
        }
    }
}

/// A degree of a scale on C, as `b3` in the table.
struct ScaleDegree {
    private static let letters = ["C", "D", "E", "F", "G", "A", "B"]
    private static let naturals = [0, 2, 4, 5, 7, 9, 11]
    /// The spelling of a chord's root, as musicians usually have it.
    private static let roots = [
        (0, 0), (1, -1), (1, 0), (2, -1), (2, 0), (3, 0), (3, 1), (4, 0), (5, -1), (5, 0), (6, -1), (6, 0),
    ]

    /// As it is printed: `♭3`.
    let name: String
    /// `E♭`.
    let noteName: String
    /// Semitones above C.
    let pitch: Int

    init(formula: String, place: String) throws {
        let alteration = formula.first == "b" ? -1 : formula.first == "#" ? 1 : 0
        guard let number = Int(formula.drop { $0 == "b" || $0 == "#" }), (1...7).contains(number) else {
            throw Complaint("\(place): \(formula) is no degree")
        }
        name = Self.sign(alteration) + String(number)
        noteName = Self.letters[number - 1] + Self.sign(alteration)
        pitch = Self.naturals[number - 1] + alteration
    }

    /// In hertz, from middle C up: equal temperament, A = 440 Hz, rounded to hundredths.
    var frequency: Double { (440 * pow(2, Double(pitch - 9) / 12) * 100).rounded() / 100 }

    /// The names of a triad's notes, thirds apart in letters.
    static func spelledTriad(root: Int, third: Int, fifth: Int) -> [String] {
        let (letter, alteration) = roots[root % roots.count]
        return [(0, 0), (2, third), (4, fifth)].map { steps, semitones in
            let index = (letter + steps) % 7
            let octaves = (letter + steps) / 7 * 12
            let wanted = naturals[letter] + alteration + semitones
            return letters[index] + sign(wanted - naturals[index] - octaves)
        }
    }

    private static func sign(_ alteration: Int) -> String {
        switch alteration {
        case ..<(-1): "♭♭"
        case -1: "♭"
        case 1: "♯"
        case 2...: "♯♯"
        default: ""
        }
    }
}
