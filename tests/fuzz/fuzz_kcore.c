/* The head of /proc/kcore, and the calls in what follows, as code of each processor. */
#include "fuzz.h"

#include "core/insn/calls.h"
#include "core/symbol/kcore.h"

static void add_target(void *arg, uint64_t target)
{
    *(uint64_t *)arg ^= target;
}

static void check_ranges(const struct kcore *k)
{
    uint64_t offset;
    if (k->ranges > KCORE_RANGES)
        abort();
    for (size_t i = 0; i < k->ranges; i++) {
        const struct kcore_range *r = &k->range[i];
        if (!kcore_find(k, r->start, r->bytes, &offset) ||
            kcore_find(&(struct kcore){.range = {*r}, .ranges = 1}, r->start + r->bytes, 1,
                       &offset))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct kcore k;
    uint64_t sum = 0;
    if (kcore_read(bytes, len, &k) == 0)
        check_ranges(&k);
    for (int machine = INSN_X86_64; machine <= INSN_ARM; machine++)
        insn_calls((enum insn_machine)machine, bytes, len, 0x10000, add_target, &sum);
    return 0;
}
