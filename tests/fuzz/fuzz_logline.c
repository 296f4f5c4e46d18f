/* Lines of crash logs. */
#include "fuzz.h"

#include "core/symbol/crash_log.h"

#include <stdlib.h>
#include <string.h>

static void inside(const uint8_t *line, size_t len, const struct logline_text *t)
{
    const uint8_t *at = (const uint8_t *)t->at;
    if (at && (at < line || t->len > len || at - line > (ptrdiff_t)(len - t->len)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct logline_place p;
    uint64_t address;
    size_t at = 0, before = 0;
    logline_is_address((const char *)data, len, &address);
    while (logline_next((const char *)data, len, &at, &p)) {
        if (at <= before || at > len || !(p.absolute || p.relative))
            abort();
        before = at;
        inside(data, len, &p.module);
        inside(data, len, &p.function);
        inside(data, len, &p.name);
    }
    return 0;
}
