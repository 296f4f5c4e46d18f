/* Mangled names. */
#include "fuzz.h"

#include "core/symbol/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct buf out = BUF_INIT;
    char *name = fuzz_text(data, len);
    buf_adds(&out, "before");
    bool done = demangle_add(name, &out);
    if (memcmp(out.data, "before", 6) != 0 || (!done && out.len != 6) ||
        out.len > DEMANGLE_MAX_LEN + 6 + len)
        abort();
    buf_release(&out);
    free(name);
    return 0;
}
