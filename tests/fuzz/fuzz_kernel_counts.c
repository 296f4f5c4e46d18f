/* Single numbers of /proc and /sys. */
#include "fuzz.h"

#include "core/procfs/counters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    uint64_t n;
    int64_t v;
    kernel_count(text, "pgfault", &n);
    kernel_count(text, "ctxt", &n);
    if (kernel_load(text, &n) && n > (uint64_t)UINT32_MAX * 1000 + 999)
        abort();
    kernel_number(text, &v);
    free(text);
    return 0;
}
