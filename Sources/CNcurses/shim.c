#include "CNcurses.h"
#include <term.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Where the collecting function puts its characters; used on the one thread that owns the terminal.
static struct {
    char *bytes;
    size_t length;
    size_t capacity;
} collected;

static int collect(int character) {
    if (collected.length < collected.capacity) collected.bytes[collected.length++] = (char)character;
    return character;
}

size_t tl_append_capability(const char *name, char *bytes, size_t length, size_t capacity) {
    const char *value = tl_capability(name);
    if (value == NULL) return length;
    collected.bytes = bytes;
    collected.length = length;
    collected.capacity = capacity;
    tputs(value, 1, collect);
    return collected.length;
}

SCREEN *tl_newterm(const char *name, int output, int input, FILE **outputFile, FILE **inputFile) {
    int outputCopy = dup(output), inputCopy = dup(input);
    FILE *out = outputCopy < 0 ? NULL : fdopen(outputCopy, "w");
    FILE *in = inputCopy < 0 ? NULL : fdopen(inputCopy, "r");
    SCREEN *screen = out != NULL && in != NULL ? newterm(name, out, in) : NULL;
    if (screen != NULL) {
        *outputFile = out;
        *inputFile = in;
        return screen;
    }
    if (out != NULL) fclose(out);
    else if (outputCopy >= 0) close(outputCopy);
    if (in != NULL) fclose(in);
    else if (inputCopy >= 0) close(inputCopy);
    return NULL;
}

int tl_window_size(int descriptor, int *height, int *width) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return 0;
    *height = size.ws_row;
    *width = size.ws_col;
    return 1;
}

int tl_cell_size(int descriptor, int *height, int *width) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return 0;
    if (size.ws_xpixel < size.ws_col || size.ws_ypixel < size.ws_row) return 0;
    *height = size.ws_ypixel / size.ws_row;
    *width = size.ws_xpixel / size.ws_col;
    return 1;
}

// Memory of a frame that is kept for the next one.
enum { usual_frame = 1 << 18 };

int tl_frame_begin(int memory, FILE *file) { return memory >= 0 && dup2(memory, fileno(file)) >= 0; }

size_t tl_frame_end(int memory, FILE *file, int output) {
    // EINTR and EBUSY pass.
    for (int attempt = 0; attempt < 1000 && dup2(output, fileno(file)) < 0; attempt++) {}
    off_t length = lseek(memory, 0, SEEK_CUR);
    return length < 0 ? 0 : (size_t)length;
}

size_t tl_frame_take(int memory, void *bytes, size_t capacity) {
    ssize_t count = pread(memory, bytes, capacity, 0);
    lseek(memory, 0, SEEK_SET);
    if (capacity > usual_frame && ftruncate(memory, 0) != 0) return count < 0 ? 0 : (size_t)count;
    return count < 0 ? 0 : (size_t)count;
}
