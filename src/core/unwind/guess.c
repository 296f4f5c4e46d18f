/*
 * Steps out of code without call frame information: hand-written assembly, stubs, a JIT compiler's
 * code, a call through a wild pointer. What is taken for a return address must be in executable
 * memory and behind a call, as far as the code can be read.
 */
#include "step.h"

static bool has_rule(const struct unwind_code *code, uint64_t pc)
{
    return code->cfi && cfi_find(code->cfi, pc - 1 - code->bias);
}

struct candidate { /* for a return address */
    uint64_t pc, target;
    bool executable, call, unread, ruled;
    bool skips;        /* something nearer may be one, too */
    bool by_code_scan; /* it was found by the instructions up to the return */
};

/* The call is of a function with information, and that one does not end in a jump here: of a frame
 * whose size is known no jump is a switch's. */
static bool calls_other_function(const struct unwind_state *u, const struct candidate *c)
{
    struct unwind_code code = {0};
    uint64_t pc = unwind_pc(u), target = c->call ? c->target : 0;
    return target && target != pc && u->space->code(u->space->arg, target, &code) &&
           has_rule(&code, target + 1) && !unwind_jumps_near(u->space, target, pc) &&
           !(c->by_code_scan && unwind_jumps_indirect(u->space, target));
}

static struct candidate make_candidate(const struct unwind_state *u, uint64_t value)
{
    struct candidate c = {.pc = unwind_strip_pc(u->space, value)};
    struct unwind_code code = {0};
    c.executable = c.pc && u->space->code(u->space->arg, c.pc - 1, &code);
    if (!c.executable)
        return c;
    c.call = u->cpu->called(u->space, c.pc, &c.target, &c.unread);
    c.ruled = has_rule(&code, c.pc);
    return c;
}

static bool is_plausible(const struct candidate *c)
{
    return c->executable && (c->call || c->unread);
}

void unwind_add_doubt(struct unwind_state *u, enum unwind_doubt how)
{
    if (!u->doubt)
        u->doubted = unwind_pc(u);
    if (u->doubt < how)
        u->doubt = (uint8_t)how;
}

/* What unwind.h calls confirmed. A return address of 0, where a thread begins, tells nothing. */
static void update_doubt(struct unwind_state *u, const struct candidate *c)
{
    if (c->skips || calls_other_function(u, c))
        unwind_add_doubt(u, DOUBT_MISMATCH);
    else if (c->unread)
        unwind_add_doubt(u, DOUBT_UNREAD);
    else if (c->call && u->doubt == DOUBT_UNREAD)
        u->doubt = DOUBT_NONE;
}

/* The innermost function may not have touched its stack yet, or never will: its return address is
 * in lr or at sp. It is no leftover if its call leads right here, or if it is in code that has
 * unwind information, which the code here has not. */
static bool is_leaf_of(const struct unwind_state *u, const struct candidate *c)
{
    return is_plausible(c) && ((c->target && c->target == unwind_pc(u)) || c->ruled);
}

static bool guess_leaf(struct unwind_state *u)
{
    bool linked = u->cpu->lr < UNWIND_REGISTERS;
    uint64_t value = linked ? u->regs.r[u->cpu->lr] : 0, sp = unwind_sp(u);
    if (linked ? !unwind_known(u, u->cpu->lr) : !unwind_number(u->space, sp, u->cpu->word, &value))
        return false;
    struct candidate c = make_candidate(u, value);
    if (!is_leaf_of(u, &c))
        return false;
    update_doubt(u, &c);
    unwind_return_to(u, value);
    u->regs.r[u->cpu->sp] = sp + (linked ? 0 : u->cpu->word);
    u->method = UNWIND_LEAF;
    return true;
}

static bool guess_by_code_scan(struct unwind_state *u)
{
    struct unwind_regs caller;
    if (!unwind_by_code_scan(u, &caller))
        return false;
    struct candidate c = make_candidate(u, caller.r[UNWIND_PC]);
    if (!is_plausible(&c))
        return false;
    c.by_code_scan = true;
    update_doubt(u, &c);
    u->regs = caller;
    u->regs.r[UNWIND_PC] = c.pc;
    u->method = UNWIND_CODE_SCAN;
    return true;
}

/* A caller that has information needs no frame pointer: what the record saved is its register, and
 * may be anything. Else it is where the next record is, further out. */
static bool is_record(const struct candidate *c, uint64_t at, uint64_t next)
{
    bool linked = !next || next > at;
    if (!c->pc)
        return linked;
    return is_plausible(c) && (linked || (c->call && c->ruled));
}

/* Code that keeps no frame pointer has its caller's, and its own return address nearer. */
static bool may_skip_one(const struct unwind_state *u, uint64_t at)
{
    enum { MAX_WORDS = 256 };
    uint64_t word = u->cpu->word, from = unwind_sp(u), value;
    if (at - from > MAX_WORDS * word)
        return true;
    for (; from < at; from += word) {
        if (!unwind_number(u->space, from, u->cpu->word, &value))
            return true;
        struct candidate c = make_candidate(u, value);
        if (is_plausible(&c))
            return true;
    }
    return false;
}

static bool no_information(struct unwind_state *u)
{
    return unwind_stop(u, UNWIND_NO_CFI, unwind_pc(u));
}

/* Thumb's is r7. */
static unsigned frame_pointer(const struct unwind_state *u)
{
    enum { THUMB = 7 };
    return u->mode == MODE_T32 ? THUMB : u->cpu->fp;
}

/* Frame records of all processors: the caller's frame pointer, the return address. */
static bool guess_by_frame_pointer(struct unwind_state *u)
{
    unsigned word = u->cpu->word, fp = frame_pointer(u);
    uint64_t at, next, value;
    if (!unwind_known(u, fp))
        return fp < UNWIND_REGISTERS && u->unread >> fp & 1 ? unwind_stop_at_register(u, fp)
                                                            : no_information(u);
    at = u->regs.r[fp];
    if (at < unwind_sp(u) || !at || at % word || !unwind_number(u->space, at, word, &next) ||
        !unwind_number(u->space, at + word, word, &value))
        return no_information(u);
    struct candidate c = make_candidate(u, value);
    if (!is_record(&c, at, next))
        return no_information(u);
    c.skips = may_skip_one(u, at);
    update_doubt(u, &c);
    unwind_return_to(u, value);
    u->regs.r[u->cpu->sp] = at + 2 * word;
    u->regs.r[fp] = next;
    u->method = UNWIND_FRAME_POINTER;
    return true;
}

bool unwind_by_guess(struct unwind_state *u, const struct unwind_code *code)
{
    uint64_t entry = code->cfi ? cfi_entry(code->cfi) : 0;
    enum { START = 64 }; /* bytes that a program's start has at most before it calls */
    if (entry && unwind_pc(u) - code->bias - entry < START)
        return unwind_stop(u, UNWIND_WHOLE, 0);
    if (!guess_by_code_scan(u) && !(u->signalled && guess_leaf(u)) && !guess_by_frame_pointer(u))
        return false;
    u->signalled = false;
    u->returns = true;
    return true;
}
