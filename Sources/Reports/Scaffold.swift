package import ObjectStore
import PlistConfig

/// A list plist and a detail plist for each entity of some data: what `--scaffold` writes.
package struct Scaffold: Sendable {
    package struct File: Sendable, Equatable {
        /// With `.plist`, without folder.
        package let name: String
        package let text: String
    }

    /// A list plist and then its detail, entity by entity.
    package private(set) var files: [File] = []
    /// Entities that have nothing a list could show.
    package private(set) var entitiesWithoutFiles: [String] = []

    private let schema: Schema
    private let dataFile: String?
    private let modelFile: String?
    /// Names in use, in lower case: some file systems do not tell cases apart.
    private var names: Set<String> = []

    /// System entities are left out.
    ///
    /// - Parameters:
    ///   - entityName: only this entity; nil: all.
    ///   - dataFile: path of the data from the folder of the plists.
    ///   - modelFile: path of the model, where one was named.
    package init(schema: Schema, entityName: String? = nil, dataFile: String?, modelFile: String? = nil) {
        self.schema = schema
        self.dataFile = dataFile
        self.modelFile = modelFile
        let chosen = entityName.flatMap { schema.entity(named: $0) }.map { [$0] } ?? schema.entities.filter { !$0.isSystem }
        for entity in chosen { add(entity) }
    }

    private mutating func add(_ entity: Entity) {
        guard var list = list(of: entity), let detail = detail(of: entity) else {
            entitiesWithoutFiles.append(entity.name)
            return
        }
        let stem = newStem(for: entity)
        list.detailViewPropertyListFile = stem + "DetailView"
        list.dataFile = dataFile
        list.modelFile = modelFile
        let listFile = stem + "ListView.plist"
        files.append(File(name: listFile, text: text(of: list, entity: entity, file: listFile)))
        files.append(File(name: stem + "DetailView.plist", text: text(of: detail, entity: entity)))
    }

    // MARK: What the plists say

    /// The list made from the schema, of what a plist can name; nil if that is nothing.
    private func list(of entity: Entity) -> ListDescription? {
        var list = ListDescription.fromSchema(entity, in: schema)
        func isValue(_ path: String) -> Bool {
            guard let found = try? schema.keyPath(path, in: entity.name) else { return false }
            return !found.isToMany && found.ending != .object
        }
        if !isValue(list.cellTextLabelKeyPath) {
            let candidates =
                entity.attributes.filter { !$0.isTransient }.map(\.name)
                + entity.relationships.map { relationship in
                    if relationship.isToMany { return "\(relationship.name).@count" }
                    return "\(relationship.name).\(destination(of: relationship)?.displayAttribute?.name ?? "")"
                }
            guard let path = candidates.first(where: isValue) else { return nil }
            list.cellTextLabelKeyPath = path
            list.sortKeyPaths = [ListDescription.SortEntry(keyPath: path)]
            list.sectionKeyPath = nil
        }
        list.sectionKeyPath = list.sectionKeyPath.flatMap { isValue($0) ? $0 : nil }
        list.cellDetailTextLabelKeyPaths.removeAll { !isValue($0) || $0 == list.cellTextLabelKeyPath }
        list.showsDetailColumns = !list.cellDetailTextLabelKeyPaths.isEmpty
        return list
    }

    /// The detail made from the schema, without rows that a check would find fault with, such as of a column called “a..b”.
    private func detail(of entity: Entity) -> DetailDescription? {
        var detail = DetailDescription.fromSchema(entity, in: schema)
        for place in detail.sections.indices {
            detail.sections[place].rows = detail.sections[place].rows.compactMap { row in
                var row = row
                if passesCheck(row, of: entity) { return row }
                // A relationship whose objects are named by a column with a dot shows the objects themselves.
                guard row.type == .relationship || row.type.isToMany, let name = row.label else { return nil }
                row.attributeKeyPath = name
                return passesCheck(row, of: entity) ? row : nil
            }
        }
        detail.sections.removeAll { $0.rows.isEmpty }
        return detail.sections.isEmpty ? nil : detail
    }

    private func passesCheck(_ row: DetailDescription.Row, of entity: Entity) -> Bool {
        let alone = DetailDescription(sections: [DetailDescription.Section(rows: [row])])
        guard let plist = PlistText.parsed(PlistText.detail(alone)) else { return false }
        let (read, faults) = DetailDescription.decode(plist, file: "")
        guard faults.isEmpty, let read else { return false }
        return read.resolve(in: schema, entityName: entity.name).faults.isEmpty
    }

    func destination(of relationship: Relationship) -> Entity? { schema.entity(named: relationship.destinationEntityName) }

    // MARK: Names

    private mutating func newStem(for entity: Entity) -> String {
        let letters = entity.name.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" ? Character(scalar) : "_"
        }
        let stem = letters.isEmpty ? "Entity" : String(letters.prefix(60))
        var candidate = stem
        var number = 2
        while names.contains(candidate.lowercased()) {
            candidate = "\(stem)\(number)"
            number += 1
        }
        names.insert(candidate.lowercased())
        return candidate
    }
}
