/* Mangled names. */
#include "fuzz.h"

#include "core/demangle.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct buf out = BUF_INIT;
    char *name = malloc(len + 1);
    if (!name)
        return 0;
    memcpy(name, data, len);
    name[len] = '\0';
    buf_adds(&out, "before");
    bool done = demangle_add(name, &out);
    if (memcmp(out.data, "before", 6) != 0 || (!done && out.len != 6) ||
        out.len > DEMANGLE_LONGEST + 6 + len)
        abort();
    buf_release(&out);
    free(name);
    return 0;
}
