/// Rows of a table that may belong to no entity.
struct StrayRows: Sendable, Equatable {
    let table: String
    /// Of the rows in question.
    let condition: String
    /// The entity with which they are listed: the root of those in the table.
    let entityName: String
    /// Whether an index finds them.
    let isIndexed: Bool

    /// The sentence that says so; nil for none.
    func warning(count: Int64) -> String? {
        guard count > 0 else { return nil }
        let subject = count == 1 ? "1 row of \(table) belongs" : "\(count) rows of \(table) belong"
        let rest = count == 1 ? "it is listed as “\(entityName)”" : "they are listed as “\(entityName)”"
        return "\(subject) to no entity by Z_ENT: \(rest), but Core Data would not show \(count == 1 ? "it" : "them")."
    }
}
