#include <chafa.h>

// The symbol tags are shifts of 1 in an anonymous enumeration and their unions, which Swift imports as types of its own.
// Half blocks are in every font; finer ones are not.
static inline ChafaSymbolTags cchafa_half_blocks(void) {
    return (ChafaSymbolTags)(CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID | CHAFA_SYMBOL_TAG_HALF);
}
