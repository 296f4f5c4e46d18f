/* What a command says on standard error: a line that can stand on a screen, however it came. */
#include "fuzz.h"

#include "core/text/last_line.h"
#include "core/text/shown.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct last_line whole = {.len = 0}, pieces = {.len = 0};
    last_line_add(&whole, (const char *)bytes, len);
    for (size_t i = 0; i < len; i++)
        last_line_add(&pieces, (const char *)bytes + i, 1);
    const char *line = last_line_text(&whole);
    if (strcmp(line, last_line_text(&pieces)) != 0 || strlen(line) > LAST_LINE_MAX)
        abort();
    bool safe = true;
    for (size_t rest = strlen(line), n; safe && rest; line += n, rest -= n)
        n = shown_character(line, rest, &safe);
    if (!safe)
        abort();
    return 0;
}
