/*
 * 32-bit ARM: jumps and what loads an address near the pc are done on the registers. Everything
 * else is executed in the slot, where a register that it does not name stands for the pc that it
 * reads, and one for that which it writes.
 */
#include "core/insn/displaced.h"

#include "core/base/bytes.h"
#include "core/insn/arm_pc.h"
#include "core/insn/arm_registers.h"
#include "core/insn/exclusive.h"

enum { NO_REGISTER = 16, A32_BREAKPOINT = 0xe7f001f0, T32_BREAKPOINT = 0xde01 };

/* --- by the registers alone --- */

static bool jumps_t16(uint32_t op)
{
    return (op & 0xff00) == 0x4700 || (op & 0xfd87) == 0x4487;
}

static bool is_done_t32(const struct arm_insn *x)
{
    uint32_t distance;
    if (x->code.len == 2)
        return jumps_t16(x->op) || x->op >> 11 == 0x14 || x->code.kind == ARM_LITERAL;
    return arm_pc_address(x->op, &distance) || arm_is_table_jump(x->op);
}

static bool is_done(const struct arm_insn *x)
{
    switch (x->code.kind) {
    case ARM_JUMP:
    case ARM_BRANCH:
    case ARM_CALL:
    case ARM_IF:
        return true;
    case ARM_LOAD:
        return x->code.mask >> ARM_PC & 1 && x->code.rn != ARM_PC;
    default:
        return x->thumb ? is_done_t32(x) : (x->op & 0x0ffffff0) == 0x012fff10;
    }
}

/* --- in the slot --- */

/* A register that it does not name. */
static uint8_t find_register(const struct arm_insn *x, unsigned but)
{
    unsigned named = x->regs.read | x->regs.written | but, reg = 0;
    while (reg < 8 && named >> reg & 1)
        reg++;
    return reg < 8 ? (uint8_t)reg : NO_REGISTER;
}

/* A base that changes cannot be the pc. */
static bool writes_back(const struct arm_insn *x)
{
    bool access = (x->op & 0x0c000000) == 0x04000000 || (x->op & 0x0e000090) == 0x00000090;
    return access && (!(x->op >> 24 & 1) || x->op >> 21 & 1) && (x->op >> 16 & 15) == ARM_PC;
}

static bool replace_source(struct arm_insn *x, uint32_t addr, struct displaced *out)
{
    uint32_t distance;
    out->reg = find_register(x, 0);
    out->value = addr + (x->thumb ? 4 : 8);
    if (x->thumb && x->code.len == 2)
        x->op = (x->op & ~x->regs.pc_fields) | (uint32_t)out->reg << 3;
    else if (x->thumb && arm_pc_access(x->op, &distance)) {
        out->value = (out->value & ~UINT64_C(3)) + distance;
        x->op = arm_pc_access_by(x->op, out->reg);
    } else if (!x->thumb && !writes_back(x))
        x->op = (x->op & ~x->regs.pc_fields) | ((out->reg * 0x11111111u) & x->regs.pc_fields);
    else
        return false;
    return out->reg < NO_REGISTER;
}

/* In both sets its field is the same, but for data of T32, whose result is never the pc. */
static bool replace_result(struct arm_insn *x, struct displaced *out)
{
    bool field = (x->op >> 12 & 15) == ARM_PC && (!x->thumb || x->op >> 25 == 0x7c);
    out->target = find_register(x, out->reg < NO_REGISTER ? 1u << out->reg : 0);
    if (!field || out->target == NO_REGISTER)
        return false;
    x->op = (x->op & ~UINT32_C(0xf000)) | (uint32_t)out->target << 12;
    return true;
}

static void fill_slot(const struct arm_insn *x, uint8_t *to)
{
    if (!x->thumb) {
        put_le32(to, x->op);
        put_le32(to + 4, A32_BREAKPOINT);
        return;
    }
    if (x->code.len == 4) {
        put_le16(to, (uint16_t)(x->op >> 16));
        to += 2;
    }
    put_le16(to, (uint16_t)x->op);
    put_le16(to + 2, T32_BREAKPOINT);
}

static bool move(struct arm_insn *x, uint32_t addr, struct displaced *out)
{
    if (x->regs.pc_fields && !replace_source(x, addr, out))
        return false;
    if (x->regs.written >> ARM_PC & 1 && !replace_result(x, out))
        return false;
    fill_slot(x, out->bytes);
    return true;
}

bool displaced_arm(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                   struct displaced *out)
{
    struct arm_insn x;
    if (!arm_insn_read(code, len, from & 1, &x) || x.code.kind == ARM_UNKNOWN || !x.known)
        return false;
    *out = (struct displaced){.len = (uint8_t)x.code.len,
                              .fix = DISPLACED_MOVE,
                              .reg = NO_REGISTER,
                              .target = NO_REGISTER,
                              .call = x.code.kind == ARM_SYSTEM_CALL,
                              .exclusive = exclusive_begins_arm(x.op, x.thumb),
                              .thumb = x.thumb,
                              .op = x.op};
    if (!is_done(&x))
        return move(&x, (uint32_t)from & ~UINT32_C(1), out);
    out->fix = DISPLACED_REGISTERS;
    return true;
}
