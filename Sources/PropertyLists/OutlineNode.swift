internal import Foundation

/// A node of a property list or keyed archive as an outline shows it; its children are made when they are asked for, so cyclic and
/// shared objects can be walked as far as one likes.
package struct OutlineNode: Sendable {
    /// What a node is, for its look.
    package enum Kind: Sendable, Equatable {
        case null
        case boolean
        case number
        case string
        case date
        case data
        case array
        case set
        case dictionary
        /// An instance of a class, which `summary` names.
        case object
        /// Where the file is damaged; `summary` says how.
        case unreadable
    }

    enum Source: Sendable {
        case list(PropertyList)
        case binary(BinaryPropertyList, BinaryPropertyList.Reference)
        case archive(KeyedArchive, KeyedArchive.Value)
        /// Bytes that hold a property list of their own.
        case nested([UInt8], Range<Int>)
        /// A node of another format.
        case made(PropertyList?, @Sendable (Range<Int>) -> [OutlineNode])
    }

    /// The key or the 0-based index in the parent; empty or `root` at the top. Control characters show as symbols.
    package let label: String
    package let kind: Kind
    /// The value in one line, clipped: the text, the number of elements, the class.
    package let summary: String
    /// How many children there are; 0 for a leaf.
    package let childCount: Int
    /// The number of the object in its file, where it may occur in several places: a node that has the identity of one of its
    /// ancestors closes a cycle.
    package let identity: Int?
    let source: Source

    /// How many characters a summary has at most.
    static let summaryLength = 200

    /// The outline of the property list or keyed archive in `bytes`, of any format. Linear in the size of a text format, O(1) for
    /// the binary one.
    package static func root(bytes: [UInt8], label: String = "") throws(PropertyListError) -> OutlineNode {
        guard bytes.starts(with: "bplist".utf8) else {
            return OutlineNode(label: label, list: try PropertyListReader.read(bytes: bytes))
        }
        return root(of: try BinaryPropertyList(bytes: bytes), label: label)
    }

    /// The outline of what can still be read of a binary property list that `root` refuses, and a line that says where it breaks off;
    /// nil when nothing can.
    package static func salvaged(bytes: [UInt8], label: String = "") -> (root: OutlineNode, problem: String)? {
        guard let list = try? BinaryPropertyList(salvaging: bytes), let place = list.brokenAt else { return nil }
        let problem = "cut off or damaged at byte \(place); \(count(list.objectCount, "object", "objects")) could be read"
        return (root(of: list, label: label), problem)
    }

    /// The outline of a binary property list; of its root object if it is a keyed archive.
    package static func root(of list: BinaryPropertyList, label: String = "") -> OutlineNode {
        guard let archive = try? KeyedArchive(list) else { return OutlineNode(label: label, list, list.top) }
        return root(of: archive, label: label)
    }

    /// The outline of a keyed archive's root object, or of its top keys where there are several.
    package static func root(of archive: KeyedArchive, label: String = "") -> OutlineNode {
        let top = archive.top
        return OutlineNode(label: label, archive, top.names.count <= 1 ? archive.root : .record(top))
    }

    /// The child at a 0-based position; nil beyond the last. O(1) but for text and, in archives, the object's fields.
    package func child(at position: Int) -> OutlineNode? { children(in: position..<(position + 1)).first }

    /// The children at 0-based positions, clamped to those that there are.
    package func children(in positions: Range<Int>) -> [OutlineNode] {
        let range = positions.clamped(to: 0..<childCount)
        guard !range.isEmpty else { return [] }
        return switch source {
        case .list(let list): Self.children(of: list, range)
        case .binary(let list, let reference): Self.children(of: list, reference, range)
        case .archive(let archive, let value): Self.children(of: archive, value, range)
        case .nested(let bytes, let place): [Self.nested(bytes, place)]
        case .made(_, let children): children(range)
        }
    }

    /// A node of a format that this module does not read.
    ///
    /// - Parameters:
    ///   - value: what `value` answers.
    ///   - children: makes the children at positions, all of them below `childCount`.
    package init(
        label: String, kind: Kind, summary: String, childCount: Int = 0, value: PropertyList? = nil,
        children: @escaping @Sendable (Range<Int>) -> [OutlineNode] = { _ in [] }
    ) {
        self.init(label: label, kind: kind, summary: summary, childCount: childCount, source: .made(value, children))
    }

    /// All children. O(children).
    package func children() -> [OutlineNode] { children(in: 0..<childCount) }

    init(label: String, kind: Kind, summary: String, childCount: Int = 0, identity: Int? = nil, source: Source) {
        self.label = Self.line(label)
        self.kind = kind
        self.summary = Self.line(summary)
        self.childCount = childCount
        self.identity = identity
        self.source = source
    }

    /// A text as one line: clipped, control characters as symbols. O(length of the line).
    package static func line(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < summaryLength else {
                scalars.append("…")
                break
            }
            count += 1
            scalars.append(PropertyListError.printable(scalar))
        }
        return String(scalars)
    }

    static func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }

    static func dateText(_ seconds: Double) -> String {
        // What the years 1 to 9999 cover; beyond them there is no such text.
        guard seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return "\(seconds) s since 2001" }
        return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    }
}
