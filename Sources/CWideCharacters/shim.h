#pragma once
#include <stddef.h>

// Swift's Glibc module hides wcwidth, an X/Open function, and curses measures with it: so it must be the one we ask.
extern int wcwidth(wchar_t character);

static inline int tl_wcwidth(unsigned int scalar) { return wcwidth((wchar_t)scalar); }
