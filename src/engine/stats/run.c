#include "engine/stats/run.h"

#include "sinks.h"

#include <errno.h>

enum { MAX_START_WAIT_MS = 1000 };

int stats_start(struct stats_watch *w, const struct stats_choice *choice,
                const struct stats_start_hooks *hooks, struct fail *f)
{
    struct wait_on on[STATS_WATCH_HANDLES];
    while (!stats_watch_step(w, choice)) {
        hooks->waiting(hooks->arg, w);
        size_t n = stats_watch_handles(w, on, STATS_WATCH_HANDLES);
        wait_ready(on, n, wait_min_ms(stats_watch_wait_ms(w), MAX_START_WAIT_MS));
    }
    if (stats_watch_reached(w, hooks->left_out, hooks->arg) == 0)
        return fail_set(f, 0, "no source has the files that stats reads"), -ENOENT;
    return 0;
}

/* --- sinks --- */

bool stats_sinks_emit(const struct stats_sink *sinks, size_t n, const struct stats_sample *s,
                      struct fail *f)
{
    bool on = true;
    for (size_t i = 0; i < n; i++)
        if (sinks[i].sample)
            on &= sinks[i].sample(sinks[i].arg, s, f);
    return on;
}

void stats_sinks_handles(struct stats_waits *waits, const struct stats_watch *w,
                         const struct stats_sink *sinks, size_t n)
{
    waits->n = stats_watch_handles(w, waits->on, STATS_MAX_HANDLES);
    for (size_t i = 0; i < n; i++) {
        waits->from[i] = waits->n;
        if (sinks[i].handles)
            waits->n +=
                sinks[i].handles(sinks[i].arg, waits->on + waits->n, STATS_MAX_HANDLES - waits->n);
    }
    waits->from[n] = waits->n;
}

int stats_sinks_wait_ms(const struct stats_watch *w, const struct stats_sink *sinks, size_t n)
{
    int ms = stats_watch_wait_ms(w);
    for (size_t i = 0; i < n; i++) {
        int own = sinks[i].timeout_ms ? sinks[i].timeout_ms(sinks[i].arg) : -1;
        if (own >= 0 && own < ms)
            ms = own;
    }
    return ms;
}

void stats_sinks_ready(const struct stats_waits *waits, const struct stats_sink *sinks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sinks[i].ready && waits->from[i + 1] > waits->from[i])
            sinks[i].ready(sinks[i].arg, waits->on + waits->from[i],
                           waits->from[i + 1] - waits->from[i]);
}

/* --- without a screen --- */

/* The interrupts' handle goes first. False: one came. */
static bool wait_for(struct stats_watch *w, const struct stats_sink *sinks, size_t n)
{
    struct stats_waits waits;
    struct wait_on all[STATS_MAX_HANDLES + 1] = {{.handle = interrupt_open()}};
    stats_sinks_handles(&waits, w, sinks, n);
    for (size_t i = 0; i < waits.n; i++)
        all[i + 1] = waits.on[i];
    wait_ready(all, waits.n + 1, stats_sinks_wait_ms(w, sinks, n));
    for (size_t i = 0; i < waits.n; i++)
        waits.on[i] = all[i + 1];
    stats_sinks_ready(&waits, sinks, n);
    return !(all[0].ready && interrupt_read(NULL));
}

int stats_run(struct stats_watch *w, const struct stats_choice *choice,
              const struct stats_sink *sinks, size_t n, struct fail *f)
{
    struct fail failed = {.err = 0};
    interrupt_open();
    bool on = stats_sinks_emit(sinks, n, &w->sample, &failed);
    while (on && wait_for(w, sinks, n))
        if (stats_watch_step(w, choice))
            on = stats_sinks_emit(sinks, n, &w->sample, &failed);
    if (failed.what[0] && f)
        *f = failed;
    return failed.what[0] ? -(failed.err ? failed.err : EINVAL) : 0;
}
