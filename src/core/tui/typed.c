#include "core/tui/typed.h"

#include <string.h>

enum typed_end typed_key(char *text, size_t size, const struct key *k)
{
    size_t len = strlen(text);
    if (k->code == KEY_ENTER)
        return TYPED_TAKEN;
    if (k->code == KEY_ESC)
        return TYPED_DROPPED;
    if (k->code == KEY_BACKSPACE && len) {
        text[len - 1] = '\0';
    } else if (k->code == KEY_RUNE && k->rune >= ' ' && k->rune < 0x7f && !(k->mods & KEY_CTRL) &&
               len + 1 < size) {
        text[len] = (char)k->rune;
        text[len + 1] = '\0';
    }
    return TYPED_MORE;
}
