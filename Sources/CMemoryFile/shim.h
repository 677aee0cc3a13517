#pragma once

// glibc declares it for _GNU_SOURCE only, which Swift does not set: memory as a file without a name. The descriptor is closed in
// programs that are started; -1 with errno where there is none.
extern int memfd_create(const char *name, unsigned int flags);
static inline int cmemory_file(const char *name) { return memfd_create(name, 1u /* MFD_CLOEXEC */); }
