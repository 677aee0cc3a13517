import ObjectStore

/// Makes a schema of the tables and views of any SQLite database.
struct TableSchemaBuilder {
    let connection: Connection
    let catalog: Catalog

    func mapping() throws(StoreError) -> StoreMapping {
        StoreMapping(schema: Schema(entities: [], origin: .inferred), entities: [:])
    }
}
