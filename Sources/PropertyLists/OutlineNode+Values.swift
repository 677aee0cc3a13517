internal import Foundation

extension OutlineNode {
    /// The value of a leaf, for those who show or save it in their own way; nil for containers, nulls and what is unreadable.
    /// Copies text and data.
    package var value: PropertyList? {
        switch source {
        case .list(.array), .list(.dictionary): nil
        case .list(let list): list
        case .binary(let list, let reference):
            switch try? list.node(reference) {
            case .boolean(let flag): .boolean(flag)
            case .integer(let number): .integer(number)
            case .unsigned(let number): .unsigned(number)
            case .real(let number): .real(number)
            case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
            case .data(let range): .data(Data(list.bytes[range]))
            case .string(let text): .string(text)
            case .uid(let number): .uid(number)
            default: nil
            }
        case .archive(let archive, let value): Self.value(archive, value)
        case .nested(let bytes, let range): .data(Data(bytes[range]))
        case .made(let value, _): value
        }
    }

    private static func value(_ archive: KeyedArchive, _ value: KeyedArchive.Value) -> PropertyList? {
        switch value {
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .unsigned(number)
        case .real(let number): .real(number)
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let range): .data(archive.data(range))
        case .string(let text): .string(text)
        case .object(let object):
            switch archive.contents(of: object) {
            // Never an object again: what contents gives as a value is plain.
            case .value(.object): nil
            case .value(let inner): Self.value(archive, inner)
            case .uuid(let uuid): .string(uuid.uuidString)
            case .url(let address): .string(address)
            default: nil
            }
        case .null, .list, .record, .unreadable: nil
        }
    }
}

// MARK: - Property lists in memory

extension OutlineNode {
    package init(label: String, list: PropertyList) {
        let source = Source.list(list)
        switch list {
        case .string(let text): self.init(label: label, kind: .string, summary: text, source: source)
        case .integer(let number): self.init(label: label, kind: .number, summary: String(number), source: source)
        case .unsigned(let number): self.init(label: label, kind: .number, summary: String(number), source: source)
        case .real(let number): self.init(label: label, kind: .number, summary: "\(number)", source: source)
        case .boolean(let flag): self.init(label: label, kind: .boolean, summary: flag ? "true" : "false", source: source)
        case .date(let date):
            self.init(label: label, kind: .date, summary: Self.dateText(date.timeIntervalSinceReferenceDate), source: source)
        case .data(let data): self.init(label: label, bytes: [UInt8](data), 0..<data.count, otherwise: source)
        case .uid(let number): self.init(label: label, kind: .number, summary: "UID \(number)", source: source)
        case .array(let items):
            self.init(
                label: label, kind: .array, summary: Self.count(items.count, "item", "items"), childCount: items.count,
                source: source)
        case .dictionary(let entries):
            self.init(
                label: label, kind: .dictionary, summary: Self.count(entries.count, "key", "keys"), childCount: entries.count,
                source: source)
        }
    }

    static func children(of list: PropertyList, _ range: Range<Int>) -> [OutlineNode] {
        switch list {
        case .array(let items): range.map { OutlineNode(label: String($0), list: items[$0]) }
        case .dictionary(let entries): range.map { OutlineNode(label: entries[$0].key, list: entries[$0].value) }
        default: []
        }
    }

    /// A leaf of bytes. Where they hold a property list in the binary format, its root is their only child: made when it is asked
    /// for, since that may hold such bytes again, to any depth.
    init(label: String, bytes: [UInt8], _ range: Range<Int>, otherwise source: Source) {
        let size = Self.count(range.count, "byte", "bytes")
        if bytes[range].starts(with: "bplist00".utf8) {
            self.init(
                label: label, kind: .data, summary: size + ": a property list", childCount: 1, source: .nested(bytes, range))
        } else {
            self.init(label: label, kind: .data, summary: size, source: source)
        }
    }

    static func nested(_ bytes: [UInt8], _ range: Range<Int>) -> OutlineNode {
        do {
            return try root(bytes: Array(bytes[range]))
        } catch {
            return OutlineNode(label: "", kind: .unreadable, summary: error.reason, source: .nested([], 0..<0))
        }
    }
}

// MARK: - Binary property lists

extension OutlineNode {
    init(label: String, _ list: BinaryPropertyList, _ reference: BinaryPropertyList.Reference) {
        let source = Source.binary(list, reference)
        do {
            switch try list.node(reference) {
            case .null: self.init(label: label, kind: .null, summary: "null", source: source)
            case .boolean(let flag): self.init(label: label, kind: .boolean, summary: flag ? "true" : "false", source: source)
            case .integer(let number): self.init(label: label, kind: .number, summary: String(number), source: source)
            case .unsigned(let number): self.init(label: label, kind: .number, summary: String(number), source: source)
            case .real(let number): self.init(label: label, kind: .number, summary: "\(number)", source: source)
            case .date(let seconds): self.init(label: label, kind: .date, summary: Self.dateText(seconds), source: source)
            case .data(let range): self.init(label: label, bytes: list.bytes, range, otherwise: source)
            case .string(let text): self.init(label: label, kind: .string, summary: text, source: source)
            case .uid(let number): self.init(label: label, kind: .number, summary: "UID \(number)", source: source)
            case .array(let items):
                self.init(
                    label: label, kind: .array, summary: Self.count(items.count, "item", "items"), childCount: items.count,
                    identity: reference.number, source: source)
            case .set(let items):
                self.init(
                    label: label, kind: .set, summary: Self.count(items.count, "item", "items"), childCount: items.count,
                    identity: reference.number, source: source)
            case .dictionary(let keys, _):
                self.init(
                    label: label, kind: .dictionary, summary: Self.count(keys.count, "key", "keys"), childCount: keys.count,
                    identity: reference.number, source: source)
            }
        } catch {
            self.init(label: label, kind: .unreadable, summary: error.reason, source: source)
        }
    }

    static func children(
        of list: BinaryPropertyList, _ reference: BinaryPropertyList.Reference, _ range: Range<Int>
    ) -> [OutlineNode] {
        switch try? list.node(reference) {
        case .array(let items), .set(let items): range.map { OutlineNode(label: String($0), list, items[$0]) }
        case .dictionary(let keys, let values):
            range.map { OutlineNode(label: OutlineNode(label: "", list, keys[$0]).summary, list, values[$0]) }
        default: []
        }
    }
}
