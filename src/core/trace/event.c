#include "core/trace/event.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"

#include <inttypes.h>

static const char *const names[SCHED_KINDS] = {
    "Ready", "Run",   "Dead",     "Sleep",  "User", "Admit", "Release",
    "Yield", "Slice", "Deadline", "Expel",  "Ints", "Inte",  "Migrate",
    "Softs", "Softe", "Call",     "Return", "Fork", "Exec",  "Lost",
};

const char *sched_kind_name(unsigned kind)
{
    return kind < SCHED_KINDS ? names[kind] : NULL;
}

bool sched_is_inferred_switch(const struct sched_event *e)
{
    return e->flags & SCHED_INFERRED && (e->kind == SCHED_RUN || e->kind == SCHED_SLEEP);
}

bool sched_ends_run(unsigned kind)
{
    return kind == SCHED_SLEEP || kind == SCHED_YIELD || kind == SCHED_READY ||
           kind == SCHED_SLICE || kind == SCHED_DEAD;
}

/* Thousandths of a unit, rounded. */
static void add_thousandths(struct buf *out, uint64_t ns, uint64_t unit_ns, const char *unit)
{
    uint64_t step = unit_ns / 1000;
    uint64_t n = ns / step + (ns % step >= (step + 1) / 2 && step > 1);
    buf_printf(out, "%" PRIu64 ".%03u%s", n / 1000, (unsigned)(n % 1000), unit);
}

void sched_time_text(struct buf *out, int64_t ns)
{
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    if (ns < 0)
        buf_addc(out, '-');
    if (size > NS_PER_S)
        add_thousandths(out, size, NS_PER_S, "s");
    else if (size > NS_PER_MS)
        add_thousandths(out, size, NS_PER_MS, "ms");
    else if (size > NS_PER_US)
        add_thousandths(out, size, NS_PER_US, "\xc2\xb5s");
    else
        buf_printf(out, "%" PRIu64 "ns", size);
}

static void add_head(struct buf *out, const struct sched_event *e)
{
    buf_printf(out, "%" PRId32 " ", e->pid);
    sched_time_text(out, (int64_t)e->time_ns);
}

void sched_always_text(struct buf *out, const struct sched_event *e)
{
    if (e->kind == SCHED_DEAD) {
        buf_adds(out, "task died ");
        add_head(out, e);
        buf_adds(out, " Dead\n");
    } else if (e->kind == SCHED_ILLEGAL) {
        add_head(out, e);
        buf_printf(out, " Illegal event %" PRIu32 "\n", e->arg);
    }
}

void sched_event_line(struct buf *out, const struct sched_event *e)
{
    if (e->kind < SCHED_KINDS) {
        add_head(out, e);
        buf_printf(out, " %s\n", names[e->kind]);
    }
    sched_always_text(out, e);
}
