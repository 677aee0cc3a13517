import ObjectStore
import PropertyLists

/// Reads one dictionary of a plist key by key and gathers what is wrong with it; it never stops at the first fault.
struct DictionaryReader {
    let file: String
    /// Where the dictionary stands, as `[0].rowInformation[2]`; empty at the top.
    let place: String
    let dictionary: PropertyList
    var faults: [Fault] = []

    /// More unknown keys than this are counted, not named: then it is some other file.
    static let mostUnknownKeys = 20

    init(file: String, place: String = "", dictionary: PropertyList) {
        self.file = file
        self.place = place
        self.dictionary = dictionary
    }

    /// The whole path of a key of this dictionary.
    func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    mutating func complain(_ key: String, _ complaint: Complaint) {
        faults.append(Fault(file: file, key: path(key), complaint))
    }

    /// A string; nil and a complaint for another type. An empty one counts as missing.
    mutating func string(_ key: String) -> String? {
        switch dictionary[key] {
        case nil: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .some(let other):
            complain(key, .wrongType(expected: .string, found: other.kindInWords))
            return nil
        }
    }

    /// A string that has to be there.
    mutating func requiredString(_ key: String, remedy: String? = nil) -> String? {
        let text = string(key)
        if text == nil { complainIfAbsent(key, remedy: remedy) }
        return text
    }

    /// Says that a key is missing or empty, unless something of another type stands there.
    mutating func complainIfAbsent(_ key: String, remedy: String? = nil) {
        switch dictionary[key] {
        case nil: complain(key, .missing(remedy: remedy))
        case .string(""): complain(key, .empty(remedy: remedy))
        default: break
        }
    }

    /// A boolean by the rule of `-boolValue`; nil where the key is absent or empty.
    mutating func boolean(_ key: String) -> Bool? {
        guard let value = dictionary[key], value != .string("") else { return nil }
        guard let flag = value.boolValue else {
            complain(key, .wrongType(expected: .boolean, found: value.kindInWords))
            return nil
        }
        if case .string(let text) = value, !flag, !PropertyList.isPlainNo(text) { complain(key, .countsAsNo(text)) }
        return flag
    }

    /// A whole number, 0 or more, as a number or as the digits that are all an OpenStep plist can say.
    mutating func count(_ key: String) -> Int? {
        switch dictionary[key] {
        case nil, .string(""): return nil
        case .integer(let number) where number >= 0: return Int(exactly: number)
        case .real(let number) where number >= 0 && Int(exactly: number) != nil: return Int(exactly: number)
        case .string(let text):
            if let number = Int(text), number >= 0 { return number }
            complain(key, .wrongType(expected: .count, found: "“\(text)”"))
        case .integer(let number): complain(key, .wrongType(expected: .count, found: "\(number)"))
        case .real(let number): complain(key, .wrongType(expected: .count, found: "\(number)"))
        case .some(let other): complain(key, .wrongType(expected: .count, found: other.kindInWords))
        }
        return nil
    }

    /// A formatter style by its Cocoa name; an unknown name is a fault, and medium stands in for it.
    mutating func dateStyle(_ key: String) -> DateStyle? {
        guard let name = string(key) else { return nil }
        if let style = DateStyle(rawValue: name) { return style }
        let known = DateStyle.allCases.map(\.rawValue)
        complain(
            key,
            .unknownName(
                kind: "formatter style", name: name, nearest: nearestName(to: name, among: known),
                known: known.joined(separator: ", ")))
        return .medium
    }

    /// Warns of every key that is not in the vocabulary, and proposes the known one that is near.
    mutating func complainOfKeys(otherThan known: [String]) {
        guard case .dictionary(let entries) = dictionary else { return }
        let unknown = entries.filter { !known.contains($0.key) }
        for entry in unknown.prefix(DictionaryReader.mostUnknownKeys) {
            complain(entry.key, .unknownKey(nearest: nearestName(to: entry.key, among: known)))
        }
        let more = unknown.count - DictionaryReader.mostUnknownKeys
        if more > 0 { faults.append(Fault(file: file, key: place.isEmpty ? nil : place, .moreUnknownKeys(more))) }
    }
}
