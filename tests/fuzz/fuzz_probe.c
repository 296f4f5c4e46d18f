#include "fuzz.h"

#include "core/elf/elf.h"
#include "core/insn/x86.h"
#include "core/probe/plan.h"
#include "core/probe/relocate.h"
#include "core/unwind/cfi.h"

/* Instructions, and their relocation, of any bytes: what is moved fits, and is known again. */
static void move(const uint8_t *bytes, size_t len)
{
    uint8_t out[PROBE_MAX_MOVED];
    struct x86_insn i;
    for (size_t at = 0; at < len; at++) {
        if (!x86_insn_read(bytes + at, len - at, &i))
            continue;
        if (!i.len || i.len > X86_INSN_MAX || i.len > len - at ||
            i.relative_at + i.relative_size > i.len)
            abort();
        struct probe_moved m = {bytes + at, len - at < 24 ? len - at : 24, 0x400000, 0x500000,
                                false};
        int n = probe_x86_relocate(&m, out);
        if (n > PROBE_MAX_MOVED)
            abort();
        for (int moved = 0; moved < n; moved += i.len)
            if (!x86_insn_read(out + moved, (size_t)(n - moved), &i))
                abort();
    }
}

/* The same of 32-bit ARM, of either set; of arm64, which has no lengths. */
static void move_arm(const uint8_t *bytes, size_t len)
{
    uint8_t out[PROBE_MAX_MOVED];
    for (size_t at = 0; at < len; at += 2) {
        size_t left = len - at < 24 ? len - at : 24;
        for (unsigned set = 0; set < 2; set++)
            for (size_t part = 2; part <= left; part += 2) {
                struct probe_moved m = {bytes + at, part, 0x400000, 0x500000, set};
                int n = probe_arm_relocate(&m, out);
                if (n > PROBE_MAX_MOVED || (!set && n > 0 && n % 4) || n % 2 > 0)
                    abort();
            }
        if (left >= 4)
            probe_arm64_relocate(&(struct probe_moved){bytes + at, 4, 0x400000, 0x500000, false},
                                 out);
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
    move(bytes, len);
    move_arm(bytes, len < 4096 ? len : 4096);
    return 0;
}
