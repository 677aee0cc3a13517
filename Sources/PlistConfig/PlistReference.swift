import ObjectStore

/// The reference of the plists (docs/plist-reference.md), made from the keys that the loader reads.
package enum PlistReference {
    /// What one key may be and means.
    struct Entry: Equatable {
        enum Kind: Equatable {
            case value(Complaint.Expectation)
            /// A string that is one of some names, and what to call them.
            case name(String)
        }

        let kind: Kind
        /// What it means; nothing for a key that is another's second name.
        let meaning: String
        var isRequired = false

        init(_ expectation: Complaint.Expectation, _ meaning: String, isRequired: Bool = false) {
            kind = .value(expectation)
            self.meaning = meaning
            self.isRequired = isRequired
        }

        init(oneOf names: String, _ meaning: String, isRequired: Bool = false) {
            kind = .name(names)
            self.meaning = meaning
            self.isRequired = isRequired
        }

        var kindText: String {
            switch kind {
            case .value(let expectation): expectation.rawValue
            case .name(let names): names
            }
        }
    }

    /// The page.
    package static var text: String {
        """
        # The keys of the plists

        Made by `script/make-docs` from the table of keys that the program reads plists by. [manual.md](manual.md) says how they work
        together; `tlbrowse --check FILE` checks them; `tlbrowse --scaffold DIR DATA` writes a first version.

        Plists may be in OpenStep, XML or binary format. An empty string counts as a missing key. An unknown key is a warning.

        ## The list plist

        A dictionary.

        \(table(ListKey.allCases) { ($0.rawValue, $0.reference, ListKey.notYet.contains($0)) })

        An entry of `sortKeyPaths` is a key path, with a leading `-` for downwards, or a dictionary:

        \(table(SortEntryKey.allCases) { ($0.rawValue, $0.reference, false) })

        | selector | compares strings |
        | --- | --- |
        \(SortDescriptor.Selector.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" }.joined(separator: "\n"))

        Numbers and dates are compared as such, whatever the selector; NULL stands first.

        ## The detail plist

        An array of sections, each a dictionary:

        \(table(DetailSectionKey.allCases) { ($0.rawValue, $0.reference, false) })

        A row is a dictionary:

        \(table(DetailRowKey.allCases) { ($0.rawValue, $0.reference, DetailRowKey.notYet.contains($0)) })

        | `rowType` | looks like |
        | --- | --- |
        \(DetailDescription.RowType.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" }.joined(separator: "\n"))

        ## Formatter styles

        \(DateStyle.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")). One that is not given is
        `\(DateStyle.none.rawValue)`; where neither is, date and time are medium.

        ## Key paths

        Names of attributes and relationships with dots between them: `name`, `category.name`. Names are found exactly, else whatever
        their case. At the end of a key path:

        | | the value |
        | --- | --- |
        \(derivations)

        After a to-many relationship:

        | | the value |
        | --- | --- |
        | `tags.@count` | how many objects |
        \(ObjectKeyPath.Aggregate.allCases.map { "| `orders.\($0.rawValue).total` | \($0.meaning) |" }.joined(separator: "\n"))

        """
    }

    static func table<Key>(_ keys: [Key], _ entry: (Key) -> (String, Entry, isNotYet: Bool)) -> String {
        let rows = keys.map { key in
            let (name, entry, isNotYet) = entry(key)
            let meaning = entry.meaning + (isNotYet ? " (accepted, not in effect yet)" : "")
            return
                "| `\(name)` | \(entry.kindText.replacing("|", with: "\\|")) | \(entry.isRequired ? "required" : "") | \(meaning) |"
        }
        return "| key | value | | meaning |\n| --- | --- | --- | --- |\n" + rows.joined(separator: "\n")
    }

    private static var derivations: String {
        ObjectKeyPath.Derivation.allCases.map { derivation in
            let example =
                switch derivation {
                case .firstLetter: "name.\(derivation.rawValue)"
                case .year, .month, .day: "birthday.\(derivation.rawValue)"
                case .nameFirstLetter: derivation.rawValue
                }
            return "| `\(example)` | \(derivation.meaning) |"
        }.joined(separator: "\n")
    }
}

extension ObjectKeyPath.Derivation {
    fileprivate var meaning: String {
        switch self {
        case .firstLetter: "the first letter, upper-cased and without accent; `#` for anything else"
        case .year: "the year of a date"
        case .month: "its month, from 1 to 12"
        case .day: "its day of the month"
        case .nameFirstLetter:
            "CDL's rule, where the entity has `name` and stores no such attribute: the first character upper-cased, `#` for a digit, `\"\"` for nothing"
        }
    }
}

extension ObjectKeyPath.Aggregate {
    fileprivate var meaning: String {
        switch self {
        case .sum: "the sum of an attribute"
        case .average: "its mean"
        case .minimum: "its least value"
        case .maximum: "its greatest value"
        }
    }
}

extension SortDescriptor.Selector {
    fileprivate var meaning: String {
        switch self {
        case .compare: "by code point"
        case .caseInsensitiveCompare: "without regard to case, accents after all letters; what a bare key path means"
        case .localizedCaseInsensitiveCompare: "as the language of the user has it, without regard to case"
        case .localizedStandardCompare: "as a person expects: Á beside A, 9 before 10; what lists without a plist use"
        }
    }
}
