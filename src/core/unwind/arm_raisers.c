/*
 * Functions of 32-bit ARM that overwrite their return address, by their names, and those of C++
 * that call them. Who called them is found among all calls of them: those of a module are collected
 * when its table is made.
 */
#include "cfi_table.h"
#include "step.h"

#include "core/elf/module.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[ARM_RAISINGS] = {
    [ARM_RAISE] = "_Unwind_RaiseException",
    [ARM_RETHROW] = "_Unwind_Resume_or_Rethrow",
    [ARM_CXX] = "__cxa_throw",
    [ARM_CXX + 1] = "__cxa_rethrow",
    [ARM_CXX + 2] = "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
};

static void handle_name(void *arg, const char *name, uint64_t start, uint64_t end)
{
    struct arm_raisers *r = arg;
    for (uint8_t i = 0; i < ARM_RAISINGS && end <= UINT32_MAX; i++) {
        size_t len = strlen(names[i]);
        bool same = strncmp(name, names[i], len) == 0, stub = same && !strcmp(name + len, "@plt");
        if (!same || !(stub || !name[len]) || r->count == ARM_RAISERS)
            continue;
        r->raiser[r->count++] = (struct arm_raiser){(uint32_t)start, (uint32_t)end, i, stub};
        r->has_calls |= i < ARM_CXX;
    }
}

/* --- the calls --- */

static const struct arm_raiser *called(const struct arm_raisers *r, uint64_t target)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->raiser[i].stub ? target >= r->raiser[i].start && target < r->raiser[i].end
                              : target == r->raiser[i].start)
            return &r->raiser[i];
    return NULL;
}

static void check_call(struct arm_raisers *r, const uint8_t *bytes, uint64_t pc, bool thumb)
{
    uint64_t target;
    const struct arm_raiser *to =
        arm_call_target(bytes, pc, thumb, &target) ? called(r, target) : NULL;
    if (!to || to->raising >= ARM_CXX)
        return;
    if (r->calls < ARM_RAISE_CALLS)
        r->call[r->calls] = (struct arm_raise_call){(uint32_t)pc | thumb, to->raising};
    r->calls++;
}

static void find_calls(struct arm_raisers *r, const uint8_t *bytes, size_t len, uint64_t addr)
{
    for (size_t at = 0; at + 4 <= len; at += 2) {
        check_call(r, bytes + at, addr + at + 4, true);
        if (at % 4 == 0)
            check_call(r, bytes + at, addr + at + 4, false);
    }
}

/* A hostile file has its bytes in any number of segments: of them as many are read as it has. */
static void search_segments(struct arm_raisers *r, struct elf_module *m)
{
    uint64_t left = m->len;
    for (size_t i = 0; i < m->segments; i++) {
        const struct elf_segment *s = &m->segment[i];
        bool usable = s->exec && s->filesz <= left && s->vaddr % 4 == 0;
        const uint8_t *bytes = usable ? elf_bytes(m, s->off, s->filesz) : NULL;
        if (!bytes || s->vaddr + s->filesz > UINT32_MAX)
            continue;
        find_calls(r, bytes, s->filesz, s->vaddr);
        left -= s->filesz;
    }
}

void arm_raisers_find(struct cfi *c, struct elf_module *m)
{
    struct arm_raisers *r = calloc(1, sizeof *r);
    if (!r)
        return;
    elf_dynamic_names(m, handle_name, r);
    if (r->has_calls)
        search_segments(r, m);
    if (r->count)
        c->raisers = r;
    else
        free(r);
}

/* --- look-ups --- */

const struct arm_raiser *arm_raiser_at(const struct cfi *c, uint64_t vaddr)
{
    for (unsigned i = 0; c->raisers && i < c->raisers->count; i++) {
        const struct arm_raiser *r = &c->raisers->raiser[i];
        if (!r->stub && vaddr >= r->start && vaddr < r->end)
            return r;
    }
    return NULL;
}

const struct arm_raiser *arm_raiser_called(const struct cfi *c, uint64_t target)
{
    return c->raisers ? called(c->raisers, target) : NULL;
}
