/* Bytes before the first `#' as /proc/kallsyms, those behind it as /proc/modules. */
#include "fuzz.h"

#include "core/symbol/kernel_map.h"

#include <stdlib.h>
#include <string.h>

static void check(const struct kernel_map *m)
{
    for (size_t i = 0; i < m->ranges; i++) {
        const struct kernel_range *r = &m->range[i];
        if (r->start >= r->end || (i && m->range[i - 1].end > r->start))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct kernel_map m;
    char *text = malloc(len ? len : 1); /* no NUL behind it */
    if (!text)
        return 0;
    memcpy(text, data, len);
    const char *mark = memchr(text, '#', len);
    size_t first = mark ? (size_t)(mark - text) : len;
    if (kernel_map_init(text, first, mark ? mark + 1 : NULL, mark ? len - first - 1 : 0, &m) == 0) {
        check(&m);
        kernel_map_release(&m);
    }
    free(text);
    return 0;
}
