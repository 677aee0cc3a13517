#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int csqlite_db_config_int(sqlite3 *db, int operation, int value) {
    return sqlite3_db_config(db, operation, value, (int *)0);
}

// glibc declares it for _GNU_SOURCE only, which Swift does not set: memory as a file without a name, for private databases.
extern int memfd_create(const char *name, unsigned int flags);
static inline int csqlite_memory_file(void) { return memfd_create("tlbrowse", 1u /* MFD_CLOEXEC */); }
