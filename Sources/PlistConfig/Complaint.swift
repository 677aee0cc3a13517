import ObjectStore

/// Everything that can be wrong with a plist's keys; its words stand here and nowhere else.
enum Complaint: Equatable {
    /// What a value should have been.
    enum Expectation: String, CaseIterable {
        case string = "a string"
        case boolean = "YES or NO"
        case count = "a whole number, 0 or more"
        case dictionary = "a dictionary"
        case array = "an array"
        case sortEntry = "a key path or a dictionary { keyPath; ascending; selector }"
        case keyPaths = "a key path or an array of key paths"
        case list = "a dictionary (a list plist)"
        case detail = "an array of sections (a detail plist)"
        case config = "a dictionary (a config plist)"
        case look = "a colour and attributes, or a dictionary { foreground; background; attributes }"
        case color = "a colour"
        case keys = "a key or an array of keys"
    }

    case missing(remedy: String?)
    case empty(remedy: String?)
    case wrongType(expected: Expectation, found: String)
    case unknownKey(nearest: String?)
    case moreUnknownKeys(Int)
    case unknownName(kind: String, name: String, nearest: String?, known: String?)
    case notYet
    case differingSpellings(other: String, first: String, second: String)
    case countsAsNo(String)
    case noEffectWithout(String)
    case onlyForWholeLines([String])
    case tooManyColors(String)
    case repeatedKey(line: Int?)
    case boundTwice(key: String, other: String)

    case unknownEntity(String, nearest: String?)
    case keyPath(KeyPathFault)
    case toManyInOrder(String)
    case objectInOrder(String)
    case transientInOrder(String)
    case noDate(String, ofType: String)
    case noNumber(String, ofType: String)
    case predicate(PredicateFault)

    case notAloneInSection
    case keyPathLength(String, form: String)
    case notARelationship(String, form: String)
    case isToMany(String)
    case isToOne(String)
    case noOrderAttribute(entity: String, nearest: String?)
    case noInverse(String, entity: String)
    case dateWithoutStyle
    case notABoolean(String, type: String)
    case unknownCustomRow(String)

    var severity: Fault.Severity {
        switch self {
        case .notYet: .note
        case .unknownKey, .moreUnknownKeys, .countsAsNo, .noEffectWithout, .repeatedKey, .transientInOrder, .dateWithoutStyle,
            .notABoolean, .unknownCustomRow, .noInverse,
            .noDate, .noNumber, .keyPath(.transient):
            .warning
        default: .fault
        }
    }

    var problem: String {
        switch self {
        case .missing: "missing"
        case .empty: "empty"
        case .repeatedKey(let line): "given twice" + (line.map { ", again in line \($0)" } ?? "") + "; the later value counts"
        case .wrongType(let expected, let found): "\(found), not \(expected.rawValue)"
        case .unknownKey: "unknown key"
        case .moreUnknownKeys(let count): "\(count) more unknown keys"
        case .unknownName(let kind, let name, _, _): "no \(kind) “\(name)”"
        case .notYet: "accepted, but not in effect yet"
        case .differingSpellings(let other, let first, let second): "says “\(first)”, but \(other) says “\(second)”"
        case .countsAsNo(let text): "“\(text)” counts as NO"
        case .noEffectWithout: "has no effect"
        case .onlyForWholeLines: "only whole lines may be reverse or have a background"
        case .tooManyColors(let word): "“\(word)” is one colour too many"
        case .boundTwice(let key, let other): "the key “\(key)” is bound to \(other), too"
        case .unknownEntity(let name, _): "no entity “\(name)” in the data"
        case .keyPath(let fault): fault.problem
        case .toManyInOrder(let path): "“\(path)” leads to many values"
        case .objectInOrder(let path): "“\(path)” is an object, not a value"
        case .transientInOrder(let path): "“\(path)” is transient, so it is not stored"
        case .noDate(let path, let type): "“\(path)” asks for a date, but the attribute is of type \(type)"
        case .noNumber(let path, let type): "“\(path)” asks for numbers, but the attribute is of type \(type)"
        case .predicate(let fault): fault.problemWithPlace
        case .notAloneInSection: "a to-many row stands alone in its section"
        case .keyPathLength(let path, let form): "“\(path)” is not of the form \(form)"
        case .notARelationship(let key, _): "“\(key)” is no relationship"
        case .isToMany(let key): "“\(key)” is to-many"
        case .isToOne(let key): "“\(key)” is to-one"
        case .noOrderAttribute(let entity, _): "the intermediate entity “\(entity)” has no attribute “order”"
        case .dateWithoutStyle: "a date without dateFormatterStyle and timeFormatterStyle"
        case .notABoolean(let key, let type): "“\(key)” is of type \(type), not Boolean"
        case .noInverse(let name, let entity): "“\(name)” of \(entity) has no inverse"
        case .unknownCustomRow(let name): "no custom row “\(name)”"
        }
    }

    var remedy: String? {
        switch self {
        case .missing(let remedy), .empty(let remedy): remedy
        case .wrongType(let expected, _): Complaint.example(of: expected)
        case .unknownKey(let nearest): nearest.map(Complaint.proposal)
        case .unknownName(_, _, let nearest, let known): nearest.map(Complaint.proposal) ?? known.map { "known: \($0)" }
        case .differingSpellings: "keep one of them"
        case .countsAsNo: "write YES or NO"
        case .noEffectWithout(let key): "it needs \(key)"
        case .onlyForWholeLines(let names): "those are \(names.joined(separator: ", "))"
        case .tooManyColors: "write { foreground = …; background = …; }"
        case .repeatedKey: "keep one of them"
        case .boundTwice: "keep one of them"
        case .unknownEntity(_, let nearest): nearest.map(Complaint.proposal) ?? "--schema lists the entities"
        case .keyPath(.transient): "shown as NULL"
        case .keyPath(let fault): fault.remedy
        case .toManyInOrder: "end it with @count, or with @sum, @avg, @min or @max and an attribute"
        case .objectInOrder(let path): "add an attribute: \(path).name"
        case .transientInOrder: "left out; use a stored attribute"
        case .noDate(_, let type):
            type == AttributeType.string.rawValue ? "texts that are no ISO 8601 dates count as NULL" : "the value is NULL"
        case .noNumber: "only texts that are numbers count"
        case .predicate(let fault): fault.remedy
        case .notAloneInSection: "give it a section of its own"
        case .notARelationship(_, let form): "write \(form)"
        case .isToMany: "use \(DetailDescription.RowType.toManyRelationship.rawValue)"
        case .isToOne: "use \(DetailDescription.RowType.relationship.rawValue)"
        case .noOrderAttribute(_, let nearest): nearest.map(Complaint.proposal)
        case .noInverse: "an ordered to-many row needs the way back, to add and take out"
        case .dateWithoutStyle: "shown with medium styles"
        case .unknownCustomRow: "the row is shown as unavailable"
        case .moreUnknownKeys, .notYet, .keyPathLength, .notABoolean: nil
        }
    }

    private static func proposal(_ name: String) -> String { "did you mean “\(name)”?" }

    private static func example(of expected: Expectation) -> String? {
        switch expected {
        case .array: "write ( … )"
        case .dictionary, .list, .config: "write { … }"
        case .detail: "write ( { rowInformation = ( … ); } )"
        default: nil
        }
    }
}

extension Fault {
    init(file: String, key: String?, _ complaint: Complaint) {
        // Names come from the file and may be as long as it is.
        func clipped(_ text: String) -> String { text.utf8.count > 600 ? text.prefix(500) + "…" : text }
        self.init(
            file: file, key: key.map(clipped), problem: clipped(complaint.problem), remedy: complaint.remedy.map(clipped),
            severity: complaint.severity)
    }
}
