#include "fuzz.h"

#include "../../src/core/probe/arm_movable.h"
#include "core/elf/elf.h"
#include "core/insn/x86.h"
#include "core/probe/plan.h"
#include "core/unwind/cfi.h"

/* Instructions of any bytes are within them. */
static void read_x86(const uint8_t *bytes, size_t len)
{
    struct x86_insn i;
    for (size_t at = 0; at < len; at++)
        if (x86_insn_read(bytes + at, len - at, &i) &&
            (!i.len || i.len > X86_INSN_MAX || i.len > len - at ||
             i.relative_at + i.relative_size > i.len))
            abort();
}

/* Pieces of 32-bit ARM, of either set. */
static void read_arm(const uint8_t *bytes, size_t len)
{
    for (size_t at = 0; at < len; at += 2) {
        size_t left = len - at < 24 ? len - at : 24;
        for (unsigned set = 0; set < 2; set++)
            for (size_t part = 2; part <= left; part += 2)
                arm_is_movable(&(struct arm_displaced){bytes + at, part, 0x400000, set});
    }
}

static void check(const struct probe_plan *p)
{
    struct probe_counts n;
    probe_plan_count(p, &n);
    if (n.patchable > p->count)
        abort();
    for (size_t i = 0; i < p->count; i++) {
        const struct probe_site *s = &p->site[i];
        if (s->way >= PROBE_WAYS || s->reason >= PROBE_REASONS || s->returns >= PROBE_RETURNS ||
            (s->way == PROBE_REFUSED) != (s->reason != PROBE_NO_REASON))
            abort();
    }
}

static void plan(const uint8_t *bytes, size_t len)
{
    struct elf_module *m;
    struct cfi *c = NULL;
    struct probe_plan p;
    if (elf_open(bytes, len, &m, NULL) < 0)
        return;
    if (cfi_new(&(struct cfi_image){bytes, len, NULL}, NULL, &c, NULL) == 0) {
        if (probe_plan_init(&p, m, c, NULL) == 0)
            check(&p);
        probe_plan_release(&p);
    }
    cfi_free(c);
    elf_close(m);
}

/* A file, or instructions. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    plan(bytes, len);
    read_x86(bytes, len);
    read_arm(bytes, len < 4096 ? len : 4096);
    return 0;
}
