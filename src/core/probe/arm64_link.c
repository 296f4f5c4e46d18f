/*
 * GCC writes a rule behind each instruction of a prologue, Clang one behind the last of them. So
 * the stack pointer is followed, and a store of the link register is held against the first rule
 * behind it that has the register in memory.
 */
#include "arm64_link.h"

#include "core/insn/arm64.h"

enum { PROLOGUE = 4 * 32 };

/* Where the rule at an address has it, from the CFA, which is the stack pointer at entry; false: in
 * the register itself. */
static bool find_saved(const struct planning *p, uint64_t addr, int32_t *offset)
{
    cfi_rule r = cfi_find(p->cfi, addr);
    for (unsigned i = 0; r && i < cfi_count(r); i++) {
        struct cfi_saved s = cfi_saved_at(r, i);
        if (s.reg != ARM64_LR || s.kind != CFI_OFFSET)
            continue;
        *offset = s.offset;
        return true;
    }
    return false;
}

/* The same of the first rule behind an instruction that has it in memory. */
static bool find_saved_behind(const struct planning *p, const struct probe_body *b, uint64_t addr,
                              int32_t *offset)
{
    uint64_t end = b->end - addr > PROLOGUE ? addr + PROLOGUE : b->end;
    for (addr += 4; addr < end; addr += 4)
        if (find_saved(p, addr, offset))
            return true;
    return false;
}

static bool stores_at(const struct arm64_link *l, const struct arm64_store *s, int32_t saved)
{
    int64_t at = l->sp + s->offset + (s->reg == ARM64_LR ? 0 : 8);
    return l->known && s->base == ARM64_SP && at == saved;
}

/* A store of it is its saving, if the rule behind has it in memory and the one before has not. */
static void note_store(const struct arm64_link *l, const struct planning *p, struct probe_body *b,
                       const struct arm64_store *s, uint64_t addr)
{
    int32_t before, after;
    if (find_saved(p, addr, &before))
        return; /* it has another value by now */
    if (!find_saved(p, addr + 4, &after) &&
        !(find_saved_behind(p, b, addr, &after) && stores_at(l, s, after))) {
        b->reads_return = true;
        return;
    }
    b->saved_twice |= b->saved && b->saved_at != after;
    b->saved = true;
    b->saved_at = after;
}

static bool is_move_of_lr(uint32_t word)
{
    return (word & 0xffffffe0) == 0xaa1e03e0; /* ORR of it with the zero register */
}

/* LDR of a whole register with an offset: whether it reads the word where the link register is. */
static bool loads_saved(const struct planning *p, uint32_t word, uint64_t addr)
{
    unsigned base = word >> 5 & 31, reg = word & 31;
    int32_t offset;
    if ((word & 0xffc00000) != 0xf9400000 || reg == ARM64_LR ||
        (base != ARM64_SP && base != ARM64_FP) || !find_saved(p, addr, &offset))
        return false;
    cfi_rule r = cfi_find(p->cfi, addr);
    int64_t distance = (int64_t)(word >> 10 & 0xfff) * 8;
    return !cfi_cfa_by_expression(r) && cfi_cfa_register(r) == base &&
           distance == (int64_t)cfi_cfa_offset(r) + offset;
}

void arm64_link_begin(struct arm64_link *l, const struct planning *p, uint64_t addr)
{
    cfi_rule r = cfi_find(p->cfi, addr);
    l->known = r && !cfi_cfa_by_expression(r) && cfi_cfa_register(r) == ARM64_SP;
    l->sp = l->known ? -(int64_t)cfi_cfa_offset(r) : 0;
}

void arm64_link_look(struct arm64_link *l, const struct planning *p, struct probe_body *b,
                     uint32_t word, uint64_t addr)
{
    struct arm64_store s;
    int32_t offset, by;
    if (arm64_store_read(word, &s) && (s.reg == ARM64_LR || s.reg2 == ARM64_LR))
        note_store(l, p, b, &s, addr);
    else if (is_move_of_lr(word))
        b->reads_return |= !find_saved(p, addr, &offset);
    else
        b->reads_return |= loads_saved(p, word, addr);
    l->known &= arm64_stack_change(word, &by);
    l->sp += by;
}
