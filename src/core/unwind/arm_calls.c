/*
 * Calls, jumps and returns from signals of 32-bit ARM, A32 and T32 alike: an address has lost the
 * bit that tells which.
 */
#include "step.h"

#include "core/base/bytes.h"
#include "core/insn/arm_code.h"

static uint64_t add_distance(uint64_t pc, int32_t by)
{
    return (uint32_t)((uint32_t)pc + (uint32_t)by);
}

/* Instructions are little-endian always. */
bool unwind_read_arm(const struct unwind_space *s, uint64_t pc, bool thumb, struct arm_code *out)
{
    uint8_t b[4] = {0};
    if (!s->memory(s->arg, pc, b, 4) && !(thumb && s->memory(s->arg, pc, b, 2)))
        return false;
    if (thumb)
        thumb_code_read(get_le16(b), get_le16(b + 2), out);
    else
        arm_code_read(get_le32(b), out);
    return true;
}

/* --- tables --- */

struct compared { /* with a number, or with a register */
    bool is, by_register;
    uint32_t number;
    unsigned reg;
};

/* cmp of 16 bits, cmp.w with a byte */
static struct compared compare_of(uint32_t first, uint32_t second, unsigned index)
{
    if (index < 8 && first >> 8 == (0x28 | index))
        return (struct compared){.is = true, .number = first & 0xff};
    if (first == (0xf1b0 | index) && second >> 8 == 0x0f)
        return (struct compared){.is = true, .number = second & 0xff};
    if (index < 8 && (first & 0xffc7) == (0x4280 | index))
        return (struct compared){.is = true, .by_register = true, .reg = first >> 3 & 7};
    return (struct compared){.is = false};
}

/* movw, which is said to have set a register */
static bool is_movw(uint32_t first, uint32_t second, unsigned reg, uint32_t *number)
{
    *number =
        (first & 0xf) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | (second & 0xff);
    return (first & 0xfbf0) == 0xf240 && !(second >> 15) && (second >> 8 & 15) == reg;
}

uint32_t arm_table_length(const struct unwind_space *s, uint32_t at, unsigned index)
{
    enum { BEFORE = 32, MAX_LENGTH = 1024 };
    struct compared c = {.is = false};
    uint32_t length = 0;
    uint8_t b[4];
    for (uint32_t back = 4; back <= BEFORE && s->memory(s->arg, at - back, b, 4); back += 2) {
        uint32_t first = get_le16(b), second = get_le16(b + 2);
        if (!c.is)
            c = compare_of(first, second, index);
        else if (is_movw(first, second, c.reg, &c.number))
            c.by_register = false;
        length = c.is && !c.by_register ? c.number + 1 : 0;
        if (length)
            break;
    }
    return length < MAX_LENGTH ? length : MAX_LENGTH;
}

bool arm_table_entry(const struct unwind_space *s, uint32_t at, const struct arm_code *c,
                     uint32_t i, uint32_t *out)
{
    uint32_t size = (uint32_t)c->step;
    uint8_t b[2] = {0};
    if (!s->memory(s->arg, at + 4 + i * size, b, size))
        return false;
    *out = at + 4 + 2 * (size == 2 ? get_le16(b) : b[0]);
    return true;
}

/* --- calls --- */

bool arm_call_target(const uint8_t call[4], uint64_t pc, bool thumb, uint64_t *target)
{
    uint16_t first = get_le16(call), second = get_le16(call + 2);
    struct arm_code c;
    if (thumb ? first >> 11 != 0x1e || (second & 0x1001) == 1 : (call[3] & 0x0e) != 0x0a)
        return false; /* no jump; and blx has no such distance */
    if (thumb)
        thumb_code_read(first, second, &c);
    else
        arm_code_read(get_le32(call), &c);
    if (c.kind != ARM_CALL || !c.direct)
        return false;
    *target = arm_code_target(&c, thumb, (uint32_t)pc - 4);
    return true;
}

/* Also blx of a register; what a compiler for ARMv4 makes of it: lr is set two instructions
 * earlier. */
static bool called_a32(const uint8_t before[8], uint64_t pc, uint64_t *target)
{
    uint32_t op = get_le32(before + 4), first = get_le32(before);
    bool jumps = (op & 0x0ffffff0) == 0x012fff10 || (op & 0x0c50f000) == 0x0410f000;
    return arm_call_target(before + 4, pc, false, target) || (op & 0x0ffffff0) == 0x012fff30 ||
           (first == 0xe1a0e00f && jumps);
}

static bool called_t32(const uint8_t before[8], uint64_t pc, uint64_t *target)
{
    return arm_call_target(before + 4, pc, true, target) ||
           (get_le16(before + 6) & 0xff87) == 0x4780;
}

bool unwind_called_arm(const struct unwind_space *s, uint64_t pc, uint64_t *target, bool *unread)
{
    uint8_t before[8] = {0};
    *target = 0;
    *unread = !s->memory(s->arg, pc - 8, before, 8) && !s->memory(s->arg, pc - 4, before + 4, 4);
    if (*unread)
        return false;
    return called_t32(before, pc, target) || (pc % 4 == 0 && called_a32(before, pc, target));
}

/* A return address has the bit of its set; blx of an address changes it. */
bool unwind_called_mode_arm(const struct unwind_space *s, uint64_t value, uint64_t *target,
                            bool *thumb)
{
    uint64_t pc = unwind_strip_pc(s, value);
    uint8_t before[8] = {0};
    *target = 0;
    *thumb = value & 1;
    if (!s->memory(s->arg, pc - 8, before, 8) && !s->memory(s->arg, pc - 4, before + 4, 4))
        return false;
    bool exchanges = *thumb ? !(before[7] & 0x10) : before[7] >> 1 == 0x7d;
    bool called =
        *thumb ? called_t32(before, pc, target) : pc % 4 == 0 && called_a32(before, pc, target);
    *thumb ^= exchanges;
    return called && *target;
}

/* --- jumps --- */

static bool jumps_by(const struct arm_code *c, uint64_t pc, uint64_t *target)
{
    bool direct = c->kind == ARM_JUMP || c->kind == ARM_BRANCH;
    if (direct)
        *target = add_distance(pc, c->by);
    return direct || c->kind == ARM_JUMP_TABLE || (c->kind == ARM_LITERAL && c->rd == ARM_PC) ||
           (c->kind == ARM_LOAD && c->mask >> ARM_PC && c->rn != ARM_SP) ||
           (c->kind == ARM_MOVE && c->rd == ARM_PC && c->rn != ARM_LR);
}

/* Of code that may be either, what a word of A32 says is taken if it is one's that is always. */
bool unwind_jumps_arm(const struct unwind_space *s, uint64_t pc, uint64_t *target)
{
    uint8_t bytes[4];
    struct arm_code c;
    *target = 0;
    if (!s->memory(s->arg, pc, bytes, sizeof bytes))
        return false;
    arm_code_read(get_le32(bytes), &c);
    if (pc % 4 == 0 && bytes[3] >> 4 == 0xe && jumps_by(&c, pc, target))
        return true;
    thumb_code_read(get_le16(bytes), get_le16(bytes + 2), &c);
    return jumps_by(&c, pc, target);
}

/* --- signals --- */

/* The number of sigreturn, or of rt_sigreturn: it has a siginfo in front of what is saved. */
static unsigned context_of(uint32_t number)
{
    enum { SIGRETURN = 119, RT_SIGRETURN = 173, SAVED = 32, SIGINFO = 128 };
    return number == SIGRETURN ? SAVED : number == RT_SIGRETURN ? SIGINFO + SAVED : 0;
}

/* mov r7, #NUMBER; svc #0 */
static unsigned a32_context(const uint8_t code[8])
{
    uint32_t op = get_le32(code);
    bool is = (op & ~0xffu) == 0xe3a07000 && get_le32(code + 4) >> 24 == 0xef;
    return is ? context_of(op & 0xff) : 0;
}

/* movs r7, #NUMBER; svc #0; or with mov.w */
static unsigned t32_context(const uint8_t code[8])
{
    bool is = code[1] == 0x27 && code[3] == 0xdf;
    bool wide = get_le16(code) == 0xf04f && code[3] == 0x07 && code[5] == 0xdf;
    return is ? context_of(code[0]) : wide ? context_of(code[2]) : 0;
}

bool unwind_is_sigreturn_arm(const struct unwind_space *s, uint64_t pc, unsigned *context)
{
    uint8_t code[8] = {0};
    *context = 0;
    for (unsigned back = 0; back <= 4 && !*context; back += 2) {
        if (!s->memory(s->arg, pc - back, code, 8) && !s->memory(s->arg, pc - back, code, 4))
            continue;
        *context = t32_context(code);
        if (!*context && back != 2 && pc % 4 == 0)
            *context = a32_context(code);
    }
    return *context;
}

/* --- returns --- */

bool unwind_is_called_arm(const struct unwind_state *u, uint64_t value)
{
    const struct unwind_space *s = u->space;
    struct unwind_code code = {0};
    uint64_t pc = unwind_strip_pc(s, value), target;
    unsigned context;
    bool unread, executable = pc && s->code(s->arg, pc - 1, &code);
    return executable && (unwind_called_arm(s, pc, &target, &unread) || unread ||
                          unwind_is_sigreturn_arm(s, pc, &context));
}

/* --- calls through registers --- */

enum { SAVED_REGISTERS = 0x2ff0 }; /* r4-r11, sp: the same before and behind a call */

/* The register that blx calls through, or none. */
static unsigned called_register(const struct unwind_space *s, uint64_t pc, bool thumb)
{
    uint8_t b[4];
    if (!s->memory(s->arg, pc - 4, b, sizeof b))
        return UNWIND_REGISTERS;
    if (thumb)
        return (get_le16(b + 2) & 0xff87) == 0x4780 ? get_le16(b + 2) >> 3 & 15u : UNWIND_REGISTERS;
    return (get_le32(b) & 0x0ffffff0) == 0x012fff30 ? b[0] & 15u : UNWIND_REGISTERS;
}

static bool is_saved(const struct unwind_regs *caller, unsigned reg)
{
    return (SAVED_REGISTERS & caller->known) >> reg & 1;
}

/* What an instruction gave a register that a call does not keep. */
static bool given_value(const struct unwind_space *s, const struct unwind_regs *caller,
                        const struct arm_code *c, unsigned reg, uint64_t *value)
{
    if (!is_saved(caller, c->rn))
        return false;
    *value = caller->r[c->rn];
    if (c->kind == ARM_MOVE && c->rd == reg)
        return true;
    return c->kind == ARM_LOAD && c->mask == 1u << reg && !c->step &&
           unwind_number(s, (uint32_t)((uint32_t)*value + (uint32_t)c->by), 4, value);
}

bool unwind_register_target_arm(const struct unwind_space *s, const struct unwind_regs *caller,
                                uint64_t *target)
{
    enum { REACH = 32 };
    bool thumb = caller->r[UNWIND_PC] & 1;
    uint64_t pc = unwind_strip_pc(s, caller->r[UNWIND_PC]), step = thumb ? 2 : 4;
    unsigned reg = called_register(s, pc, thumb);
    struct arm_code c;
    bool found = reg < 16 && is_saved(caller, reg);
    if (found)
        *target = caller->r[reg];
    for (uint64_t back = 2 * step; reg < 16 && !found && back <= REACH; back += step)
        found = unwind_read_arm(s, pc - back, thumb, &c) && given_value(s, caller, &c, reg, target);
    *target = found ? unwind_strip_pc(s, *target) : 0;
    return found;
}
