/* Where arm64 code leads, and where its functions save the link register. */
#include "core/base/bytes.h"
#include "core/insn/arm64.h"
#include "planning.h"

static uint32_t word_at(const struct planning *p, uint64_t addr)
{
    return get_le32(planning_bytes(p, addr));
}

/* --- the link register --- */

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

/* A store of it is its saving, if the rule behind has it in memory and the one before has not. */
static void note_store(const struct planning *p, struct probe_body *b, uint64_t addr)
{
    int32_t before, after;
    if (find_saved(p, addr, &before))
        return; /* it has another value by now */
    if (!find_saved(p, addr + 4, &after)) {
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

static void look_at(struct planning *p, struct probe_body *b, uint32_t word, uint64_t addr)
{
    struct arm64_insn i;
    struct arm64_store s;
    int32_t offset;
    arm64_insn_read(word, &i);
    if (i.relative && i.kind != INSN_PLAIN)
        planning_lead(p, b, i.kind, arm64_insn_target(&i, addr));
    else if (arm64_store_read(word, &s) && (s.reg == ARM64_LR || s.reg2 == ARM64_LR))
        note_store(p, b, addr);
    else if (is_move_of_lr(word))
        b->reads_return |= !find_saved(p, addr, &offset);
    else
        b->reads_return |= loads_saved(p, word, addr);
}

static void sweep_body(struct planning *p, struct probe_body *b)
{
    for (uint64_t addr = b->start; addr + 4 <= b->end; addr += 4)
        look_at(p, b, word_at(p, addr), addr);
}

/* --- the way of an entry --- */

static enum probe_reason judge(const struct planning *p, const struct probe_body *b, unsigned at)
{
    struct arm64_insn i;
    if (b->start % 4 || b->start + at + 4 > b->end)
        return PROBE_SHORT;
    arm64_insn_read(word_at(p, b->start + at), &i);
    if (i.kind == INSN_CALL_INDIRECT)
        return PROBE_CALL_INSIDE;
    return at && planning_is_target(p, b->start + at) ? PROBE_JUMP_TARGET : PROBE_NO_REASON;
}

static void choose_way(const struct planning *p, const struct probe_body *b, struct probe_site *out)
{
    struct arm64_insn i = {.kind = INSN_PLAIN};
    if (b->start + 4 <= b->end)
        arm64_insn_read(word_at(p, b->start), &i);
    bool second = i.kind == INSN_LANDING || i.signs;
    out->at = second ? 4 : 0;
    out->covers = 4;
    out->reason = (uint8_t)judge(p, b, out->at);
    out->way = out->reason != PROBE_NO_REASON ? PROBE_REFUSED
               : second                       ? PROBE_SECOND
               : i.kind == INSN_NOP           ? PROBE_NOPS
                                              : PROBE_FIRST;
}

const struct probe_processor probe_arm64 = {.machine = ELF_MACHINE_AARCH64,
                                            .sp = ARM64_SP,
                                            .cfa = 0,
                                            .saved = 0,
                                            .sweep = sweep_body,
                                            .choose = choose_way};
