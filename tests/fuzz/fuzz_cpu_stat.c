/* /proc/stat as text: read at two rates, and what passed between the two. */
#include "fuzz.h"

#include "core/procfs/cpu_stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct cpu_stat a, b;
    struct cpu_times passed;
    char *text = fuzz_text(data, len);
    if (cpu_stat_parse(text, 100, &a) == 0) {
        if (cpu_stat_parse(text, 3, &b) < 0)
            abort();
        if (a.cpus != b.cpus)
            abort();
        cpu_times_since(&a.total, &b.total, &passed);
        if (passed.user_ms > b.total.user_ms)
            abort();
        cpu_stat_release(&a);
        cpu_stat_release(&b);
    }
    free(text);
    return 0;
}
