/* An event's terms, each put by the same bytes as a format. */
#include "fuzz.h"

#include "core/procfs/pmu_event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    uint64_t config[PMU_CONFIGS] = {0};
    struct pmu_term t;
    char *text = fuzz_text(data, len);
    const char *at = text;
    while (pmu_term_next(&at, &t) > 0)
        if (t.len == 0 || t.name + t.len > at)
            abort();
    if (strchr(text, ';')) /* VALUE;FORMAT */
        pmu_format_put(strchr(text, ';') + 1, strtoull(text, NULL, 0), config);
    free(text);
    return 0;
}
