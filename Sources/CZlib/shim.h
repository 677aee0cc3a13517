#include <string.h>
#include <zlib.h>

// inflateInit2 is a macro, which Swift does not import.
static inline int czlib_inflate_init2(z_stream *stream, int window_bits) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, window_bits);
}
