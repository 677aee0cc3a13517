import CSQLite
import Foundation
package import ObjectStore

/// A database of our own for data that comes from elsewhere (documents): filled once, then read as a store.
///
/// It lies in memory where there is room and its file has no name from the start, so that nothing stays behind, not even after
/// kill -9. Not `Sendable`: one thread fills it and turns it into a store.
package final class PrivateDatabase {
    /// SQLite's connection for filling it.
    package let handle: OpaquePointer
    private let writer: Connection
    private let readers: [Connection]
    private let name: String

    /// - Parameters:
    ///   - name: how the data is called in messages.
    ///   - isPrivate: never outside memory.
    ///   - size: about how many bytes it will hold; a place with less room free is passed over.
    package init(name: String, isPrivate: Bool, size: Int64 = 0) throws(StoreError) {
        self.name = name
        let folder = PrivatePlace.all(onlyMemory: isPrivate).lazy
            .filter { size == 0 || PrivatePlace.freeBytes($0) > size }
            .compactMap { PrivatePlace.makeFolder(in: $0) }.first
        guard let folder else { throw StoreError(file: name, cause: .engine("there is no room for a private database")) }
        defer { PrivatePlace.remove(folder) }
        let path = folder + "/store"
        writer = try Connection(
            uri: StoreFile.uri(path, "mode=rwc"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name: name)
        handle = writer.handle
        for pragma in ["query_only=OFF", "journal_mode=MEMORY", "synchronous=OFF", "page_size=8192", "cache_size=-16000"] {
            _ = try writer.rows("PRAGMA \(pragma)") { $0.optionalText(0) }
        }
        // The first write makes the file; from then on the connections need no name.
        try writer.run("CREATE TABLE \"tlbrowse\" (x); DROP TABLE \"tlbrowse\"")
        var made: [Connection] = []
        for _ in 0..<3 {
            let reader = try Connection(uri: StoreFile.uri(path, "mode=ro"), flags: SQLITE_OPEN_READONLY, name: name)
            try reader.probe()
            made.append(reader)
        }
        readers = made
    }

    /// Runs SQL that gives no rows.
    package func run(_ sql: String) throws(StoreError) { try writer.run(sql) }

    /// SQLite's last error in our words.
    package func error(_ code: Int32) -> StoreError { writer.error(code) }

    /// The store over what was filled in; call it once.
    ///
    /// - Parameter tables: the entities; nil: made of the tables and foreign keys, as for any database.
    package func store(tables: [TableDescription]? = nil, options: StoreOptions = StoreOptions()) throws(StoreError)
        -> SQLiteObjectStore
    {
        let stamps = StoreFile.Stamps(main: nil, journal: nil, log: nil, hasSharedMemory: false)
        let opened = Readers(
            opening: .immutable, stamps: stamps, connections: Array(readers.prefix(2)), showing: readers[2], damage: nil)
        let mapping: StoreMapping
        if let tables {
            mapping = TableDescription.mapping(tables)
        } else {
            mapping = try opened.show { connection throws(StoreError) in
                try TableSchemaBuilder.mapping(connection, try Catalog(connection))
            }
        }
        return SQLiteObjectStore(mapping, ReaderSource(name: name, opened), options)
    }
}

/// An entity of a private database, as its maker knows it: a table with an integer key.
package struct TableDescription: Sendable {
    /// A relationship and where it lies.
    package struct Link: Sendable {
        package var relationship: Relationship
        /// To-one: the own column that holds the destination's key. To-many: the destination's column that holds the own key.
        package var column: String
        /// To-many: the destination's column that gives the order; nil: by key.
        package var orderColumn: String?

        package init(relationship: Relationship, column: String, orderColumn: String? = nil) {
            self.relationship = relationship
            self.column = column
            self.orderColumn = orderColumn
        }
    }

    package var name: String
    package var tableName: String
    /// The INTEGER PRIMARY KEY.
    package var keyColumn: String
    /// Dates are ISO 8601 text or Unix times.
    package var attributes: [Attribute]
    package var links: [Link]

    package init(name: String, tableName: String, keyColumn: String, attributes: [Attribute], links: [Link] = []) {
        self.name = name
        self.tableName = tableName
        self.keyColumn = keyColumn
        self.attributes = attributes
        self.links = links
    }

    static func mapping(_ tables: [TableDescription]) -> StoreMapping {
        var mappings: [String: EntityMapping] = [:]
        for table in tables {
            var mapping = EntityMapping(source: .table(table.tableName, key: table.keyColumn))
            for attribute in table.attributes {
                guard let column = attribute.columnName else { continue }
                mapping.attributes[attribute.name] = AttributeMapping(column: column, type: attribute.type, dates: .automatic)
            }
            for link in table.links {
                mapping.relationships[link.relationship.name] =
                    link.relationship.isToMany
                    ? .inverse([link.column], owner: nil, order: link.orderColumn) : .foreignKey([link.column], destination: nil)
            }
            mappings[table.name] = mapping
        }
        let entities = tables.map { table in
            Entity(
                name: table.name, tableName: table.tableName, attributes: table.attributes,
                relationships: table.links.map(\.relationship))
        }
        return StoreMapping(schema: Schema(entities: entities, origin: .inferred), entities: mappings)
    }
}
