import CustomRows
import Foundation
import ObjectStore
import PlistConfig
import Presentation
import PropertyLists

/// A custom row of a detail, and where its values are.
struct FetchedCustomRow: Sendable {
    let row: any CustomRow
    /// Its key paths that the entity has, by their texts.
    let keyPaths: [String: ObjectKeyPath]

    /// Nil where no such row is registered.
    init?(
        _ name: String, _ description: DetailDescription.Row, in entityName: String, schema: Schema, _ registry: CustomRowRegistry
    ) {
        var settings: [String: CustomRowValue] = [:]
        if case .dictionary(let entries)? = description.dictionary {
            for entry in entries { settings[entry.key] = CustomRowValue(entry.value) }
        }
        let configuration = CustomRowConfiguration(label: description.label, dictionary: settings, isEditable: false)
        guard let row = registry.row(named: name, configuration) else { return nil }
        self.row = row
        var found: [String: ObjectKeyPath] = [:]
        for text in row.keyPaths { found[text] = try? schema.keyPath(text, in: entityName) }
        keyPaths = found
    }

    func show(_ values: [ObjectKeyPath: Value], in shown: inout DetailRow) {
        let own = keyPaths.mapValues { CustomRowValue(values[$0] ?? .null) }
        let asked = Dictionary(row.keyPaths.map { ($0, own[$0] ?? .null) }, uniquingKeysWith: { first, _ in first })
        let content = row.content(asked)
        shown.label = content.label
        shown.value = PresentedText(content.text, isPlaceholder: content.isInactive)
    }
}

extension CustomRowValue {
    fileprivate init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let bytes): self = .data(bytes)
        case .uuid(let uuid): self = .text(uuid.uuidString)
        case .object(let object): self = .text("\(object.entityName) \(object.key)")
        case .list(let values): self = .list(values.map { CustomRowValue($0) })
        case .danglingReference: self = .null
        case .source(let text): self = .text(text)
        }
    }

    fileprivate init(_ list: PropertyList) {
        switch list {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .unsigned(let number): self = .real(Double(number))
        case .real(let number): self = .real(number)
        case .boolean(let flag): self = .boolean(flag)
        case .date(let date): self = .date(date)
        case .data(let bytes): self = .data(bytes)
        case .array(let items): self = .list(items.map { CustomRowValue($0) })
        case .dictionary(let entries):
            self = .dictionary(
                Dictionary(entries.map { ($0.key, CustomRowValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
        case .uid(let number): self = .text("UID \(number)")
        }
    }
}
