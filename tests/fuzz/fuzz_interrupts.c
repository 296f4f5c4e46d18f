/* /proc/interrupts as text. */
#include "fuzz.h"

#include "core/interrupts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = fuzz_text(data, len);
    struct interrupts t;
    uint64_t n;
    if (interrupts_parse(text, &t) == 0) {
        if (!t.cpus || t.cpus > INTERRUPTS_MOST_CPUS)
            abort();
        for (size_t i = 0; i < t.cpus; i++)
            if (!interrupts_of(&t, t.of[i].cpu, &n) || n != t.of[i].count)
                abort();
        interrupts_release(&t);
    }
    free(text);
    return 0;
}
