#pragma once
#include <stddef.h>

// memmem is a GNU extension, which the headers hide from Swift; glibc finds with it several bytes a cycle.
extern void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

static inline const void *cmemory_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    return memmem(bytes, count, wanted, wanted_count);
}
