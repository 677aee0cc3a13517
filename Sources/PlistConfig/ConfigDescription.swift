import ObjectStore
package import PropertyLists

/// The vocabulary of the program's own config plist.
enum ConfigKey: String, CaseIterable {
    case colors, keys
}

/// The keys of a look that is a dictionary.
enum LookKey: String, CaseIterable {
    case foreground, background, attributes
}

/// What a config plist may name; the program says it, the loader and the reference go by it.
package struct ConfigVocabulary: Sendable {
    package struct Name: Sendable {
        package let name: String
        package let meaning: String
        /// Where it holds: two commands that share a screen cannot share a key.
        package let screens: Set<String>

        package init(_ name: String, _ meaning: String, on screens: Set<String> = []) {
            self.name = name
            self.meaning = meaning
            self.screens = screens
        }
    }

    /// What colours can be given to.
    package let roles: [Name]
    /// Those of them that may have a background, and be reverse.
    package let wholeLines: Set<String>
    /// Names of colours; numbers and `#rrggbb` are colours, too.
    package let colors: [String]
    package let isColor: @Sendable (String) -> Bool
    package let attributes: [String]
    /// What keys can be given to, with the keys that they have.
    package let commands: [Name]
    /// Names of the keys that are no characters.
    package let keys: [String]
    package let isKey: @Sendable (String) -> Bool
    /// A key's one spelling.
    package let keyName: @Sendable (String) -> String

    package init(
        roles: [Name], wholeLines: Set<String>, colors: [String], isColor: @escaping @Sendable (String) -> Bool,
        attributes: [String], commands: [Name], keys: [String], isKey: @escaping @Sendable (String) -> Bool,
        keyName: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.roles = roles
        self.wholeLines = wholeLines
        self.colors = colors
        self.isColor = isColor
        self.attributes = attributes
        self.commands = commands
        self.keys = keys
        self.isKey = isKey
        self.keyName = keyName
    }
}

/// What a config plist says: looks by role and keys by command, each checked against the vocabulary.
package struct ConfigDescription: Sendable, Equatable {
    package struct Look: Sendable, Equatable {
        package var foreground: String?
        package var background: String?
        package var attributes: [String]?
    }

    /// In the order of the file.
    package private(set) var looks: [(role: String, look: Look)] = []
    package private(set) var keys: [(command: String, keys: [String])] = []

    package static func == (left: Self, right: Self) -> Bool {
        left.looks.elementsEqual(right.looks, by: ==) && left.keys.elementsEqual(right.keys, by: ==)
    }

    /// Reads a config plist. What is at fault is left out of the description and reported; the rest holds all the same.
    package static func load(file: String, vocabulary: ConfigVocabulary) -> (description: ConfigDescription, faults: [Fault]) {
        do {
            return decode(try PropertyListReader.read(file: file), file: file, vocabulary: vocabulary)
        } catch {
            return (ConfigDescription(), [Fault(file: file, error)])
        }
    }

    package static func decode(
        _ plist: PropertyList, file: String, vocabulary: ConfigVocabulary
    ) -> (description: ConfigDescription, faults: [Fault]) {
        var description = ConfigDescription()
        guard case .dictionary = plist else {
            return (description, [Fault(file: file, key: nil, .wrongType(expected: .config, found: plist.kindInWords))])
        }
        var reader = DictionaryReader(file: file, dictionary: plist)
        reader.complainOfKeys(otherThan: ConfigKey.allCases.map(\.rawValue))
        var faults = reader.faults
        for key in ConfigKey.allCases {
            guard let value = plist[key.rawValue], value != .string("") else { continue }
            guard case .dictionary(let entries) = value else {
                faults.append(
                    Fault(file: file, key: key.rawValue, .wrongType(expected: .dictionary, found: value.kindInWords)))
                continue
            }
            var inner = ConfigReader(DictionaryReader(file: file, place: key.rawValue, dictionary: value), vocabulary)
            let known = (key == .colors ? vocabulary.roles : vocabulary.commands).map(\.name)
            inner.reader.complainOfKeys(otherThan: known)
            for entry in entries where known.contains(entry.key) {
                switch key {
                case .colors:
                    if let look = inner.look(entry.key, entry.value) { description.looks.append((entry.key, look)) }
                case .keys:
                    guard let keys = inner.keys(entry.key, entry.value) else { break }
                    let free = inner.keys(keys, of: entry.key, notIn: description.keys)
                    if !free.isEmpty || keys.isEmpty { description.keys.append((entry.key, free)) }
                }
            }
            faults += inner.reader.faults
        }
        return (description, faults)
    }

    /// Whether a property list is one: nothing else has these keys and no other.
    package static func isOne(_ plist: PropertyList) -> Bool {
        guard case .dictionary(let entries) = plist, !entries.isEmpty else { return false }
        let known = ConfigKey.allCases.map(\.rawValue)
        let (own, others) = (entries.filter { known.contains($0.key) }, entries.filter { !known.contains($0.key) })
        return others.isEmpty
            || !own.isEmpty
                && own.allSatisfy {
                    if case .dictionary = $0.value { true } else { false }
                }
    }
}

/// Reads the entries of one of its dictionaries.
private struct ConfigReader {
    var reader: DictionaryReader
    let vocabulary: ConfigVocabulary

    init(_ reader: DictionaryReader, _ vocabulary: ConfigVocabulary) {
        self.reader = reader
        self.vocabulary = vocabulary
    }

    // MARK: Colours

    /// Words, or a dictionary; nil where nothing of it can be used.
    mutating func look(_ role: String, _ value: PropertyList) -> ConfigDescription.Look? {
        var look = ConfigDescription.Look()
        switch value {
        case .dictionary(let entries):
            let known = LookKey.allCases.map(\.rawValue)
            for entry in entries {
                let key = "\(role).\(entry.key)"
                switch LookKey(rawValue: entry.key) {
                case .foreground: look.foreground = color(key, entry.value)
                case .background:
                    guard vocabulary.wholeLines.contains(role) else {
                        reader.complain(key, .onlyForWholeLines(vocabulary.wholeLines.sorted()))
                        continue
                    }
                    look.background = color(key, entry.value)
                case .attributes: look.attributes = attributes(key, role, words(key, entry.value))
                case nil: reader.complain(key, .unknownKey(nearest: nearestName(to: entry.key, among: known)))
                }
            }
        case .string, .integer, .array:
            for word in words(role, value) {
                if vocabulary.attributes.contains(word) {
                    look.attributes = (look.attributes ?? []) + attributes(role, role, [word])
                } else if look.foreground == nil {
                    look.foreground = color(role, .string(word), orOneOf: vocabulary.attributes)
                } else {
                    reader.complain(role, .tooManyColors(word))
                }
            }
        default:
            reader.complain(role, .wrongType(expected: .look, found: value.kindInWords))
        }
        return look == ConfigDescription.Look() ? nil : look
    }

    private mutating func color(_ key: String, _ value: PropertyList, orOneOf others: [String] = []) -> String? {
        let text: String
        switch value {
        case .string(let word): text = word
        case .integer(let number): text = String(number)
        default:
            reader.complain(key, .wrongType(expected: .color, found: value.kindInWords))
            return nil
        }
        guard !vocabulary.isColor(text) else { return text }
        let names = vocabulary.colors + others
        reader.complain(
            key,
            .unknownName(
                kind: "colour", name: text, nearest: nearestName(to: text, among: names),
                known: "\(vocabulary.colors.joined(separator: ", ")), 0 to 255, #rrggbb"))
        return nil
    }

    private mutating func attributes(_ key: String, _ role: String, _ words: [String]) -> [String] {
        words.filter { word in
            guard vocabulary.attributes.contains(word) else {
                reader.complain(
                    key,
                    .unknownName(
                        kind: "attribute", name: word, nearest: nearestName(to: word, among: vocabulary.attributes),
                        known: vocabulary.attributes.joined(separator: ", ")))
                return false
            }
            guard word != "reverse" || vocabulary.wholeLines.contains(role) else {
                reader.complain(key, .onlyForWholeLines(vocabulary.wholeLines.sorted()))
                return false
            }
            return true
        }
    }

    /// The words of a string, or of an array of strings and numbers.
    private mutating func words(_ key: String, _ value: PropertyList) -> [String] {
        switch value {
        case .string(let text): return text.split(separator: " ").map(String.init)
        case .integer(let number): return [String(number)]
        case .array(let parts):
            var words: [String] = []
            for (place, part) in parts.enumerated() {
                switch part {
                case .string(let text): words.append(text)
                case .integer(let number): words.append(String(number))
                default: reader.complain("\(key)[\(place)]", .wrongType(expected: .string, found: part.kindInWords))
                }
            }
            return words
        default:
            reader.complain(key, .wrongType(expected: .string, found: value.kindInWords))
            return []
        }
    }

    // MARK: Keys

    /// Those of a command's keys that no other command has been given where both are; the rest are complained of. What is said of one
    /// screen and what is said of all go together: the one screen's comes first.
    mutating func keys(_ keys: [String], of command: String, notIn given: [(command: String, keys: [String])]) -> [String] {
        func screens(_ name: String) -> Set<String> { vocabulary.commands.first { $0.name == name }?.screens ?? [] }
        let own = screens(command)
        return keys.filter { key in
            let name = vocabulary.keyName(key)
            let other = given.first { other in
                other.command != command && other.command.contains(".") == command.contains(".")
                    && !screens(other.command).isDisjoint(with: own)
                    && other.keys.contains { vocabulary.keyName($0) == name }
            }
            if let other { reader.complain(command, .boundTwice(key: key, other: other.command)) }
            return other == nil
        }
    }

    /// A key, or an array of keys; an empty array takes the command's keys away.
    mutating func keys(_ command: String, _ value: PropertyList) -> [String]? {
        let parts: [(place: String, key: PropertyList)]
        switch value {
        case .array(let keys): parts = keys.enumerated().map { ("\(command)[\($0.offset)]", $0.element) }
        case .string, .integer: parts = [(command, value)]
        default:
            reader.complain(command, .wrongType(expected: .keys, found: value.kindInWords))
            return nil
        }
        var keys: [String] = []
        for (place, part) in parts {
            let text: String
            switch part {
            case .string(let name): text = name
            case .integer(let digit): text = String(digit)
            default:
                reader.complain(place, .wrongType(expected: .string, found: part.kindInWords))
                continue
            }
            guard vocabulary.isKey(text) else {
                reader.complain(
                    place,
                    .unknownName(
                        kind: "key", name: text, nearest: nearestName(to: text, among: vocabulary.keys),
                        known: "a character, ^ and a letter, \(vocabulary.keys.joined(separator: ", "))"))
                continue
            }
            keys.append(text)
        }
        // A key that is not one must not take away those that the command has.
        return keys.isEmpty && !parts.isEmpty ? nil : keys
    }
}
