package import ObjectStore

extension SQLiteObjectStore {
    /// The database file and its log; the journal of a transaction that is not committed yet says nothing.
    package func fileState() -> FileState? {
        // A database of our own making has no file, and does not change.
        guard let file = source.file else { return FileState(stamps: []) }
        let stamps = file.stamps()
        guard let main = stamps.main else { return nil }
        return FileState(
            stamps: [main, stamps.log].flatMap { stamp -> [Int64] in
                guard let stamp, stamp.size > 0 else { return [0] }
                return [
                    Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.node), stamp.size, stamp.seconds, stamp.nanoseconds,
                ]
            })
    }
}
