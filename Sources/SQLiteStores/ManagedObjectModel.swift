/// A Core Data model as its file says, whatever the format of the file; not yet matched to a store's tables.
package struct ManagedObjectModel: Sendable, Equatable {
    package struct EntityDescription: Sendable, Equatable {
        package var name: String
        package var superentityName: String?
        package var isAbstract = false
        /// Own properties only: none that an ancestor has too.
        package var attributes: [AttributeDescription] = []
        package var relationships: [RelationshipDescription] = []

        package init(name: String) { self.name = name }
    }

    package struct AttributeDescription: Sendable, Equatable {
        package var name: String
        /// Core Data's number for the type (700 is String); 0 is undefined.
        package var typeCode: Int
        package var isOptional = true
        package var isTransient = false
        package var allowsExternalStorage = false
        package var valueTransformerName: String?

        package init(name: String, typeCode: Int) {
            self.name = name
            self.typeCode = typeCode
        }
    }

    package struct RelationshipDescription: Sendable, Equatable {
        package var name: String
        package var destinationEntityName: String
        package var inverseName: String?
        package var isToMany = false
        package var isOrdered = false
        package var isOptional = true
        package var isTransient = false
        /// Core Data's number: 0 no action, 1 nullify, 2 cascade, 3 deny.
        package var deleteRule = 1

        package init(name: String, destinationEntityName: String) {
            self.name = name
            self.destinationEntityName = destinationEntityName
        }
    }

    package var entities: [EntityDescription]
    /// Entity name → hash of its version, where the file has them; compared with the store's own.
    package var versionHashes: [String: [UInt8]]

    package init(entities: [EntityDescription], versionHashes: [String: [UInt8]] = [:]) {
        self.entities = entities
        self.versionHashes = versionHashes
    }
}
