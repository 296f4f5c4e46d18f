#include "core/tui/keys.h"

#include <inttypes.h>
#include <stdio.h>

struct key_answer key_unknown(uint32_t rune)
{
    struct key_answer answer;
    bool ascii = rune > ' ' && rune < 0x7f;
    if (ascii)
        snprintf(answer.text, sizeof answer.text, "no key %c: h for help", (char)rune);
    else
        snprintf(answer.text, sizeof answer.text, "no key U+%04" PRIX32 ": h for help", rune);
    return answer;
}
