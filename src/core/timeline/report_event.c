/* An event a line. */
#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/json.h"
#include "core/text/shown.h"
#include "core/timeline/report.h"

#include <inttypes.h>

/* What `other` is, of each kind. */
static const char *other_word(unsigned kind)
{
    switch (kind) {
    case SCHED_READY:
    case SCHED_SLICE:
    case SCHED_FORK:
        return "by";
    case SCHED_MIGRATE:
        return "from";
    default:
        return NULL;
    }
}

static void print_other(const struct sched_names *names, const struct sched_event *e,
                        struct buf *out)
{
    const char *word = other_word(e->kind);
    if (!word || e->other < 0)
        return;
    if (e->kind == SCHED_MIGRATE)
        buf_printf(out, " %s CPU %" PRId32, word, e->other);
    else if (e->other == 0)
        buf_printf(out, " %s an interrupt", word);
    else
        shown_printf(out, " %s %" PRId32 " %s", word, e->other, sched_names_get(names, e->other));
}

static void print_detail(const struct sched_names *names, const struct sched_event *e,
                         struct buf *out)
{
    const char *call = sched_names_call(names, e->kind, e->arg, e->flags);
    if (e->kind == SCHED_USER)
        shown_printf(out, " %s", sched_names_get_text(names, e->arg));
    else if (e->kind == SCHED_LOST && !e->arg)
        buf_adds(out, " unknown number");
    else if (call)
        shown_printf(out, " %s", call);
    else if (e->kind >= SCHED_INTS && e->kind != SCHED_MIGRATE && e->kind != SCHED_FORK &&
             e->kind != SCHED_EXEC)
        buf_printf(out, " %" PRIu32, e->arg);
}

void sched_report_event(const struct sched_names *names, uint64_t begin_ns,
                        const struct sched_event *e, struct buf *out)
{
    const char *kind = sched_kind_name(e->kind);
    int64_t ns = (int64_t)(e->time_ns - begin_ns);
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    buf_printf(out, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / NS_PER_S,
               size % NS_PER_S);
    shown_printf(out, " %d %" PRId32 " %s %s", e->cpu, e->pid, sched_names_get(names, e->pid),
                 kind ? kind : "Illegal");
    print_other(names, e, out);
    print_detail(names, e, out);
    if (e->state)
        shown_printf(out, " %c", e->state);
    buf_adds(out, e->flags & SCHED_INFERRED ? " (inferred)\n" : "\n");
}

void sched_report_event_json(const struct sched_names *names, const struct sched_event *e,
                             struct buf *out)
{
    struct json j;
    const char state[] = {(char)e->state, '\0'};
    const char *word = other_word(e->kind), *kind = sched_kind_name(e->kind);
    const char *call = sched_names_call(names, e->kind, e->arg, e->flags);
    json_start(&j, out, "trace");
    json_members(&j, "time_ns kind cpu pid name", e->time_ns, kind ? kind : "Illegal", e->cpu,
                 e->pid, sched_names_get(names, e->pid));
    if (word && e->other >= 0)
        json_i64(&j, word, e->other);
    if (e->kind == SCHED_USER)
        json_str(&j, "text", sched_names_get_text(names, e->arg));
    else if (e->arg)
        json_u64(&j, "what", e->arg);
    json_members(&j, "[call] [state]", call, state);
    if (e->priority != INT16_MIN)
        json_i64(&j, "priority", e->priority);
    json_members(&j, "[inferred?]", e->flags & SCHED_INFERRED);
    json_end(&j);
}
