#pragma once
#include "../../CNcursesLibrary/ncursesw.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

// Swift sees functions and plain constants; what is a macro, a changing global, variadic, or has to be async-signal-safe
// is here.

// `stdscr` and `curscr` are globals that curses itself changes, which Swift 6 takes for a data race. One thread owns the screen.
static inline WINDOW *tl_stdscr(void) { return stdscr; }
static inline WINDOW *tl_curscr(void) { return curscr; }

// Attributes are macros with casts.
static inline attr_t tl_bold(void) { return A_BOLD; }
static inline attr_t tl_dim(void) { return A_DIM; }
static inline attr_t tl_underline(void) { return A_UNDERLINE; }
static inline attr_t tl_reverse(void) { return A_REVERSE; }

// Globals again: how many colours and pairs there are after start_color().
static inline int tl_colors(void) { return COLORS; }
static inline int tl_color_pairs(void) { return COLOR_PAIRS; }

// `cchar_t` is opaque, and setcchar wants a terminated wchar_t string: one spacing character and its marks, `count` in all.
// Writing the last cell of the screen reports an error, since the cursor cannot go on, but the cell is there.
static inline void tl_put(int row, int column, const uint32_t *scalars, int count, attr_t attributes, int pair) {
    wchar_t text[CCHARW_MAX + 1];
    int length = count < CCHARW_MAX ? count : CCHARW_MAX;
    for (int index = 0; index < length; index++) text[index] = (wchar_t)scalars[index];
    text[length] = 0;
    cchar_t cell;
    // A pair beyond 32767 goes by the pointer, which curses prefers where there is one.
    if (setcchar(&cell, text, attributes, (short)(pair < 32768 ? pair : 0), &pair) == ERR) return;
    mvwadd_wch(stdscr, row, column, &cell);
}

// A capability absent is NULL, one that is no string capability is (char *)-1.
static inline const char *tl_capability(const char *name) {
    const char *value = tigetstr(name);
    return value == (const char *)-1 ? NULL : value;
}

// Expands a capability's padding into `bytes`: tputs takes a function pointer without a context. Returns the new length.
size_t tl_append_capability(const char *name, char *bytes, size_t length, size_t capacity);

// `open_memstream` and the like aside, newterm wants FILEs; their descriptors are duplicates so that closing them leaves the
// caller's open. NULL where the terminal's name is unknown or memory is short.
SCREEN *tl_newterm(const char *name, int output, int input, FILE **outputFile, FILE **inputFile);

// TIOCGWINSZ is a macro and ioctl variadic. Returns 0 and sets nothing where the terminal does not know its size.
int tl_window_size(int descriptor, int *rows, int *columns);

// A cell's size in pixels, where the terminal says. Returns 0 and sets nothing where it does not.
int tl_cell_size(int descriptor, int *height, int *width);

// --- Frames. Curses writes a frame in as many pieces as the cursor moves, and each wakes the terminal, which may take our core
// from us before the frame is whole. Its descriptor stands for memory meanwhile; modes are not to be set then.

// From now on what curses writes to `file` goes to the memory, a file's descriptor. Returns 0 where it does not.
int tl_frame_begin(int memory, FILE *file);
// Curses writes to the terminal `output` again. Returns how many bytes are in the memory.
size_t tl_frame_end(int memory, FILE *file, int output);
// Takes them out; returns how many there were.
size_t tl_frame_take(int memory, void *bytes, size_t capacity);

// --- Signals: handlers may touch nothing of Swift's.

// Takes over SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP and SIGCONT (those that were ignored stay so), and ignores
// SIGPIPE. Returns a descriptor that becomes readable when one has come, or -1.
int tl_signals_install(void);
// The signals since the last call: bit n for signal n.
uint64_t tl_signals_take(void);
// Puts the former handlers back.
void tl_signals_remove(void);
// Stops this process until SIGCONT as the terminal's ^Z would, with `group` its process group too.
// Returns 0 where SIGTSTP is ignored: there is no job control then.
int tl_stop(int group);

// Runs a program on the terminal in our process group and waits for it; posix_spawn's attributes are opaque structures that
// Swift cannot make. ^Z stops us with it. Returns its status as a shell gives it.
int tl_run(char *const *arguments, int input, int output);

// From now on a trap, an abort or exit() writes `bytes` to the terminal and sets its modes back, then goes on as ever.
// The process ends by the same signal then, without Swift's backtrace on a screen in raw mode.
void tl_restore_arm(int descriptor, const struct termios *modes, const char *bytes, size_t count);
void tl_restore_disarm(void);
