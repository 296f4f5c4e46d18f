/*
 * arm_run_pieces: one or more instructions of A32 or T32, by chance; what leads out of them leads
 * to a stub.
 */
#pragma once

#include "../lib/chance.h"
#include "arm_run_memory.h"

#include "core/insn/arm_code.h"
#include "core/insn/arm_registers.h"

struct piece {
    uint8_t bytes[24];
    size_t len;
    bool thumb, calls;
};

/* What asks the kernel, waits, or is relative to the pc in a way that no entry is. */
static bool is_left_out(const struct piece *p, uint32_t op, const struct arm_code *c)
{
    if (c->kind == ARM_SYSTEM_CALL || c->kind == ARM_UNKNOWN || c->kind == ARM_TABLE)
        return true;
    if (p->thumb && c->len == 2)
        return op >> 8 == 0xbe || (op >> 8 == 0xbf && c->kind != ARM_IF) || op >> 8 == 0xde ||
               op == 0xb650 || op == 0xb658 || (op & 0xffe8) == 0xb660;
    bool system = (op & 0x0e000000) == 0x0c000000 || (op & 0x0f000000) == 0x0e000000,
         floating = (op & 0xe00) == 0xa00;
    bool status = p->thumb ? (op & 0xff80d000) == 0xf3808000
                           : (op & 0x0f900000) == 0x01000000 || (op & 0x0fb00000) == 0x03200000;
    bool simple_branch =
        !p->thumb && ((op & 0x0ffffff0) == 0x012fff10 || (op & 0x0ffffff0) == 0x012fff30);
    bool a32_exclusive = !p->thumb && (op & 0x0f0000f0) == 0x01000090;
    bool exclusive = p->thumb && (op & 0xfe600000) == 0xe8400000;
    bool writes_code = !p->thumb && (op & 0x0c1f0000) == 0x040f0000;
    bool loads_below = !p->thumb && (op & 0x0e9f0000) == 0x081d0000;
    bool stores_by_shift = !p->thumb && (op & 0x0e100000) == 0x06000000 && op & 0xff0;
    return loads_below || stores_by_shift || (system && !floating) || writes_code ||
           (status && !simple_branch) || a32_exclusive || exclusive ||
           (op & 0x0ff00000) == 0x0ee00000 || (op & 0x0ff00000) == 0x0ef00000;
}

static bool read_registers(const struct piece *p, uint32_t op, unsigned len)
{
    struct arm_registers r;
    return !p->thumb  ? arm_registers_a32(op, &r)
           : len == 4 ? arm_registers_t32(op, &r)
                      : arm_registers_t16((uint16_t)op, &r);
}

static uint32_t draw_halves(unsigned form)
{
    static const uint32_t relative[] = {0x4800, 0xa000, 0x4478, 0x467b, 0xd000,
                                        0xe000, 0xb100, 0xb900, 0xbf00, 0xb500};
    uint32_t bits = (uint32_t)draw(), op = relative[form % 10];
    switch (op) {
    case 0x4478: /* add, mov */
    case 0x467b:
        return op | (bits & 0x80) >> (op == 0x467b) | (bits & 7);
    case 0xb100:
    case 0xb900:
        return op | (bits & 7);
    case 0xd000:
        return op | (bits % 14) << 8;
    case 0xbf00:
        return op | (bits % 14) << 4 | 8 >> below(2);
    default:
        return op | (bits & 0x7ff);
    }
}

static uint32_t draw_long(unsigned form)
{
    static const uint32_t forms[] = {0xf8df0000, 0xf85f0000, 0xf89f0000, 0xf9bf0000, 0xe9df0000,
                                     0xed9f0a00, 0xed1f0b00, 0xf20f0000, 0xf2af0000, 0xf0008000,
                                     0xf0009000, 0xf000d000, 0xf000c000};
    uint32_t bits = (uint32_t)draw(), op = forms[form % 13];
    if (op < 0xf0000000)
        return op | (bits & 0x0000f03f) | (op < 0xed000000 ? bits & 0xf00 : 0);
    if ((op & 0xff5f0000) == 0xf20f0000)
        return op | (bits & 0x4000fff & ~8u << 28);
    if (op == 0xf0008000)
        return op | (bits % 14) << 22;
    return op >= 0xf8000000 ? op | (bits & 0xf1ff) : op;
}

static uint32_t draw_a32(unsigned form)
{
    static const uint32_t forms[] = {0x059f0000, 0x051f0000, 0x028f0000, 0x024f0000, 0x008f0000,
                                     0x0080000f, 0x079f0000, 0x01df00b0, 0x0d9f0a00, 0x0d1f0b00,
                                     0x0a000000, 0x0b000000, 0x01a0000f, 0x01cf00d0, 0x012fff30};
    uint32_t bits = (uint32_t)draw(), op = forms[form % 15];
    uint32_t always = below(2) ? 14 : below(15);
    if ((op & 0x0e000000) == 0x0a000000 || op == 0x012fff30)
        return always << 28 | op | (op == 0x012fff30 ? bits & 15 : 0);
    return always << 28 | op | (bits & (op & 0x04000000 || op & 0x02000000 ? 0xf0ff : 0xf00f));
}

/* Half of them relative, half anything. */
static uint32_t draw_word(const struct piece *p)
{
    unsigned kind = (unsigned)below(8);
    uint32_t any = (uint32_t)draw();
    if (!p->thumb)
        return kind < 4   ? draw_a32((unsigned)draw())
               : kind < 7 ? (any & 0x0fffffff) | 0xe0000000
                          : any;
    if (kind < 3)
        return draw_halves((unsigned)draw()) << 16 | (any & 0xffff);
    return kind < 6 ? draw_long((unsigned)draw()) : any;
}

/* Direct jumps lead to a stub. */
static uint32_t redirected(const struct piece *p, uint32_t op, const struct arm_code *c,
                           uint32_t at)
{
    uint32_t target = (uintptr_t)place[0] + (below(2) ? BACK : ORIGINAL + 64), by;
    if (c->kind != ARM_JUMP && c->kind != ARM_BRANCH && !(c->kind == ARM_CALL && c->direct))
        return op;
    by = target - at - (p->thumb ? 4 : 8);
    if (!p->thumb)
        return op >> 28 == 15 ? 0xe1a00000 : (op & 0xff000000) | (by >> 2 & 0xffffff);
    if (c->len == 2 && op >> 12 == 0xb)
        return (op & 0xfd07) | (((uintptr_t)place[0] + ORIGINAL + 64 - at - 4) & 0x3e) << 2;
    if (c->len == 2 && op >> 12 == 0xd)
        return (op & 0xff00) | (by >> 1 & 0xff);
    if (c->len == 2)
        return 0xe000 | (by >> 1 & 0x7ff);
    uint32_t s = by >> 31;
    if (c->kind == ARM_BRANCH)
        return (op & 0xfbc0d000) | s << 26 | s << 13 | s << 11 | (by >> 12 & 0x3f) << 16 |
               (by >> 1 & 0x7ff);
    op = (op & 0xf000d000) | 0x1000; /* not BLX: there is no stub of A32 */
    return op | s << 26 | (by >> 12 & 0x3ff) << 16 | 0x2800 | (by >> 1 & 0x7ff);
}

static bool add_instruction(struct piece *p)
{
    uint32_t word = draw_word(p), op = word;
    struct arm_code c;
    if (p->thumb)
        thumb_code_read((uint16_t)(word >> 16), (uint16_t)word, &c);
    else
        arm_code_read(word, &c);
    op = p->thumb && c.len == 2 ? word >> 16 : word;
    if (!read_registers(p, op, c.len) || is_left_out(p, op, &c))
        return false;
    op = redirected(p, op, &c, (uint32_t)((uintptr_t)place[0] + ORIGINAL + p->len));
    if (p->thumb && c.len == 4) {
        put_le16(p->bytes + p->len, (uint16_t)(op >> 16));
        put_le16(p->bytes + p->len + 2, (uint16_t)op);
    } else if (p->thumb)
        put_le16(p->bytes + p->len, (uint16_t)op);
    else
        put_le32(p->bytes + p->len, op);
    p->calls |= c.kind == ARM_CALL;
    p->len += c.len;
    return true;
}

static bool draw_piece(struct piece *p)
{
    *p = (struct piece){.thumb = below(3)};
    size_t wanted = p->thumb && below(4) == 0 ? 8 : 4;
    while (p->len < wanted)
        if (!add_instruction(p))
            return false;
    return true;
}
