#include "arm_memo.h"
#include "cfi_table.h"

#include "core/base/budget.h"

#include <stdlib.h>

/* --- a frame as a rule --- */

static uint32_t rule_word(unsigned reg, enum cfi_kind kind, int32_t offset)
{
    return reg | (uint32_t)kind << 5 | (uint32_t)offset << 8;
}

void arm_row_set_rule(struct arm_row *row, const struct arm_frame *frame)
{
    unsigned count = 0;
    for (unsigned reg = ARM_FIRST_SAVED; reg <= ARM_LINK; reg++) {
        uint32_t *word = &row->rule[CFI_HEAD_WORDS + count];
        bool saved = frame->has_saved >> reg & 1, lost = frame->lost >> reg & 1;
        count += saved || lost;
        if (saved)
            *word = rule_word(reg, CFI_OFFSET, frame->saved[reg] - frame->cfa);
        else if (lost)
            *word = rule_word(reg, CFI_UNDEFINED, 0);
    }
    row->rule[0] = frame->base | (uint32_t)ARM_LINK << 5 | count << 10;
    row->rule[1] = (uint32_t)frame->cfa;
}

/* --- the rows of a module, by a hash of their keys --- */

enum { FIRST_ROWS = 64, MAX_ROWS = 8192 };

static struct arm_row *slot_of(const struct arm_memo *m, uint32_t key)
{
    size_t mask = m->cap - 1, at = (key * UINT32_C(0x9e3779b1) >> 16) & mask;
    while (m->row[at].key && m->row[at].key != key)
        at = (at + 1) & mask;
    return &m->row[at];
}

const struct arm_row *arm_memo_find(const struct cfi *c, uint32_t key)
{
    const struct arm_row *row = c->arm.cap && key ? slot_of(&c->arm, key) : NULL;
    return row && row->key ? row : NULL;
}

static bool set_capacity(struct cfi *c, size_t cap)
{
    struct arm_memo before = c->arm, now = {.cap = cap, .count = before.count};
    if (!budget_take(c->budget, cap * sizeof *now.row))
        return false;
    now.row = calloc(cap, sizeof *now.row);
    if (!now.row) {
        budget_give(c->budget, cap * sizeof *now.row);
        return false;
    }
    for (size_t i = 0; i < before.cap; i++)
        if (before.row[i].key)
            *slot_of(&now, before.row[i].key) = before.row[i];
    budget_free(c->budget, before.row, before.cap, sizeof *before.row);
    c->arm = now;
    return true;
}

static void forget_rows(struct arm_memo *m)
{
    for (size_t i = 0; i < m->cap; i++)
        m->row[i].key = 0;
    m->count = 0;
}

/* A free row at least ends each search. */
static bool make_room(struct cfi *c)
{
    struct arm_memo *m = &c->arm;
    if (m->count < m->cap / 4 * 3)
        return true;
    size_t cap = m->cap ? 2 * m->cap : FIRST_ROWS;
    if (cap > MAX_ROWS || !set_capacity(c, cap))
        forget_rows(m);
    return m->cap;
}

void arm_memo_add(struct cfi *c, const struct arm_row *row)
{
    if (!row->key || !make_room(c))
        return;
    struct arm_row *slot = slot_of(&c->arm, row->key);
    c->arm.count += !slot->key;
    *slot = *row;
}

void arm_memo_release(struct cfi *c)
{
    budget_free(c->budget, c->arm.row, c->arm.cap, sizeof *c->arm.row);
}

size_t arm_memo_bytes(const struct cfi *c)
{
    return c->arm.cap * sizeof *c->arm.row;
}
