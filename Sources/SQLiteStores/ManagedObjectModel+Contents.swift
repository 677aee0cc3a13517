internal import PropertyLists

/// The newer source form, `contents` in an `.xcdatamodel`: XML.
extension ManagedObjectModel {
    static func read(contents bytes: [UInt8], file: String) throws(ManagedObjectModelError) -> ManagedObjectModel {
        do {
            var reader = try ModelContentsReader(bytes: bytes)
            return ManagedObjectModel(entities: finished(try reader.read()))
        } catch {
            throw ManagedObjectModelError(error, file: file)
        }
    }
}

private struct ModelContentsReader {
    private var scanner: XMLScanner
    private var path: [String] = []
    private var entity: ManagedObjectModel.EntityDescription?
    private var entities: [ManagedObjectModel.EntityDescription] = []

    private static let depthLimit = 64

    init(bytes: [UInt8]) throws(PropertyListError) { scanner = try XMLScanner(bytes: bytes) }

    mutating func read() throws(PropertyListError) -> [ManagedObjectModel.EntityDescription] {
        var isModel = false
        while true {
            switch try scanner.next() {
            case .start(let name, let attributes, let isEmpty):
                if path.isEmpty {
                    guard name == "model", !isModel else { throw scanner.failure("<\(name)> where <model> belongs") }
                    isModel = true
                }
                guard path.count < Self.depthLimit else {
                    throw PropertyListError(cause: .tooDeep(limit: Self.depthLimit, line: scanner.line))
                }
                try begin(name, attributes)
                path.append(name)
                if isEmpty { end() }
            case .end(let name):
                guard path.last == name else { throw scanner.failure("</\(name)> does not close <\(path.last ?? "")>") }
                end()
            case .text(let text):
                guard isModel || text.utf8.allSatisfy({ $0 <= 0x20 }) else { throw scanner.failure("text where <model> belongs") }
            case .endOfFile:
                guard isModel else { throw scanner.failure("no <model> in it") }
                guard let open = path.last else { return entities }
                throw scanner.failure("the file ends inside <\(open)>")
            }
        }
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) throws(PropertyListError) {
        switch (path.count, name) {
        case (1, "entity"):
            var entity = ManagedObjectModel.EntityDescription(name: try required("name", of: name, attributes))
            entity.superentityName = attributes["parentEntity"]
            entity.isAbstract = attributes["isAbstract"] == "YES"
            self.entity = entity
        case (2, "attribute") where entity != nil:
            let code = attributes["attributeType"].map { Self.typeCodes[$0] ?? 0 } ?? 0
            var attribute = ManagedObjectModel.AttributeDescription(
                name: try required("name", of: name, attributes), typeCode: code)
            attribute.isOptional = attributes["optional"] == "YES"
            attribute.isTransient = attributes["transient"] == "YES"
            attribute.allowsExternalStorage = attributes["allowsExternalBinaryDataStorage"] == "YES"
            attribute.valueTransformerName = attributes["valueTransformerName"]
            entity?.attributes.append(attribute)
        case (2, "relationship") where entity != nil:
            guard let destination = attributes["destinationEntity"] else { return }
            var relationship = ManagedObjectModel.RelationshipDescription(
                name: try required("name", of: name, attributes), destinationEntityName: destination)
            relationship.inverseName = attributes["inverseName"]
            relationship.isToMany = attributes["toMany"] == "YES" || attributes["maxCount"].map { $0 != "1" } ?? false
            relationship.isOrdered = attributes["ordered"] == "YES"
            relationship.isOptional = attributes["optional"] == "YES"
            relationship.isTransient = attributes["transient"] == "YES"
            relationship.deleteRule = attributes["deletionRule"].flatMap { Self.deleteRules[$0] } ?? 1
            entity?.relationships.append(relationship)
        default: break
        }
    }

    private mutating func end() {
        path.removeLast()
        guard path.count == 1, let entity else { return }
        entities.append(entity)
        self.entity = nil
    }

    private func required(_ attribute: String, of element: String, _ attributes: [String: String]) throws(PropertyListError)
        -> String
    {
        guard let value = attributes[attribute] else { throw scanner.failure("<\(element)> without the attribute \(attribute)") }
        return value
    }

    private static let deleteRules = ["No Action": 0, "Nullify": 1, "Cascade": 2, "Deny": 3]

    private static let typeCodes = [
        "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400, "Double": 500, "Float": 600, "String": 700,
        "Boolean": 800, "Date": 900, "Binary": 1000, "UUID": 1100, "URI": 1200, "Transformable": 1800, "Object ID": 2000,
        "Composite": 2100,
    ]
}
