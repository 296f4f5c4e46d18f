/*
 * Functions of 32-bit ARM that do not return, as those that end in exit: the frame is what the
 * first instructions made. They begin at a push of lr, and the call that led there names the
 * function.
 */
#include "arm_code.h"
#include "step.h"

#include "core/base/bytes.h"

#include <string.h>

enum {
    REACH = 2048,   /* bytes from the push to pc */
    FAR = 1 << 16,  /* ... where a call names the function */
    MAX_STEPS = 32, /* instructions of a prologue */
    MAX_PUSHES = 8,
    MAX_BEFORE = 16, /* bytes of instructions that come before the push */
    REGISTERS = 16,
    CALLEE_SAVED = 0x0ff0 /* r4-r11 */
};

struct frame { /* offsets count from the stack pointer at entry */
    int64_t sp, saved[REGISTERS], copy[REGISTERS];
    unsigned has_saved, has_copy; /* a bit a register; copy: sp's value then */
};

static bool read_code(const struct unwind_state *u, uint64_t pc, bool thumb, struct arm_code *out)
{
    const struct unwind_space *s = u->space;
    uint8_t b[4];
    if (!s->memory(s->arg, pc, b, sizeof b))
        return false;
    if (thumb)
        thumb_code_read(get_le16(b), get_le16(b + 2), out);
    else
        arm_code_read(get_le32(b), out);
    return true;
}

static bool is_push(const struct arm_code *c)
{
    return c->kind == ARM_STORE && !c->conditional && c->rn == ARM_SP && c->step < 0 &&
           c->by == c->step;
}

/* --- the frame that a prologue makes --- */

static void push(struct frame *f, const struct arm_code *c)
{
    f->sp += c->step;
    int64_t at = f->sp;
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        if (c->mask >> reg & 1) {
            if (!(f->has_saved >> reg & 1))
                f->saved[reg] = at;
            f->has_saved |= 1u << reg;
            at += 4;
        }
}

static void set_copy(struct frame *f, unsigned reg, int64_t value)
{
    f->copy[reg] = value;
    f->has_copy |= 1u << reg;
}

/* False where the prologue ends. */
static bool add_instruction(struct frame *f, const struct arm_code *c)
{
    bool from_sp = c->rn == ARM_SP, framed = c->rd == 7 || c->rd == 11;
    if (is_push(c))
        push(f, c);
    else if (c->kind == ARM_ADD && c->rd == ARM_SP && from_sp)
        f->sp += c->by;
    else if ((c->kind == ARM_ADD || c->kind == ARM_MOVE) && from_sp && framed)
        set_copy(f, c->rd, f->sp + (c->kind == ARM_ADD ? c->by : 0));
    else
        return c->kind == ARM_PLAIN || c->kind == ARM_STORE || c->kind == ARM_CONSTANT ||
               c->kind == ARM_LITERAL || c->kind == ARM_LOST || c->kind == ARM_ADD ||
               c->kind == ARM_MOVE || (c->kind == ARM_LOAD && !(c->mask >> ARM_PC));
    return f->sp <= 0;
}

static void run_prologue(const struct unwind_state *u, uint64_t from, bool thumb, struct frame *f)
{
    struct arm_code c;
    uint64_t pc = from;
    *f = (struct frame){.sp = 0};
    for (unsigned i = 0; i < MAX_STEPS && pc < unwind_pc(u); i++, pc += c.len)
        if (!read_code(u, pc, thumb, &c) || !add_instruction(f, &c))
            return;
}

/* The stack pointer at entry: by a frame pointer, which alloca leaves alone, or by sp itself. */
static uint32_t entry_stack(const struct unwind_state *u, const struct frame *f)
{
    for (unsigned reg = 7; reg <= 11; reg += 4)
        if (f->has_copy >> reg & 1 && unwind_known(u, reg))
            return (uint32_t)u->regs.r[reg] - (uint32_t)f->copy[reg];
    return (uint32_t)unwind_sp(u) - (uint32_t)f->sp;
}

/* --- its caller --- */

static bool names_function(const struct unwind_state *u, uint64_t target, uint64_t push_at)
{
    return target <= push_at
               ? push_at - target <= MAX_BEFORE || unwind_jumps_near(u->space, target, push_at)
               : unwind_jumps_near(u->space, target, push_at);
}

static bool read_caller(const struct unwind_state *u, const struct frame *f, uint32_t entry,
                        struct unwind_regs *out)
{
    *out = u->regs;
    out->known &= CALLEE_SAVED;
    for (unsigned reg = 4; reg < REGISTERS; reg++) {
        uint64_t bit = UINT64_C(1) << reg, value;
        if (!(f->has_saved >> reg & 1) || !((CALLEE_SAVED | 1u << ARM_LR) >> reg & 1))
            continue;
        bool found =
            unwind_number(u->space, (uint32_t)(entry + (uint32_t)f->saved[reg]), 4, &value);
        out->known = found ? out->known | bit : out->known & ~bit;
        out->r[reg] = found ? value : 0;
    }
    out->r[UNWIND_PC] = out->r[ARM_LR];
    out->r[ARM_SP] = entry;
    bool known = out->known >> ARM_LR & 1;
    out->known &= ~(UINT64_C(1) << ARM_LR);
    out->known |= UINT64_C(1) << ARM_SP | UINT64_C(1) << UNWIND_PC;
    return known;
}

/* With the stack as it is found to have been at the begin. A far one must be named. */
static bool leads_here(const struct unwind_state *u, uint64_t at, bool thumb, uint32_t entry,
                       bool named)
{
    int64_t moved;
    enum unwind_arm_reach reach = unwind_arm_reaches(u, at, thumb, &moved);
    return reach == ARM_REACHES ? (uint32_t)(unwind_sp(u) - (uint64_t)moved) == entry
                                : reach == ARM_TOO_FAR && named;
}

static enum unwind_arm_begin try_push(const struct unwind_state *u, uint64_t at, bool thumb,
                                      bool named, struct unwind_regs *out)
{
    const struct unwind_space *s = u->space;
    struct unwind_code code;
    struct frame f;
    uint64_t target;
    bool unread;
    run_prologue(u, at, thumb, &f);
    uint32_t entry = entry_stack(u, &f);
    if (!(f.has_saved >> ARM_LR & 1) || entry <= unwind_sp(u) || entry % 4 ||
        !read_caller(u, &f, entry, out))
        return ARM_NO_BEGIN;
    uint64_t pc = unwind_strip_pc(s, out->r[UNWIND_PC]);
    if (!pc || !s->code(s->arg, pc - 1, &code) || !unwind_called_arm(s, pc, &target, &unread))
        return ARM_NO_BEGIN;
    bool direct = target, known = direct || unwind_register_target_arm(s, out, &target);
    bool names = known && names_function(u, target, at);
    if ((direct || named) && !names)
        return ARM_NO_BEGIN;
    if (leads_here(u, at, thumb, entry, names))
        return ARM_LEADS_HERE;
    return names ? ARM_BEGINS : ARM_BEGIN_GUESSED;
}

/* The nearest push whose caller calls it; else the nearest with a call through a register. */
enum unwind_arm_begin unwind_by_arm_prologue(const struct unwind_state *u, bool thumb,
                                             struct unwind_regs *out)
{
    enum unwind_arm_begin best = ARM_NO_BEGIN, found;
    uint64_t pc = unwind_pc(u), step = thumb ? 2 : 4;
    struct unwind_regs caller;
    struct arm_code c;
    unsigned pushes = 0;
    for (uint64_t back = step; back <= FAR && back < pc; back += step) {
        if (!read_code(u, pc - back, thumb, &c))
            break;
        if (!is_push(&c) || !(c.mask >> ARM_LR & 1))
            continue;
        pushes++;
        found = try_push(u, pc - back, thumb, back > REACH || pushes > MAX_PUSHES, &caller);
        if (found > best) {
            best = found;
            *out = caller;
        }
        if (best >= ARM_BEGINS)
            break;
    }
    return best;
}
