#include "step.h"

struct rule_step {
    struct unwind_state *u;
    const struct cfi *cfi;
    struct cfi_machine_state expression;
    uint64_t cfa;
    uint64_t red_zone, instead; /* an address that cannot be read, 0 = none; and what is there */
};

static bool read_for_expression(void *arg, uint64_t addr, unsigned size, uint64_t *out)
{
    const struct rule_step *s = arg;
    *out = s->instead;
    return (addr == s->red_zone && size == s->u->cpu->word) ||
           unwind_number(s->u->space, addr, size, out);
}

static bool by_expression(struct rule_step *s, int32_t offset, const uint64_t *initial,
                          uint64_t *out)
{
    struct unwind_state *u = s->u;
    s->expression = (struct cfi_machine_state){
        .regs = u->regs.r, .known = u->regs.known, .read = read_for_expression, .arg = s};
    return cfi_expression(s->cfi, offset, &s->expression, initial, out);
}

static bool stop_at_expression(struct rule_step *s)
{
    if (s->expression.read_failed)
        return unwind_stop(s->u, UNWIND_UNREADABLE, s->expression.failed_addr);
    return unwind_stop(s->u, UNWIND_NO_VALUE, unwind_pc(s->u));
}

static bool cfa_by_expression(struct rule_step *s, int32_t offset)
{
    if (by_expression(s, offset, NULL, &s->cfa))
        return true;
    if (!s->expression.read_failed ||
        !unwind_from_red_zone(s->u, s->expression.failed_addr, &s->instead))
        return false;
    s->red_zone = s->expression.failed_addr;
    return by_expression(s, offset, NULL, &s->cfa);
}

static bool find_cfa(struct rule_step *s, cfi_rule rule)
{
    struct unwind_state *u = s->u;
    if (cfi_cfa_by_expression(rule))
        return cfa_by_expression(s, cfi_cfa_offset(rule)) || stop_at_expression(s);
    unsigned reg = cfi_cfa_register(rule);
    if (!unwind_known(u, reg))
        return unwind_stop_at_register(u, reg);
    s->cfa = u->regs.r[reg] + (uint64_t)(int64_t)cfi_cfa_offset(rule);
    return true;
}

/* The stack grows downwards, so callers are above. A signal's handler may have a stack of its own.
 * A leaf function of AArch64 need not have a frame at all; two in a row would go round for ever. */
static bool check_cfa(struct rule_step *s, cfi_rule rule)
{
    struct unwind_state *u = s->u;
    uint64_t sp = unwind_sp(u);
    bool further = s->cfa > sp || (s->cfa == sp && u->signalled) || cfi_signal(rule);
    return (further && s->cfa % u->cpu->word == 0) || unwind_stop(u, UNWIND_BAD_CFA, s->cfa);
}

/* False when the value is not known; *unread: because memory could not be read. */
static bool saved_value(struct rule_step *s, struct cfi_saved saved, uint64_t *out,
                        uint64_t *unread)
{
    struct unwind_state *u = s->u;
    uint64_t addr = s->cfa + (uint64_t)(int64_t)saved.offset;
    switch (saved.kind) {
    case CFI_VAL_OFFSET:
        *out = addr;
        return true;
    case CFI_REGISTER:
        *out = unwind_known(u, (unsigned)saved.offset) ? u->regs.r[saved.offset] : 0;
        return unwind_known(u, (unsigned)saved.offset);
    case CFI_VAL_EXPR:
        return by_expression(s, saved.offset, &s->cfa, out);
    case CFI_EXPR:
        if (!by_expression(s, saved.offset, &s->cfa, &addr))
            return false;
        break;
    case CFI_OFFSET:
        break;
    default:
        return false;
    }
    *unread = addr;
    return unwind_number(u->space, addr, u->cpu->word, out);
}

/* Where the value of a register that is not known could not be read; 0: that is not why. */
static uint64_t failed_address(const struct rule_step *s, struct cfi_saved saved, uint64_t failed)
{
    const struct unwind_state *u = s->u;
    bool copied = saved.kind == CFI_REGISTER && (unsigned)saved.offset < UNWIND_REGISTERS;
    if (copied && u->unread >> saved.offset & 1)
        return u->unread_at;
    return failed ? failed : s->expression.read_failed ? s->expression.failed_addr : 0;
}

struct caller {
    struct unwind_regs regs;
    uint64_t unread, unread_at; /* as of unwind_state */
};

static void forget_register(struct caller *c, unsigned reg, uint64_t unread_at)
{
    c->regs.known &= ~(UINT64_C(1) << reg);
    if (!unread_at)
        return;
    c->unread |= UINT64_C(1) << reg;
    c->unread_at = unread_at;
}

/* The caller's registers. What the function did not save is as it was. */
static void restore_registers(struct rule_step *s, cfi_rule rule, struct caller *c)
{
    for (unsigned i = 0, n = cfi_count(rule); i < n; i++) {
        struct cfi_saved saved = cfi_saved_at(rule, i);
        uint64_t value, failed = 0, bit = UINT64_C(1) << saved.reg;
        s->expression.read_failed = false;
        c->unread &= ~bit;
        if (saved_value(s, saved, &value, &failed)) {
            c->regs.r[saved.reg] = value;
            c->regs.known |= bit;
        } else if (!failed || !unwind_is_restored(s->u, saved.reg, failed)) {
            forget_register(c, saved.reg, failed_address(s, saved, failed));
        }
    }
}

static bool set_caller(struct unwind_state *u, cfi_rule rule, const struct caller *c)
{
    unsigned column = cfi_return_register(rule);
    u->unread = c->unread;
    u->unread_at = c->unread_at;
    if (!(c->regs.known >> column & 1))
        return unwind_stop_at_register(u, column);
    u->regs = c->regs;
    unwind_return_to(u, c->regs.r[column]);
    return true;
}

bool unwind_by_rule(struct unwind_state *u, const struct cfi *cfi, cfi_rule rule)
{
    struct rule_step s = {.u = u, .cfi = cfi};
    struct caller c = {u->regs, u->unread, u->unread_at};
    if (cfi_outermost(rule))
        return unwind_stop(u, UNWIND_WHOLE, 0);
    if (!find_cfa(&s, rule) || !check_cfa(&s, rule))
        return false;
    c.regs.r[u->cpu->sp] = s.cfa;
    c.regs.known |= UINT64_C(1) << u->cpu->sp;
    restore_registers(&s, rule, &c);
    if (!set_caller(u, rule, &c))
        return false;
    u->method = s.red_zone ? UNWIND_RED_ZONE : cfi_signal(rule) ? UNWIND_SIGNAL_FRAME : UNWIND_CFI;
    u->signalled = cfi_signal(rule);
    u->returns = !cfi_signal(rule);
    return true;
}
