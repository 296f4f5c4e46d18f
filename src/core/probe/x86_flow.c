/*
 * Where x86-64 code leads. A jump table of position independent code is a list of 32-bit distances
 * from its own begin, which the code takes by LEA; what LEA names in a function that jumps
 * indirectly is read as one, as long as it leads into code. What is read behind its end are other
 * functions' tables: a table of an entry leads into its own body alone, or into its cold part.
 * Tables of whole addresses are found by elf_code_pointers. Both err towards too many targets.
 */
#include "core/base/bytes.h"
#include "core/insn/x86.h"
#include "planning.h"

enum {
    TABLES = 1024,
    MAX_TABLE = 1 << 16,
    MAX_WORDS = 1 << 28,
    DWARF_RBP = 6,
    DWARF_RSP = 7,
    SLOT = 8
};

struct sweep {
    struct planning *p;
    struct probe_body *body;
    uint64_t table[TABLES]; /* of LEA; a function with more that jumps indirectly is not known */
    size_t tables;
    bool indirect;
    cfi_rule rule; /* of the instruction looked at, and up to rule_end */
    uint64_t rule_end;
};

/* Functions are no tables. */
static void note_table(struct sweep *s, uint64_t addr)
{
    if (!planning_has(s->p, addr) || !cfi_find(s->p->cfi, addr))
        s->table[s->tables++ % TABLES] = addr;
}

static void read_table(const struct sweep *s, uint64_t table)
{
    uint64_t avail;
    const uint8_t *bytes = elf_memory_at(s->p->elf, table, &avail);
    for (size_t i = 0; bytes && i < MAX_TABLE && avail >= 4 * (i + 1); i++, s->p->table_words++) {
        uint64_t to = table + (uint64_t)(int64_t)(int32_t)get_le32(bytes + 4 * i);
        if (!planning_has(s->p, to))
            break;
        if (!s->body->entry || (to >= s->body->start && to < s->body->end))
            planning_mark(s->p, to);
    }
}

/* --- the return address as an operand --- */

/* Addresses ascend. */
static cfi_rule rule_at(struct sweep *s, uint64_t addr)
{
    if (addr >= s->rule_end)
        s->rule = cfi_find_range(s->p->cfi, addr, &s->rule_end);
    return s->rule;
}

/* By the rule at the instruction: whether base + displacement is where the return address is. */
static bool is_return_slot(struct sweep *s, uint64_t addr, unsigned base, int64_t distance)
{
    cfi_rule r = rule_at(s, addr);
    return r && !cfi_cfa_by_expression(r) && cfi_cfa_register(r) == base &&
           distance == (int64_t)cfi_cfa_offset(r) - SLOT;
}

static bool is_pop(const struct x86_insn *i)
{
    return i->map == X86_MAP_ONE && (i->opcode & 0xf8) == 0x58;
}

static bool uses_return_slot(struct sweep *s, const struct x86_insn *i, uint64_t addr)
{
    if (is_pop(i))
        return is_return_slot(s, addr, DWARF_RSP, 0);
    if (!i->memory || i->index != X86_NO_REGISTER)
        return false;
    if (i->base == X86_RSP)
        return is_return_slot(s, addr, DWARF_RSP, i->displacement);
    return i->base == X86_RBP && i->displacement == SLOT &&
           is_return_slot(s, addr, DWARF_RBP, SLOT);
}

/* --- the walk --- */

static bool is_lea(const struct x86_insn *i)
{
    return i->map == X86_MAP_ONE && i->opcode == 0x8d;
}

static void look_at(struct sweep *s, const struct x86_insn *i, uint64_t addr)
{
    if (i->relative_size && !i->memory)
        planning_lead(s->p, s->body, i->kind, x86_insn_target(i, addr));
    else if (i->base == X86_RIP && is_lea(i)) {
        note_table(s, x86_insn_target(i, addr));
        planning_point(s->p, x86_insn_target(i, addr));
    } else if (s->p->fixed && i->len > 4 && i->base != X86_RIP) /* what may be a number */
        planning_point(s->p, get_le32(planning_bytes(s->p, addr) + i->len - 4));
    s->indirect |= i->kind == INSN_JUMP_INDIRECT && i->base != X86_RIP;
    if (!s->body->reads_return)
        s->body->reads_return = uses_return_slot(s, i, addr);
}

/* Behind an unknown instruction any byte may begin one; without a rule it is no code. The last one
 * may reach beyond the body: that of a signal's return begins a byte early, in padding. */
static void sweep_code(struct sweep *s)
{
    const struct planning *p = s->p;
    for (uint64_t addr = s->body->start; addr < s->body->end;) {
        struct x86_insn i;
        if (x86_insn_read(planning_bytes(p, addr), (size_t)(p->end - addr), &i)) {
            look_at(s, &i, addr);
            addr += i.len;
        } else {
            s->body->unknown |= cfi_find(p->cfi, addr) != NULL;
            addr++;
        }
    }
}

static void sweep_body(struct planning *p, struct probe_body *b)
{
    struct sweep s;
    s.p = p;
    s.body = b;
    s.tables = 0;
    s.indirect = false;
    s.rule_end = 0;
    sweep_code(&s);
    size_t tables = s.tables < TABLES ? s.tables : TABLES;
    b->unknown |= s.indirect && (p->table_words > MAX_WORDS || s.tables > TABLES);
    for (size_t i = 0; s.indirect && i < tables && p->table_words <= MAX_WORDS; i++)
        read_table(&s, s.table[i]);
}

/* --- the way of an entry --- */

enum { JUMP = 5 };

static bool is_call(enum insn_kind k)
{
    return k == INSN_CALL || k == INSN_CALL_INDIRECT;
}

static enum probe_reason judge(const struct planning *p, uint64_t start, unsigned at,
                               const struct x86_insn *i)
{
    if (at && planning_is_target(p, start + at))
        return PROBE_JUMP_TARGET;
    if (is_call(i->kind) && at + i->len < JUMP)
        return PROBE_CALL_INSIDE;
    if (i->kind == INSN_CALL_INDIRECT && i->memory && i->base == X86_RSP)
        return PROBE_STACK_OPERAND;
    return PROBE_NO_REASON;
}

static void read_prologue(const struct planning *p, const struct probe_body *b,
                          struct probe_prologue *out)
{
    struct x86_insn i;
    *out = (struct probe_prologue){0};
    for (; out->covers < JUMP && out->reason == PROBE_NO_REASON; out->count++) {
        uint64_t addr = b->start + out->covers;
        if (addr >= b->end)
            out->reason = PROBE_SHORT;
        else if (!x86_insn_read(planning_bytes(p, addr), (size_t)(p->end - addr), &i))
            out->reason = PROBE_UNKNOWN_CODE;
        else
            out->reason = judge(p, b->start, out->covers, &i);
        if (out->reason != PROBE_NO_REASON)
            return;
        out->landing |= out->covers == 0 && i.kind == INSN_LANDING;
        out->nops += i.kind == INSN_NOP && out->nops == out->covers ? i.len : 0;
        out->covers += i.len;
    }
}

/* Targets between instructions are known only of code that is. */
static void choose_way(const struct planning *p, const struct probe_body *b, struct probe_site *out)
{
    struct probe_prologue x;
    read_prologue(p, b, &x);
    planning_set_way(&x, JUMP, out);
    if (out->way == PROBE_SEVERAL && b->unknown) {
        out->way = PROBE_REFUSED;
        out->reason = PROBE_UNKNOWN_CODE;
    }
    if (!x.landing || b->end - b->start <= 4)
        return;
    out->way = PROBE_LANDING;
    out->reason = PROBE_NO_REASON;
}

const struct probe_processor probe_x86 = {.machine = ELF_MACHINE_X86_64,
                                          .sp = DWARF_RSP,
                                          .cfa = SLOT,
                                          .saved = 1,
                                          .points = true,
                                          .sweep = sweep_body,
                                          .choose = choose_way};
