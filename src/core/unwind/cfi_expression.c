/*
 * DWARF expressions (DWARF 5, section 2.5) as call frame information has them: of PLT stubs, of
 * functions that align their stack, of returns from signals. 64 bits wide; an expression that goes
 * round more than STEPS times is none.
 */
#include "cfi_table.h"

enum {
    DEREF = 0x06,
    CONST1U = 0x08,
    CONST8S = 0x0f,
    CONSTU = 0x10,
    CONSTS = 0x11,
    DUP = 0x12,
    DROP = 0x13,
    OVER = 0x14,
    PICK = 0x15,
    SWAP = 0x16,
    ROT = 0x17,
    ABS = 0x19,
    AND = 0x1a,
    DIV = 0x1b,
    MINUS = 0x1c,
    MOD = 0x1d,
    MUL = 0x1e,
    NEG = 0x1f,
    NOT = 0x20,
    OR = 0x21,
    PLUS = 0x22,
    PLUS_UCONST = 0x23,
    SHL = 0x24,
    SHR = 0x25,
    SHRA = 0x26,
    XOR = 0x27,
    BRA = 0x28,
    EQ = 0x29,
    GE = 0x2a,
    GT = 0x2b,
    LE = 0x2c,
    LT = 0x2d,
    NE = 0x2e,
    SKIP = 0x2f,
    LIT0 = 0x30,
    LIT31 = 0x4f,
    BREG0 = 0x70,
    BREG31 = 0x8f,
    BREGX = 0x92,
    DEREF_SIZE = 0x94,
    NOP = 0x96,

    MAX_DEPTH = 32,
    MAX_STEPS = 512,
};

struct expression {
    struct dwarf_cursor c;
    struct cfi_machine_state *s;
    uint64_t stack[MAX_DEPTH];
    unsigned depth, addr_size, pc; /* pc: its DWARF number */
    bool bad;
};

static void push_value(struct expression *e, uint64_t n)
{
    if (e->depth == MAX_DEPTH)
        e->bad = true;
    else
        e->stack[e->depth++] = n;
}

static uint64_t pop_value(struct expression *e)
{
    if (!e->depth) {
        e->bad = true;
        return 0;
    }
    return e->stack[--e->depth];
}

static uint64_t pick_value(struct expression *e, uint64_t from_top)
{
    if (from_top < e->depth)
        return e->stack[e->depth - 1 - from_top];
    e->bad = true;
    return 0;
}

static void push_register(struct expression *e, uint64_t reg)
{
    int64_t offset = dwarf_sleb(&e->c);
    uint64_t at = reg == e->pc ? CFI_REGISTERS : reg;
    if (at > CFI_REGISTERS || !(e->s->known >> at & 1))
        e->bad = true;
    else
        push_value(e, e->s->regs[at] + (uint64_t)offset);
}

static void read_memory(struct expression *e, uint64_t size)
{
    uint64_t addr = pop_value(e), n = 0;
    if (e->bad || (size != 1 && size != 2 && size != 4 && size != 8)) {
        e->bad = true;
        return;
    }
    if (!e->s->read(e->s->arg, addr, (unsigned)size, &n)) {
        e->s->failed_addr = addr;
        e->s->read_failed = e->bad = true;
    }
    push_value(e, n);
}

static void push_constant(struct expression *e, uint8_t op)
{
    static const uint8_t sizes[] = {1, 2, 4, 8};
    unsigned size = sizes[(op - CONST1U) / 2], up = 64 - 8 * size;
    uint64_t n = dwarf_number(&e->c, size);
    push_value(e, (op - CONST1U) % 2 ? (uint64_t)((int64_t)(n << up) >> up) : n);
}

static void branch_if(struct expression *e, bool go)
{
    int16_t by = (int16_t)dwarf_number(&e->c, 2);
    int64_t to = (int64_t)e->c.at + by;
    if (!go)
        return;
    if (to < 0 || (uint64_t)to > e->c.end)
        e->bad = true;
    else
        e->c.at = (size_t)to;
}

static void rotate_top(struct expression *e)
{
    uint64_t top = pop_value(e), second = pop_value(e), third = pop_value(e);
    push_value(e, top);
    push_value(e, third);
    push_value(e, second);
}

static bool execute_stack_op(struct expression *e, uint8_t op)
{
    uint64_t top;
    switch (op) {
    case DUP:
        push_value(e, pick_value(e, 0));
        break;
    case DROP:
        pop_value(e);
        break;
    case OVER:
        push_value(e, pick_value(e, 1));
        break;
    case PICK:
        push_value(e, pick_value(e, dwarf_number(&e->c, 1)));
        break;
    case SWAP:
        top = pop_value(e);
        push_value(e, top);
        if (e->depth > 1) {
            e->stack[e->depth - 1] = e->stack[e->depth - 2];
            e->stack[e->depth - 2] = top;
        }
        break;
    case ROT:
        rotate_top(e);
        break;
    default:
        return false;
    }
    return true;
}

static bool execute_unary_op(struct expression *e, uint8_t op)
{
    uint64_t n = e->depth ? e->stack[e->depth - 1] : 0;
    switch (op) {
    case ABS:
        n = (int64_t)n < 0 ? -n : n;
        break;
    case NEG:
        n = -n;
        break;
    case NOT:
        n = ~n;
        break;
    case PLUS_UCONST:
        n += dwarf_uleb(&e->c);
        break;
    default:
        return false;
    }
    pop_value(e);
    push_value(e, n);
    return true;
}

static uint64_t divide_values(struct expression *e, int64_t a, int64_t b)
{
    if (!b || (a == INT64_MIN && b == -1)) {
        e->bad = true;
        return 0;
    }
    return (uint64_t)(a / b);
}

static uint64_t compare_values(struct expression *e, uint8_t op, int64_t x, int64_t y)
{
    switch (op) {
    case EQ:
        return x == y;
    case GE:
        return x >= y;
    case GT:
        return x > y;
    case LE:
        return x <= y;
    case LT:
        return x < y;
    case NE:
        return x != y;
    }
    e->bad = true;
    return 0;
}

static uint64_t execute_binary_op(struct expression *e, uint8_t op, uint64_t a, uint64_t b)
{
    switch (op) {
    case AND:
        return a & b;
    case DIV:
        return divide_values(e, (int64_t)a, (int64_t)b);
    case MINUS:
        return a - b;
    case MOD:
        e->bad |= !b;
        return b ? a % b : 0;
    case MUL:
        return a * b;
    case OR:
        return a | b;
    case PLUS:
        return a + b;
    case SHL:
        return b < 64 ? a << b : 0;
    case SHR:
        return b < 64 ? a >> b : 0;
    case SHRA:
        return (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
    case XOR:
        return a ^ b;
    }
    return compare_values(e, op, (int64_t)a, (int64_t)b);
}

static bool execute_constant_op(struct expression *e, uint8_t op)
{
    if (op >= LIT0 && op <= LIT31)
        push_value(e, (uint64_t)(op - LIT0));
    else if (op >= BREG0 && op <= BREG31)
        push_register(e, (uint64_t)(op - BREG0));
    else if (op >= CONST1U && op <= CONST8S)
        push_constant(e, op);
    else if (op == BREGX)
        push_register(e, dwarf_uleb(&e->c));
    else if (op == CONSTU)
        push_value(e, dwarf_uleb(&e->c));
    else if (op == CONSTS)
        push_value(e, (uint64_t)dwarf_sleb(&e->c));
    else
        return false;
    return true;
}

static void execute_op(struct expression *e, uint8_t op)
{
    if (execute_constant_op(e, op) || execute_stack_op(e, op) || execute_unary_op(e, op) ||
        op == NOP)
        return;
    if (op == DEREF) {
        read_memory(e, e->addr_size);
    } else if (op == DEREF_SIZE) {
        read_memory(e, dwarf_number(&e->c, 1));
    } else if (op == SKIP) {
        branch_if(e, true);
    } else if (op == BRA) {
        bool go = pop_value(e) != 0;
        branch_if(e, go);
    } else {
        uint64_t b = pop_value(e), a = pop_value(e);
        push_value(e, execute_binary_op(e, op, a, b));
    }
}

bool cfi_expression(const struct cfi *c, int32_t offset, struct cfi_machine_state *s,
                    const uint64_t *initial, uint64_t *out)
{
    struct expression e;
    e.c = (struct dwarf_cursor){.big_endian = c->big_endian};
    if (offset <= 0 || !cfi_pool_bytes(&c->pool, (uint32_t)offset, &e.c.base, &e.c.end))
        return false;
    e.s = s;
    e.depth = 0;
    e.bad = false;
    e.addr_size = c->addr_size;
    e.pc = c->pc;
    if (initial)
        push_value(&e, *initial);
    for (int step = 0; e.c.at < e.c.end && !e.bad && !e.c.bad && step < MAX_STEPS; step++)
        execute_op(&e, e.c.base[e.c.at++]);
    if (e.bad || e.c.bad || e.c.at < e.c.end || !e.depth)
        return false;
    *out = e.stack[e.depth - 1];
    return true;
}
