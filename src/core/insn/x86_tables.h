/*
 * x86_tables: what follows an opcode, and with which prefixes and operands it exists.
 */
#pragma once

#include "core/insn/x86.h"

/* What follows an opcode of the one-byte map or of 0F: n nothing, m ModRM, j and J a distance of 8
 * or 32 bits, b w d a number of 8, 16, 32 bits (d: 16 with prefix 66), v one of the operand's size,
 * a an address, e ENTER's numbers, B and D ModRM and a number, g ModRM whose register tells whether
 * a number follows; '.' unknown. */
char x86_form(enum x86_map map, uint8_t opcode);

/* The opcode's mandatory prefix: a bit of the masks below. */
enum { X86_PREFIX_NONE = 1, X86_PREFIX_66 = 2, X86_PREFIX_F3 = 4, X86_PREFIX_F2 = 8 };

/* The mandatory prefixes with which an opcode of any map but the first exists with an operand in
 * memory or with registers alone. */
unsigned x86_prefixes(enum x86_map map, uint8_t opcode, bool memory);

/* Whether the register field of ModRM, and of x87 and of what has no operand in memory the whole
 * byte, makes an instruction of the opcode. i is complete but for its kind. */
bool x86_group_has(const struct x86_insn *i, unsigned prefix);
