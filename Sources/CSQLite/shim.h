#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

// What SQLite calls in the place of fchown(2) and fchmod(2); their types are no ones that Swift can name.
static inline int csqlite_no_owner(int descriptor, unsigned int user, unsigned int group) {
    (void)descriptor, (void)user, (void)group;
    return 0;
}
static inline int csqlite_no_mode(int descriptor, unsigned int mode) {
    (void)descriptor, (void)mode;
    return 0;
}
static inline int csqlite_leave_owners(sqlite3_vfs *system) {
    if (system->iVersion < 3 || !system->xSetSystemCall) return SQLITE_NOTFOUND;
    int code = system->xSetSystemCall(system, "fchown", (sqlite3_syscall_ptr)csqlite_no_owner);
    if (code != SQLITE_OK) return code;
    return system->xSetSystemCall(system, "fchmod", (sqlite3_syscall_ptr)csqlite_no_mode);
}

// Makes SQLite ready. Its pages are allocated one by one, as they are needed: a connection that begins with twenty of them makes the kernel
// map all of these (0.04 ms), of which a small store needs four. Once it is ready, nothing is changed any more.
static inline int csqlite_initialize(void) {
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
    return sqlite3_initialize();
}

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int csqlite_db_config_int(sqlite3 *db, int operation, int value) {
    return sqlite3_db_config(db, operation, value, (int *)0);
}

// Reads bytes of the database file (0) or of its log (1) through SQLite's own handle: to close a descriptor of our own would
// drop the locks that SQLite has on the file.
static inline int csqlite_read(sqlite3 *db, int log, void *into, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_NOTFOUND;
    return file->pMethods->xRead(file, into, count, offset);
}

// The size of the database file, by the same way.
static inline sqlite3_int64 csqlite_size(sqlite3 *db) {
    sqlite3_file *file = 0;
    sqlite3_int64 size = -1;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return -1;
    if (!file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK) return -1;
    return size;
}
