#include "core/base/bytes.h"
#include "core/insn/arm64.h"
#include "relocate.h"

#include <errno.h>

enum { X17 = 17, SIMD = 1 << 26 };
static const uint32_t nop = 0xd503201f;

struct writer {
    const struct probe_moved *m;
    uint8_t *out;
    size_t len;
    int err;
};

static uint64_t here(const struct writer *w)
{
    return w->m->to + w->len;
}

static void put_word(struct writer *w, uint32_t word)
{
    if (w->len + 4 > PROBE_MAX_MOVED) {
        w->err = -ENOEXEC;
        return;
    }
    put_le32(w->out + w->len, word);
    w->len += 4;
}

static void put_jump(struct writer *w, uint64_t target)
{
    int64_t distance = (int64_t)(target - here(w));
    if (distance < -(1 << 27) || distance >= 1 << 27)
        w->err = -ERANGE;
    put_word(w, 0x14000000 | ((uint32_t)(distance >> 2) & 0x3ffffff));
}

static void put_page(struct writer *w, unsigned reg, uint64_t target)
{
    int64_t pages = ((int64_t)target >> 12) - ((int64_t)here(w) >> 12);
    if (pages < -(1 << 20) || pages >= 1 << 20)
        w->err = -ERANGE;
    put_word(w, 0x90000000 | ((uint32_t)pages & 3) << 29 | ((uint32_t)(pages >> 2) & 0x7ffff) << 5 |
                    reg);
}

/* ADRP and ADD. */
static void put_address(struct writer *w, unsigned reg, uint64_t target)
{
    put_page(w, reg, target);
    put_word(w, 0x91000000 | (uint32_t)(target & 4095) << 10 | reg << 5 | reg);
}

/* Into the register itself, or by way of x17, which a function's caller does not rely on. A
 * register 31 is none here, but the stack pointer in ADD: nothing is loaded. */
static void move_literal(struct writer *w, uint32_t word, uint64_t target)
{
    static const uint32_t loads[] = {0xb9400000, 0xf9400000, 0xb9800000},
                          simd_loads[] = {0xbd400000, 0xfd400000, 0x3dc00000};
    unsigned size = word >> 30, rd = word & 31;
    if (size == 3 || (!(word & SIMD) && rd == ARM64_SP)) {
        put_word(w, nop);
        return;
    }
    unsigned base = word & SIMD ? X17 : rd;
    put_address(w, base, target);
    put_word(w, (word & SIMD ? simd_loads : loads)[size] | base << 5 | rd);
}

/* Taken, it leads to the second of two jumps, else to the first, which goes over it. */
static void move_branch(struct writer *w, uint32_t word, uint32_t field, uint64_t target)
{
    put_word(w, (word & ~field) | 2 << 5);
    put_jump(w, here(w) + 8);
    put_jump(w, target);
}

static void move_relative(struct writer *w, const struct arm64_insn *i, uint32_t word,
                          uint64_t addr)
{
    uint64_t target = arm64_insn_target(i, addr);
    switch (i->relative) {
    case ARM64_B:
        if (i->kind == INSN_CALL)
            put_address(w, ARM64_LR, addr + 4);
        put_jump(w, target);
        break;
    case ARM64_BRANCH:
        move_branch(w, word, 0x7ffff << 5, target);
        break;
    case ARM64_TEST:
        move_branch(w, word, 0x3fff << 5, target);
        break;
    case ARM64_LITERAL:
        move_literal(w, word, target);
        break;
    default:
        if (i->rd == ARM64_SP)
            put_word(w, nop);
        else if (i->relative == ARM64_ADRP)
            put_page(w, i->rd, target);
        else
            put_address(w, i->rd, target);
    }
}

int probe_arm64_relocate(const struct probe_moved *m, uint8_t *out)
{
    struct writer w = {m, out, 0, 0};
    struct arm64_insn i;
    uint32_t word = m->len == 4 ? get_le32(m->bytes) : 0;
    arm64_insn_read(word, &i);
    if (m->len != 4 || i.kind == INSN_CALL_INDIRECT)
        return -ENOEXEC;
    if (i.relative)
        move_relative(&w, &i, word, m->from);
    else
        put_word(&w, word);
    if (!insn_ends_flow(i.kind) && i.kind != INSN_CALL)
        put_jump(&w, m->from + 4);
    return w.err ? w.err : (int)w.len;
}
