import PropertyLists

/// A JSON text as a value: members in the order of the text, numbers as they are written.
indirect enum JSONValue: Sendable, Equatable {
    struct Member: Sendable, Equatable {
        var name: String
        var value: JSONValue
    }

    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// Its node in an outline; children are made when they are asked for.
    func outline(label: String) -> OutlineNode {
        switch self {
        case .null: OutlineNode(label: label, kind: .null, summary: "null")
        case .boolean(let flag):
            OutlineNode(label: label, kind: .boolean, summary: flag ? "true" : "false", value: .boolean(flag))
        case .number(let text): OutlineNode(label: label, kind: .number, summary: text, value: .string(text))
        case .string(let text): OutlineNode(label: label, kind: .string, summary: text, value: .string(text))
        case .array(let items):
            OutlineNode(
                label: label, kind: .array, summary: "\(items.count) \(items.count == 1 ? "item" : "items")",
                childCount: items.count
            ) { range in range.map { items[$0].outline(label: String($0)) } }
        case .object(let members):
            OutlineNode(
                label: label, kind: .dictionary, summary: "\(members.count) \(members.count == 1 ? "key" : "keys")",
                childCount: members.count
            ) { range in range.map { members[$0].value.outline(label: members[$0].name) } }
        }
    }
}
