/// The name by which a section is known; either a string or the one sentinel for "no name".
///
/// The sentinel keeps rows whose section value is missing apart from rows whose value is any string, the empty one included
/// (TLIndexPathTools: the "nil section"). Names are equal as Swift strings are: by canonical equivalence.
public enum SectionName: Hashable, Sendable {
    /// The sentinel: the section of the items that have no section value. It has no title.
    case unnamed
    /// A section called by a string, which is its title too.
    case named(String)

    /// The name for a section value: nil gives the sentinel.
    public init(_ string: String?) {
        if let string { self = .named(string) } else { self = .unnamed }
    }

    /// What a header shows; nil for the sentinel.
    public var title: String? {
        switch self {
        case .unnamed: nil
        case .named(let string): string
        }
    }
}

extension SectionName: ExpressibleByStringLiteral {
    /// A name written as a literal, as in `model.section(named: "A")`.
    public init(stringLiteral value: String) { self = .named(value) }
}

extension SectionName: CustomStringConvertible {
    /// The name in quotation marks, or `(unnamed)`.
    public var description: String {
        switch self {
        case .unnamed: "(unnamed)"
        case .named(let string): "\"\(string)\""
        }
    }
}
