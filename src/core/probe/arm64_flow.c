/* Where arm64 code leads. */
#include "arm64_link.h"
#include "core/base/bytes.h"
#include "core/insn/arm64.h"
#include "planning.h"

static uint32_t word_at(const struct planning *p, uint64_t addr)
{
    return get_le32(planning_bytes(p, addr));
}

static void sweep_body(struct planning *p, struct probe_body *b)
{
    struct arm64_link link;
    struct arm64_insn i = {.kind = INSN_JUMP};
    for (uint64_t addr = b->start; addr + 4 <= b->end; addr += 4) {
        if (insn_ends_flow(i.kind))
            arm64_link_begin(&link, p, addr);
        arm64_insn_read(word_at(p, addr), &i);
        if (i.relative && i.kind != INSN_PLAIN)
            planning_lead(p, b, i.kind, arm64_insn_target(&i, addr));
        else
            arm64_link_look(&link, p, b, word_at(p, addr), addr);
    }
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
