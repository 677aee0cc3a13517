import ObjectStore

extension Connection {
    /// The cause where a file was written over by something else than SQLite.
    static let writtenOver = StoreError.Cause.engine("the file was written over")

    /// Finds out whether the connection would go on with pages, and with a schema, of a file that was written over in its place.
    ///
    /// SQLite keeps them as long as 16 bytes of the file's head are the same
    /// ([file format](https://www.sqlite.org/fileformat2.html), "file change counter"). Each of its own commits changes these; a
    /// copy over the file brings others, which may be the same by chance: two databases that were made alike have equal counts.
    /// So a file that was written, while SQLite sees no change, is not to be trusted. After a transaction that was rolled back that
    /// is so too, which costs no more than opening the file again.
    ///
    /// - Parameter path: nil where SQLite is not asked to look for changes.
    /// - Throws: `writtenOver`; what reading the head throws.
    func checkPages(ofFile path: String?) throws(StoreError) {
        // First the file, then the count: what comes between them is looked at twice, not missed.
        guard let path, let stamp = StoreFile.stamp(path), stamp != checked?.stamp else { return }
        let changes = try dataVersion()
        let before = checked
        checked = (stamp, changes)
        if let before, before.changes == changes { throw StoreError(file: name, cause: Self.writtenOver) }
    }
}
