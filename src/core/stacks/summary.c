#include "core/stacks/summary.h"

#include "core/base/buf.h"
#include "core/base/share.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/shown.h"

#include <inttypes.h>

enum { MAX_ROWS = 8 };

static void add_row(const struct stacks_broken *b, uint64_t unwound, struct buf *out)
{
    shown_printf(out, "%6.1f%%  %s, in %s", share_pct(b->chains, unwound), b->reason, b->module);
    if (b->pid)
        buf_printf(out, " of process %" PRIu32, b->pid);
    buf_addc(out, '\n');
}

static void add_rows(const struct stacks_ends *e, struct buf *out)
{
    uint64_t rest = 0;
    for (size_t i = 0; i < e->broken_count; i++)
        if (i < MAX_ROWS)
            add_row(&e->broken[i], e->unwound, out);
        else
            rest += e->broken[i].chains;
    if (rest)
        buf_printf(out, "%6.1f%%  (%zu more)\n", share_pct(rest, e->unwound),
                   e->broken_count - MAX_ROWS);
}

void stacks_ends_text(const struct stacks_ends *e, struct buf *out)
{
    if (!e->unwound)
        return;
    buf_printf(out, "call chains: %.1f%% of %" PRIu64 " complete", share_pct(e->whole, e->unwound),
               e->unwound);
    if (e->by_code)
        buf_printf(out, "; %" PRIu64 " with a frame found by its code", e->by_code);
    if (e->guessed)
        buf_printf(out, "; %" PRIu64 " with a guessed frame", e->guessed);
    if (e->from_cache)
        buf_printf(out, "; %" PRIu64 " read late", e->from_cache);
    buf_addc(out, '\n');
    add_rows(e, out);
}

void stacks_ends_json(const struct stacks_ends *e, struct json *j)
{
    if (!e->unwound)
        return;
    json_object(j, "chains");
    json_members(j, "unwound whole by_code guessed late", e->unwound, e->whole, e->by_code,
                 e->guessed, e->from_cache);
    json_array(j, "broken");
    for (size_t i = 0; i < e->broken_count; i++)
        json_record(j, NULL, "reason module [pid] chains", e->broken[i].reason, e->broken[i].module,
                    e->broken[i].pid, e->broken[i].chains);
    json_array_end(j);
    json_object_end(j);
}

void stacks_waits_json(const struct stacks_waits *w, struct json *j)
{
    if (!w->sampled)
        return;
    json_record(j, "waits",
                "count running_ms wait_ms asleep_ms preempted_ms end_lost spanning_lost", w->count,
                w->running_ms, w->wait_ms, w->asleep_ms, w->preempted_ms, w->end_lost,
                w->spanning_lost);
}

void stacks_waits_text(const struct stacks_waits *w, const char *before, struct buf *out)
{
    if (!w->sampled)
        return;
    buf_printf(out,
               "%s%" PRIu64 " ms running; %s of %" PRIu64 " ms: %" PRIu64 " asleep, %" PRIu64
               " for a CPU",
               before, w->running_ms, counted(w->count, "wait").text, w->wait_ms, w->asleep_ms,
               w->preempted_ms);
    if (w->end_lost)
        buf_printf(out, "; %" PRIu64 " more whose end was lost", w->end_lost);
    if (w->spanning_lost)
        buf_printf(out, "; %" PRIu64 " may be too long: records were lost in them",
                   w->spanning_lost);
}
