import CSQLite
import Foundation
package import ObjectStore

/// The reading connections of a database that the program made for itself, such as the one a document is read into.
package struct PrivateReaders: Sendable {
    let connections: [Connection]

    /// Opens a database by its URI; nothing is read before the first fetch, so that it may still be empty.
    package init(uri: String, name: String) throws(StoreError) {
        var made: [Connection] = []
        for _ in 0..<3 {
            let connection = try Connection(uri: uri, flags: SQLITE_OPEN_READONLY, name: name)
            connection.allowViews(false)
            made.append(connection)
        }
        connections = made
    }
}

/// Where the objects of one entity lie in a private database.
package struct PrivateTable: Sendable {
    package enum Way: Sendable {
        /// The object's own column holds the destination's key.
        case toOne(column: String)
        /// The destination's column holds this object's key.
        case toMany(column: String)
    }

    package var name: String
    /// The column that is the rowid.
    package var key: String
    /// Columns by attribute name; types are those of the schema.
    package var columns: [String: String]
    /// Names of date attributes that are written as ISO 8601 text; other dates are seconds since 2001.
    package var textDates: Set<String>
    /// By attribute name, columns with what a value is in JSON where the attribute's own column only says how it is compared.
    package var sources: [String: String] = [:]
    package var relationships: [String: Way]
    /// Columns that tell a row from all others; without any its key does.
    package var identifyingColumns: [String] = []

    package init(
        name: String, key: String, columns: [String: String] = [:], textDates: Set<String> = [],
        relationships: [String: Way] = [:]
    ) {
        self.name = name
        self.key = key
        self.columns = columns
        self.textDates = textDates
        self.relationships = relationships
    }
}

extension SQLiteObjectStore {
    /// A store over a private database that is complete and will not change any more.
    ///
    /// - Parameter tables: by entity name.
    package static func open(
        _ readers: PrivateReaders, name: String, schema: Schema, tables: [String: PrivateTable], options: StoreOptions
    ) -> SQLiteObjectStore {
        var entities: [String: EntityMapping] = [:]
        for entity in schema.entities {
            guard let table = tables[entity.name] else { continue }
            var mapping = EntityMapping(source: .table(table.name, key: table.key))
            for attribute in entity.attributes {
                guard let column = table.columns[attribute.name] else { continue }
                mapping.attributes[attribute.name] = AttributeMapping(
                    column: column, type: attribute.type,
                    dates: table.textDates.contains(attribute.name) ? .text : .referenceSeconds,
                    sourceColumn: table.sources[attribute.name])
            }
            mapping.relationships = table.relationships.mapValues { way in
                switch way {
                case .toOne(let column): .foreignKey([column], destination: nil)
                case .toMany(let column): .inverse([column], owner: nil, order: nil)
                }
            }
            mapping.identifyingColumns = table.identifyingColumns
            entities[entity.name] = mapping
        }
        let stamps = StoreFile.Stamps(main: nil, journal: nil, log: nil, hasSharedMemory: false)
        let connections = readers.connections
        let opened = Readers(
            opening: .immutable, stamps: stamps, connections: Array(connections.prefix(2)), showing: connections[2], damage: nil)
        return SQLiteObjectStore(StoreMapping(schema: schema, entities: entities), ReaderSource(name: name, opened), options)
    }
}
