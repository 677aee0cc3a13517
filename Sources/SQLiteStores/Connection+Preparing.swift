import CSQLite
import ObjectStore

extension Connection {
    /// Bytes that all temporary tables of a connection may take: a view can have any number of rows, also without end.
    private static let temporaryLimit = 192 << 20

    /// How many rows of a view are taken where all are too many, and how many where these are long, too.
    private static let fewerRows = [1_000_000, 10_000]

    /// Makes the temporary tables that number rows without a rowid; anew when the data has changed.
    func prepare(_ sources: [RowSource]) throws(StoreError) {
        let needed = sources.compactMap { source in source.preparation.map { (source: source, name: $0.name, sql: $0.sql) } }
        guard !needed.isEmpty else { return }
        let version = try dataVersion()
        try run("PRAGMA query_only=OFF")
        defer { try? run("PRAGMA query_only=ON") }
        if version != preparedVersion {
            forgetStatements()
            for name in preparedSources { try run("DROP TABLE IF EXISTS temp.\(name)") }
            preparedSources = []
            shortenedSources = [:]
            preparedVersion = version
        }
        for (source, name, sql) in needed where !preparedSources.contains(name) {
            try make(source, name, sql)
            preparedSources.insert(name)
        }
    }

    /// Of a view with too many rows the first ones are taken.
    private func make(_ source: RowSource, _ name: String, _ sql: String) throws(StoreError) {
        // One whose making was stopped is there, but not whole.
        try run("DROP TABLE IF EXISTS temp.\(name)")
        guard case .numberedRows = source else { return try run(sql) }
        let pageSize = try rows("PRAGMA temp.page_size") { $0.integer(0) }.first ?? 4096
        _ = try rows("PRAGMA temp.max_page_count=\(Int64(Self.temporaryLimit) / max(512, pageSize))") { $0.integer(0) }
        defer { _ = try? rows("PRAGMA temp.max_page_count=4294967294") { $0.integer(0) } }
        for rows in [Int?.none] + Self.fewerRows.map(Optional.some) {
            let code = sqlite3_exec(handle, sql + (rows.map { " LIMIT \($0)" } ?? ""), nil, nil, nil)
            if code == SQLITE_OK {
                shortenedSources[name] = rows
                return
            }
            let fault = error(code)
            try run("DROP TABLE IF EXISTS temp.\(name)")
            guard code & 0xFF == SQLITE_FULL else { throw fault }
        }
        throw StoreError(file: self.name, cause: .engine("the rows of a view are too long to be numbered"))
    }

    /// What is to be said of views of which there are the first rows only; nil if all is there.
    func shortening(of sources: [RowSource]) -> StoreError? {
        for source in sources {
            guard case .numberedRows(let view, _, _) = source, let made = source.preparation?.name,
                let rows = shortenedSources[made]
            else { continue }
            let problem = "“\(view)” has too many rows: there are the first \(rows) of them"
            return StoreError(file: name, cause: .engine(problem))
        }
        return nil
    }
}
