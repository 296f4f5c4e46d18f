/*
 * x86: reads an x86-64 instruction: its length, where it leads, and which of its bytes are relative
 * to its own address. From Intel's manual, volume 2, chapter 2 and appendix A, and AMD's, volume 3.
 *
 * What is not in the tables is unknown: XOP, 3DNow, AVX-512 FP16, far jumps, XBEGIN, addresses of
 * 32 bits relative to EIP, and prefixes that do not go with their opcode.
 */
#pragma once

#include "core/insn/insn.h"

enum {
    X86_INSN_MAX = 15, /* bytes of an instruction */
    X86_RSP = 4,       /* as instructions number registers */
    X86_RBP = 5,
    X86_NO_REGISTER = 16,
    X86_RIP = 17,
};

/* How the opcode was reached: the one-byte map, 0F, 0F 38, 0F 3A; those of VEX and of EVEX. */
enum x86_map {
    X86_MAP_ONE,
    X86_MAP_0F,
    X86_MAP_0F38,
    X86_MAP_0F3A,
    X86_MAP_VEX,      /* X86_MAP_VEX + 1 is VEX's 0F, + 2 its 0F 38, + 3 its 0F 3A */
    X86_MAP_EVEX = 8, /* the same */
    X86_MAPS = 12,
};

struct x86_insn {
    enum insn_kind kind;
    uint8_t len;
    uint8_t map, opcode; /* enum x86_map */
    uint8_t prefixes;    /* so many bytes before REX or the opcode */
    uint8_t rex;         /* 0: none */
    uint8_t modrm;       /* of instructions that have one; see has_modrm */
    bool has_modrm;
    bool memory;         /* it has an operand in memory, by ModRM; what follows is its address */
    uint8_t base, index; /* a register, X86_NO_REGISTER, X86_RIP */
    /* What is relative to the end of the instruction, of a jump or of an operand: its bytes. */
    uint8_t relative_at, relative_size; /* size 0: nothing is */
    int32_t displacement;               /* that number; else that of the operand's address */
};

/* The instruction at bytes, of which len may be read. False: it is unknown, or longer. */
bool x86_insn_read(const uint8_t *bytes, size_t len, struct x86_insn *out);

/* The address that its relative bytes mean, when the instruction is at addr. */
static inline uint64_t x86_insn_target(const struct x86_insn *i, uint64_t addr)
{
    return addr + i->len + (uint64_t)(int64_t)i->displacement;
}
