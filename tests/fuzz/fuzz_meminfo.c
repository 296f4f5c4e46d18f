/* /proc/meminfo as text, and as swap says it. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/procfs/meminfo.h"
#include "core/procfs/plan9_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    struct buf out = BUF_INIT;
    struct meminfo m;
    if (meminfo_parse(text, &m)) {
        dev_swap(&m, 4096, &out);
        if (strchr(buf_str(&out), '-')) /* no number is negative */
            abort();
    }
    buf_release(&out);
    free(text);
    return 0;
}
