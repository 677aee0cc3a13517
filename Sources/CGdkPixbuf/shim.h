#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

// g_signal_connect is a macro, and G_CALLBACK a cast between function pointers.
static inline void cgdkpixbuf_on_size_prepared(
    GdkPixbufLoader *loader, void (*prepared)(GdkPixbufLoader *, gint, gint, gpointer), gpointer context) {
    g_signal_connect_data(loader, "size-prepared", (GCallback)prepared, context, NULL, (GConnectFlags)0);
}

// The kinds of limits are an enumeration to C and an integer to setrlimit, depending on the C library's mood.
static inline int cgdkpixbuf_limit_memory(uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    return setrlimit(RLIMIT_AS, &limit);
}
static inline int cgdkpixbuf_limit_time(uint64_t seconds) {
    struct rlimit limit = {seconds, seconds};
    return setrlimit(RLIMIT_CPU, &limit);
}
static inline int cgdkpixbuf_dump_no_core(void) {
    struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none);
}

// What the caller had open is none of a decoder's business; Swift does not see this function.
static inline void cgdkpixbuf_close_all_but_streams(void) { closefrom(3); }
