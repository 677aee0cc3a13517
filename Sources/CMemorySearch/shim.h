#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// memmem is a GNU extension, which the headers hide from Swift.
extern void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

static inline const void *cmemory_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    return memmem(bytes, count, wanted, wanted_count);
}

// Bit by bit which of 64 bytes are the wanted one. Loops of single bytes would not become these instructions by themselves.
static inline uint64_t cmemory_equal64(const uint8_t *bytes, uint8_t wanted) {
    uint64_t mask = 0;
#if defined(__SSE2__)
    const __m128i pattern = _mm_set1_epi8((char)wanted);
    for (int part = 0; part < 4; part++) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(bytes + part * 16));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, pattern)) << (part * 16);
    }
#else
    for (int place = 0; place < 64; place++) mask |= (uint64_t)(bytes[place] == wanted) << place;
#endif
    return mask;
}

// So many bytes behind the last one of a text may be read, and have to be 0.
enum { cmemory_padding = 64 };

// Sets the bits of the rows that hold a word, in texts each of whose rows ends with a byte 0; the word holds none. Looks for the
// word's first and last byte, 64 places at a time, and compares the rest only where both are.
static inline void cmemory_mark_rows(
    const uint8_t *bytes, size_t count, const uint8_t *word, size_t length, uint64_t *rows) {
    if (length == 0 || length > count) return;
    const uint8_t first = word[0], last = word[length - 1];
    const size_t end = count - length + 1;
    uint64_t row = 0;
    for (size_t place = 0; place < end; place += 64) {
        const uint8_t *block = bytes + place;
        const uint64_t ends = cmemory_equal64(block, 0);
        uint64_t hits = cmemory_equal64(block, first);
        if (length > 1 && hits) hits &= cmemory_equal64(block + length - 1, last);
        while (hits) {
            const int bit = __builtin_ctzll(hits);
            hits &= hits - 1;
            if (length > 2 && memcmp(block + bit + 1, word + 1, length - 2) != 0) continue;
            const uint64_t found = row + (uint64_t)__builtin_popcountll(ends & (((uint64_t)1 << bit) - 1));
            rows[found >> 6] |= (uint64_t)1 << (found & 63);
        }
        row += (uint64_t)__builtin_popcountll(ends);
    }
}

// Copies ASCII with its capitals made small and the bytes that part rows and texts (0, 1) made 2; how many bytes, up to the first
// that is not ASCII.
static inline size_t cmemory_fold_ascii(const uint8_t *bytes, size_t count, uint8_t *target) {
    size_t place = 0;
    while (place + 8 <= count) {
        uint64_t word;
        memcpy(&word, bytes + place, 8);
        if (word & 0x8080808080808080u) break;
        // 0x20 in each byte from A to Z; sums stay below 0x100 as all bytes are below 0x80.
        const uint64_t fromA = word + 0x3F3F3F3F3F3F3F3Fu, beyondZ = word + 0x2525252525252525u;
        word |= ((fromA & ~beyondZ) & 0x8080808080808080u) >> 2;
        memcpy(target + place, &word, 8);
        for (int byte = 0; byte < 8; byte++)
            if (target[place + byte] < 2) target[place + byte] = 2;
        place += 8;
    }
    for (; place < count && bytes[place] < 0x80; place++) {
        const uint8_t byte = bytes[place];
        target[place] = (uint8_t)(byte - 0x41) < 26 ? byte | 0x20 : byte < 2 ? 2 : byte;
    }
    return place;
}
