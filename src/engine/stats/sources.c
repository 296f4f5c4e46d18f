#include "engine/stats/sources.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "processes.h"
#include "read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_S = 5, RETRY_SAMPLES = 5 };

void stats_watch_init(struct stats_watch *w, double interval_s)
{
    *w = (struct stats_watch){.interval = interval_s};
}

static void source_release(struct stats_source *s)
{
    stats_read_release(s);
    stats_meter_release(&s->meter);
    ns_release(s->ns);
    free(s->ns);
    free(s->name);
}

void stats_watch_release(struct stats_watch *w)
{
    for (size_t i = 0; i < w->sources; i++)
        source_release(&w->source[i]);
    free(w->source);
    free(w->source_sample);
    if (w->top)
        stats_top_release(w->top);
    free(w->top);
    *w = (struct stats_watch){.interval = w->interval};
}

static int more_sources(struct stats_watch *w)
{
    size_t cap = w->cap;
    bool grown = grow(&w->source, &cap, w->sources, sizeof *w->source) &&
                 grow(&w->source_sample, &w->cap, w->sources, sizeof *w->source_sample);
    return grown ? 0 : -ENOMEM;
}

int stats_watch_add(struct stats_watch *w, const char *name, struct ns *ns, bool reopens,
                    struct fail *f)
{
    char *copy = strdup(name);
    int r = w->sources == STATS_WATCH_MAX ? -E2BIG : more_sources(w);
    if (r < 0 || !copy) {
        free(copy);
        ns_release(ns);
        free(ns);
        return fail_set(f, r < 0 ? -r : ENOMEM, "%.128s", name);
    }
    w->source[w->sources++] = (struct stats_source){.name = copy, .ns = ns, .reopens = reopens};
    return 0;
}

int stats_watch_add_remote(struct stats_watch *w, const char *name, struct ns *ns,
                           struct ns_remote *remote, struct fail *f)
{
    int r = stats_watch_add(w, name, ns, false, f);
    if (r == 0)
        w->source[w->sources - 1].remote = remote;
    return r;
}

int stats_watch_processes(struct stats_watch *w, struct fail *f)
{
    w->top = calloc(1, sizeof *w->top);
    return w->top ? 0 : fail_set(f, ENOMEM, "processes");
}

static const char *first_reason(const struct stats_source *s)
{
    if (s->remote && ns_remote_is_away(s->remote))
        return ns_remote_why(s->remote);
    for (size_t i = 0; i < STATS_FILES; i++)
        if (s->meter.file[i].missing)
            return s->meter.file[i].why;
    return "no answer";
}

size_t stats_watch_reached(struct stats_watch *w,
                           void (*left_out)(void *arg, const char *name, const char *why),
                           void *arg)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->sources; i++) {
        struct stats_source *s = &w->source[i];
        if (s->has_answered) {
            w->source_sample[kept] = w->source_sample[i];
            w->source_sample[kept].value = w->source[kept].value;
            w->source[kept++] = *s;
            continue;
        }
        if (left_out)
            left_out(arg, s->name, first_reason(s));
        source_release(s);
    }
    w->sources = w->sample.sources = kept;
    return kept;
}

/* --- a sample --- */

static unsigned files_of(const struct stats_choice *choice)
{
    unsigned files = 0;
    for (size_t i = 0; i < choice->count; i++) {
        files |= stats_graph_files(choice->graph[i]);
        if (stats_graph_info(choice->graph[i])->by_cpu)
            files |= 1u << STATS_SYSSTAT;
    }
    return files;
}

/* At first sysstat, too: it tells how many CPUs there are. */
static void begin_source(struct stats_source *s, unsigned files, uint64_t now_ns)
{
    if (s->begun_ns) /* still at the one before */
        return;
    if (s->retry_in) {
        s->retry_in--;
        return;
    }
    s->due = s->has_answered ? files : files | 1u << STATS_SYSSTAT;
    for (size_t i = 0; i < STATS_FILES; i++)
        if (s->file[i].retry_in) {
            s->file[i].retry_in--;
            s->due &= ~(1u << i);
        }
    s->begun_ns = s->due ? now_ns : 0;
}

/* Its connection; one that is back is asked with the next sample. */
static void step_remote(struct stats_source *s)
{
    if (!s->remote)
        return;
    ns_remote_step(s->remote);
    if (s->reached != ns_remote_reached(s->remote))
        s->retry_in = 0;
    s->reached = ns_remote_reached(s->remote);
}

static int read_source(struct stats_source *s)
{
    int r = stats_read_step(s);
    if (s->remote)
        ns_remote_send(s->remote);
    return r;
}

/* One that is dialled for the first time may take as long as dialling may. */
static uint64_t patience_ns(const struct stats_source *s)
{
    return (s->remote && !s->has_answered ? NS_REMOTE_DIAL_S : TIMEOUT_S) * NS_PER_S;
}

static void step_source(struct stats_source *s)
{
    step_remote(s);
    if (!s->begun_ns)
        return;
    int r = read_source(s);
    uint64_t now_ns = clock_mono_ns();
    if (r == 0) {
        s->begun_ns = 0;
        s->silent = false;
    } else if (now_ns - s->begun_ns >= patience_ns(s)) {
        stats_read_close(s);
        s->begun_ns = 0;
        s->retry_in = RETRY_SAMPLES;
        s->silent = true;
    }
}

/* Dialling failed before it ever returned data. */
static bool is_out_of_reach(const struct stats_source *s)
{
    return s->remote && !s->has_answered && ns_remote_is_away(s->remote);
}

bool stats_source_is_awaited(const struct stats_source *s)
{
    return s->begun_ns && !is_out_of_reach(s);
}

static bool all_answered(const struct stats_watch *w)
{
    for (size_t i = 0; i < w->sources; i++)
        if (stats_source_is_awaited(&w->source[i]))
            return false;
    return true;
}

/* When the first of them answered; 0: none has. */
static uint64_t first_answer_ns(const struct stats_watch *w)
{
    uint64_t first_ns = 0;
    for (size_t i = 0; i < w->sources; i++)
        if (w->source[i].has_answered && (!first_ns || w->source[i].last_ns < first_ns))
            first_ns = w->source[i].last_ns;
    return first_ns;
}

/* The first sample waits for a first answer as long as dialling may take, then for the others,
 * whose logins may be as slow. */
static uint64_t timeout_ns(const struct stats_watch *w)
{
    if (w->sample.time_ms)
        return (uint64_t)(w->interval * NS_PER_S / 2);
    uint64_t first_ns = first_answer_ns(w);
    if (!first_ns)
        return NS_REMOTE_DIAL_S * NS_PER_S;
    return TIMEOUT_S * NS_PER_S + (first_ns > w->begun_ns ? first_ns - w->begun_ns : 0);
}

static void fill_sample(struct stats_watch *w, size_t i, const struct stats_choice *choice,
                        uint64_t now_ns)
{
    struct stats_source *s = &w->source[i];
    size_t cpus = s->meter.cpus;
    for (size_t k = 0; k < choice->count; k++)
        stats_meter_value(&s->meter, choice->graph[k], w->interval, &s->value[k]);
    stats_meter_next(&s->meter);
    w->source_sample[i] = (struct stats_source_sample){
        .name = s->name, .cpus = (uint32_t)cpus, .value = s->value, .count = choice->count};
    if (s->last_ns && (s->begun_ns || s->silent))
        w->source_sample[i].age_ms = (now_ns - s->last_ns) / NS_PER_MS;
    if (w->source_sample[i].age_ms && s->remote)
        w->source_sample[i].why = ns_remote_why(s->remote);
}

static void add_process(void *arg, const struct usage_process *p)
{
    stats_top_add(arg, p);
}

static void read_processes(struct stats_watch *w)
{
    if (!w->top || !w->sources)
        return;
    stats_top_begin(w->top, clock_mono_ns());
    stats_processes_read(add_process, w->top);
    stats_top_end(w->top);
    w->source_sample[0].top = w->top;
}

static void make_sample(struct stats_watch *w, const struct stats_choice *choice)
{
    uint64_t now_ns = clock_mono_ns();
    for (size_t i = 0; i < w->sources; i++)
        fill_sample(w, i, choice, now_ns);
    read_processes(w);
    w->sample = (struct stats_sample){.time_ms = clock_real_ns() / NS_PER_MS,
                                      .interval = w->interval,
                                      .source = w->source_sample,
                                      .sources = w->sources};
    w->begun_ns = 0;
}

/* When the next one is due: those that the time has passed over are left out. */
static void next_due(struct stats_watch *w, uint64_t now_ns)
{
    uint64_t interval_ns = (uint64_t)(w->interval * NS_PER_S);
    if (!w->due_ns)
        w->due_ns = now_ns;
    w->due_ns += interval_ns;
    if (w->due_ns < now_ns)
        w->due_ns = now_ns + interval_ns;
}

bool stats_watch_step(struct stats_watch *w, const struct stats_choice *choice)
{
    uint64_t now_ns = clock_mono_ns();
    if (!w->begun_ns && now_ns >= w->due_ns) {
        w->begun_ns = now_ns;
        next_due(w, now_ns);
        for (size_t i = 0; i < w->sources; i++)
            begin_source(&w->source[i], files_of(choice), now_ns);
    }
    for (size_t i = 0; i < w->sources; i++)
        step_source(&w->source[i]);
    if (!w->begun_ns || (!all_answered(w) && clock_mono_ns() - w->begun_ns < timeout_ns(w)))
        return false;
    make_sample(w, choice);
    return true;
}

/* --- waiting --- */

size_t stats_watch_handles(const struct stats_watch *w, struct wait_on *on, size_t max)
{
    size_t n = 0;
    for (size_t i = 0; i < w->sources && n < max; i++) {
        int handle = w->source[i].begun_ns ? stats_read_handle(&w->source[i]) : -1;
        if (handle >= 0)
            on[n++] = (struct wait_on){.handle = handle};
        if (w->source[i].remote)
            n += ns_remote_handles(w->source[i].remote, on + n, max - n);
    }
    return n;
}

int stats_watch_wait_ms(const struct stats_watch *w)
{
    uint64_t now_ns = clock_mono_ns();
    uint64_t end_ns = w->begun_ns ? w->begun_ns + timeout_ns(w) : w->due_ns;
    for (size_t i = 0; i < w->sources; i++) {
        uint64_t given_up_ns = w->source[i].begun_ns + patience_ns(&w->source[i]);
        if (w->source[i].begun_ns && given_up_ns < end_ns)
            end_ns = given_up_ns;
    }
    int wait_ms = ms_until(now_ns, end_ns);
    for (size_t i = 0; i < w->sources; i++)
        if (w->source[i].remote)
            wait_ms = wait_min_ms(wait_ms, ns_remote_wait_ms(w->source[i].remote));
    return wait_ms;
}
