// The wide-character interface, as functions: macros are invisible to Swift and would hide the functions of the same name.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
