import CSQLite

/// Keeps SQLite from giving logs, journals and shared memory to the owner of their database.
///
/// Where its user is root, SQLite does so whenever it opens one of them, also for reading only, and gives an empty one the rights
/// of the database (`robustFchown`, `robust_open` in `os_unix.c`). That changes at least the time of the last change of state, and
/// evidence is mostly looked at by root. Who makes such a file, which only a writer does, needs the calls again.
enum FileOwnership {
    /// Whether SQLite leaves owners and rights alone; sees to it once, for the whole process.
    static let isLeftAlone: Bool = {
        guard csqlite_initialize() == SQLITE_OK, let system = sqlite3_vfs_find(nil) else { return false }
        return csqlite_leave_owners(system) == SQLITE_OK
    }()
}
