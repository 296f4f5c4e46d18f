/*
 * Atomic sequences of ARM (core/insn/exclusive.h): a thread executes a copy of its own path through
 * one at full speed, and is told from the breakpoint at the copy's end what it has executed.
 */
#include "breaks_parts.h"

#include "core/base/grow.h"

static size_t find_sequence(const struct breaks_image *m, uint64_t address)
{
    for (size_t i = 0; i < m->sequences; i++)
        if (m->sequence[i].copy.node[0].address == address)
            return i + 1;
    return 0;
}

static size_t add_sequence(struct broken *x, uint64_t address)
{
    struct breaks_image *m = x->image;
    if (!grow(&m->sequence, &m->sequence_cap, m->sequences, sizeof *m->sequence))
        return 0;
    struct breaks_sequence *q = &m->sequence[m->sequences];
    if (!tracee_copy_exclusive(breaks_read_code, m, address, &q->copy))
        return 0;
    size_t slots = (q->copy.len + DISPLACED_SLOT_BYTES - 1) / DISPLACED_SLOT_BYTES;
    struct breaks_stop s = broken_stop(x, address, address);
    q->start = breaks_take_slots(m, slots);
    if (!q->start && breaks_reserve(&s, address, address, slots) == 0)
        q->start = breaks_take_slots(m, slots);
    if (q->start)
        q->start |= address & tracee_mode_bits;
    if (!q->start || !breaks_write(m, q->start, q->copy.bytes, q->copy.len))
        return 0;
    return ++m->sequences;
}

/* Code that no breakpoint covers is as it stands there. */
static bool begins_sequence(const struct broken *x, uint64_t pc)
{
    const struct breaks_point *p = breaks_point_at(x->image, pc);
    return p ? p->code.exclusive : tracee_begins_exclusive(x->image, pc);
}

bool broken_enter_sequence(struct broken *x, uint64_t pc)
{
    if (!begins_sequence(x, pc))
        return false;
    x->sequence = find_sequence(x->image, pc);
    if (!x->sequence)
        x->sequence = add_sequence(x, pc);
    if (x->sequence)
        tracee_write_pc(&x->tracee, x->image->sequence[x->sequence - 1].start);
    return x->sequence != 0;
}

/* The last report says how it goes on. */
static enum breaks_next report_path(struct breaks *b, struct broken *x, const struct exclusive *e,
                                    const struct exclusive_node *to)
{
    const struct exclusive_node *path[EXCLUSIVE_MAX_NODES + 1];
    enum breaks_next next = BREAKS_STEP;
    size_t len = exclusive_path(e, to, path);
    path[len] = to;
    for (size_t i = 0; i < len; i++) {
        struct breaks_stop s = broken_stop(x, path[i + 1]->address, path[i]->address);
        next = b->callbacks.stepped(b->callbacks.arg, &s);
    }
    return next;
}

struct breaks_resume broken_leave_sequence(struct breaks *b, struct broken *x, uint64_t pc)
{
    const struct breaks_sequence *q = &x->image->sequence[x->sequence - 1];
    const struct exclusive_node *n = exclusive_node_at(&q->copy, pc - q->start);
    x->sequence = 0;
    if (!n || pc < q->start)
        return (struct breaks_resume){.pc = pc, .next = BREAKS_RUN};
    struct breaks_resume how = {.pc = n->address, .moved = true, .next = BREAKS_RUN};
    if (!x->over)
        how.next = report_path(b, x, &q->copy, n);
    x->over = false;
    return how;
}
