#include "core/topo/write.h"

#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/text/shown.h"
#include "quoted.h"

#include <inttypes.h>

static void add_depths(const struct topo_function *f, struct buf *out)
{
    const char *comma = "";
    buf_addc(out, '[');
    for (size_t i = 0; i < f->ats; i++)
        for (uint64_t n = 0; n < f->at[i].calls && !buf_error(out); n++, comma = ", ")
            buf_printf(out, "%s%" PRIu32, comma, f->at[i].depth);
    buf_addc(out, ']');
}

/* Callers, else callees. */
static void add_names(const struct topo *t, const struct topo_function *f, bool callers,
                      struct buf *out)
{
    buf_addc(out, '[');
    for (size_t i = 0; i < (callers ? f->callers : f->callees); i++) {
        uint32_t other = callers ? t->relation[t->by_callee[f->first_caller + i]].caller
                                 : t->relation[f->first_callee + i].callee;
        buf_adds(out, i ? ", " : "");
        quoted_add(out, t->function[other].name);
    }
    buf_addc(out, ']');
}

static void add_human(const struct topo *t, const struct topo_function *f, struct buf *out)
{
    shown_adds(out, f->name);
    buf_printf(out, ", total time: %" PRIu64 ", contrib time: %" PRIu64 ", depths: ", f->total,
               f->local);
    add_depths(f, out);
    buf_printf(out, ", call count: %" PRIu64 ", callers: ", f->calls);
    add_names(t, f, true, out);
    buf_adds(out, ", callees: ");
    add_names(t, f, false, out);
    buf_addc(out, '\n');
}

static void add_machine(const struct topo *t, const struct topo_function *f, struct buf *out)
{
    buf_adds(out, "FuncStats(");
    quoted_add(out, f->name);
    buf_printf(out, ", %" PRIu64 ", %" PRIu64 ", ", f->total, f->local);
    add_depths(f, out);
    buf_printf(out, ", %" PRIu64 ", ", f->calls);
    add_names(t, f, true, out);
    buf_adds(out, ", ");
    add_names(t, f, false, out);
    buf_adds(out, ")\n");
}

int topo_write_human(const struct topo *t, struct buf *out)
{
    for (size_t i = 0; i < t->functions; i++)
        add_human(t, &t->function[i], out);
    return buf_error(out);
}

int topo_write_machine(const struct topo *t, struct buf *out)
{
    for (size_t i = 0; i < t->functions; i++)
        add_machine(t, &t->function[i], out);
    return buf_error(out);
}

/* --- drawing values --- */

uint64_t topo_longest(const struct topo *t)
{
    uint64_t longest = 0;
    for (size_t i = 0; i < t->functions; i++)
        longest = t->function[i].total > longest ? t->function[i].total : longest;
    return longest;
}

struct topo_look topo_look(const struct topo_function *f, uint64_t longest)
{
    unsigned diameter = 100 / (f->depth + 1);
    return (struct topo_look){
        .diameter = diameter ? diameter : 1,
        .red = longest ? (double)f->total / (double)longest : 0,
        .alpha = f->total ? (double)f->local / (double)f->total : 1,
    };
}

int topo_write_draw(const struct topo *t, struct buf *out)
{
    uint64_t longest = topo_longest(t);
    buf_adds(out, "name\tdiameter\tred\talpha\n");
    for (size_t i = 0; i < t->functions; i++) {
        struct topo_look look = topo_look(&t->function[i], longest);
        shown_adds(out, t->function[i].name);
        buf_printf(out, "\t%u\t%.6f\t%.6f\n", look.diameter, look.red, look.alpha);
    }
    return buf_error(out);
}

/* --- what is missing --- */

void topo_dropped_text(const struct topo *t, const char *before, const char *behind,
                       struct buf *out)
{
    for (int i = 0; i < TOPO_REASONS; i++)
        if (t->dropped[i])
            buf_printf(out, "%s%s dropped: %s%s", before, counted(t->dropped[i], "run").text,
                       topo_reason_text((enum topo_reason)i), behind);
}
