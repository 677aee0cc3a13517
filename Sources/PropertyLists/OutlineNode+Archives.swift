internal import Foundation

extension OutlineNode {
    init(label: String, _ archive: KeyedArchive, _ value: KeyedArchive.Value) {
        let source = Source.archive(archive, value)
        switch value {
        case .null: self.init(label: label, kind: .null, summary: "null", source: source)
        case .boolean(let flag): self.init(label: label, kind: .boolean, summary: flag ? "true" : "false", source: source)
        case .integer(let number): self.init(label: label, kind: .number, summary: String(number), source: source)
        case .unsigned(let number): self.init(label: label, kind: .number, summary: String(number), source: source)
        case .real(let number): self.init(label: label, kind: .number, summary: "\(number)", source: source)
        case .date(let seconds): self.init(label: label, kind: .date, summary: Self.dateText(seconds), source: source)
        case .data(let range): self.init(label: label, bytes: archive.list.bytes, range, otherwise: source)
        case .string(let text): self.init(label: label, kind: .string, summary: text, source: source)
        case .unreadable(let reason): self.init(label: label, kind: .unreadable, summary: reason, source: source)
        case .list(let items):
            self.init(
                label: label, kind: .array, summary: Self.count(items.count, "item", "items"), childCount: items.count,
                source: source)
        case .record(let fields):
            self.init(
                label: label, kind: .dictionary, summary: Self.count(fields.names.count, "key", "keys"),
                childCount: fields.names.count, source: source)
        case .object(let object): self.init(label: label, archive, object)
        }
    }

    private init(label: String, _ archive: KeyedArchive, _ object: KeyedArchive.Object) {
        let source = Source.archive(archive, .object(object))
        let name = archive.className(of: object) ?? "object of an unknown class"
        func container(_ kind: Kind, _ number: Int, _ one: String, _ many: String) -> OutlineNode {
            OutlineNode(
                label: label, kind: kind, summary: "\(name), \(Self.count(number, one, many))", childCount: number,
                identity: object.uid, source: source)
        }
        switch archive.contents(of: object) {
        case .array(let items): self = container(.array, items.count, "item", "items")
        case .set(let items): self = container(.set, items.count, "item", "items")
        case .dictionary(let keys, let values): self = container(.dictionary, min(keys.count, values.count), "key", "keys")
        case .value(.object): self = container(.object, 0, "field", "fields")
        case .value(let value): self.init(label: label, archive, value)
        case .uuid(let uuid): self.init(label: label, kind: .string, summary: uuid.uuidString, source: source)
        case .url(let address): self.init(label: label, kind: .string, summary: address, source: source)
        case .fields(let fields):
            let number = Self.shownFields(fields).count
            var summary = name
            // An attributed string reads as its text.
            if case .string(let text) = fields["NSString"] { summary += ": " + text }
            self.init(label: label, kind: .object, summary: summary, childCount: number, identity: object.uid, source: source)
        }
    }

    /// The positions of an object's fields but for its class, which the summary names.
    private static func shownFields(_ fields: KeyedArchive.Fields) -> [Int] {
        fields.names.indices.filter { fields.names[$0] != "$class" }
    }

    static func children(of archive: KeyedArchive, _ value: KeyedArchive.Value, _ range: Range<Int>) -> [OutlineNode] {
        switch value {
        case .list(let items): return range.map { OutlineNode(label: String($0), archive, items[$0]) }
        case .record(let fields): return range.map { OutlineNode(label: fields.names[$0], archive, fields.values[$0]) }
        case .object(let object):
            switch archive.contents(of: object) {
            case .array(let items), .set(let items): return range.map { OutlineNode(label: String($0), archive, items[$0]) }
            case .dictionary(let keys, let values):
                return range.map { OutlineNode(label: OutlineNode(label: "", archive, keys[$0]).summary, archive, values[$0]) }
            case .fields(let fields):
                let positions = shownFields(fields)
                return range.map { OutlineNode(label: fields.names[positions[$0]], archive, fields.values[positions[$0]]) }
            default: return []
            }
        default: return []
        }
    }
}
