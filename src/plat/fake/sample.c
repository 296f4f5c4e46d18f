/*
 * The words of a scenario. A sampling:
 * - rate HZ: what the kernel grants.
 * - event NAME [clock] [in_kernel] [user] [kernel] [every=N]: an available event in addition to
 * cpu-clock; others are -ENOENT.
 *
 * Its records, a line each, as the order of lines of one word is:
 * - sample PID TID TIME PC [xTIMES] [every=NS] [kernel] [cpu=N] [period=N] [of=N]
 *   [chain=ADDR,ADDR,...]: of event N of several, 0 the first
 * - map PID TID TIME START LEN OFFSET PATH
 * - exec PID TID TIME NAME
 * - fork PID PPID TID PTID TIME
 * - exit PID PPID TID PTID TIME
 * - lost TIME N
 * - out PID TID TIME [preempted] [cpu=N] [chain=ADDR,ADDR,...]: a thread leaves its CPU; in PID TID
 *   TIME: it comes onto one. Only when waits were wanted.
 * - mono: their times are those of the clock
 * - live: samples come when the clock has come to their times; without it all come at once
 * - ring FILE: a ring whose records are FILE's bytes, as the kernel wrote them; one line a ring.
 *
 * A kernel sample is there only when the kernel was wanted, the others unless no_user was. The idle
 * task is pid 0. A chain is innermost first, `k' or `u' in it marks the mode of what follows;
 * without one it is PC alone.
 *
 * Records are laid out as the kernel's would be: with CPUs when all processes are sampled, periods
 * when the event is no clock, chains when they were wanted. A ring FILE is in that layout, too.
 */
#include "sample_records.h"

#include "clock_pass.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sampler {
    struct sample_want want;
    uint64_t hz;
    struct perfrec_format format;
    uint64_t until_ns; /* read so far; 0: nothing */
};

static bool known_event(const char *name, struct sample_event *e)
{
    char known[64];
    const char *rest;
    e->clock = strcmp(name, "cpu-clock") == 0;
    for (size_t i = 0; !e->clock && (rest = scenario_nth("event", i)); i++) {
        if (sscanf(rest, "%63s", known) != 1 || strcmp(known, name) != 0)
            continue;
        e->clock = strstr(rest, " clock");
        e->in_kernel = strstr(rest, " in_kernel");
        e->user = strstr(rest, " user");
        e->kernel = strstr(rest, " kernel");
        e->period = scenario_number(rest, "every", 0);
        return true;
    }
    return e->clock;
}

int sample_event_find(const char *name, struct sample_event *out, struct fail *f)
{
    struct sample_event e = {0};
    int r = scenario_fail("sample_event_find", f);
    if (r < 0)
        return r;
    snprintf(e.name, sizeof e.name, "%s", name);
    if (!known_event(name, &e)) {
        fail_set(f, 0, "%s: no such event", name);
        return -ENOENT;
    }
    *out = e;
    return 0;
}

/* Of `event' lines, errno=N is why it is refused. */
void sample_event_list(void (*emit)(void *arg, const struct sample_listed *e), void *arg)
{
    char name[64];
    const char *rest;
    emit(arg, &(struct sample_listed){"cpu-clock", "software", 0});
    for (size_t i = 0; (rest = scenario_nth("event", i)); i++)
        if (sscanf(rest, "%63s", name) == 1)
            emit(arg,
                 &(struct sample_listed){name, "hardware", (int)scenario_number(rest, "errno", 0)});
}

static struct perfrec_format make_format(const struct sample_want *w)
{
    bool clock = !w->event.name[0] || w->event.clock;
    struct perfrec_format f = {.fields = PERFREC_IP | PERFREC_TID | PERFREC_TIME,
                               .sample_id_all = true,
                               .mono = scenario_get("mono")};
    f.fields |= w->pid ? 0 : PERFREC_CPU;
    f.fields |= w->chains || w->waits ? PERFREC_CALLCHAIN : 0;
    f.fields |= w->waits ? PERFREC_PERIOD | PERFREC_CPU : 0;
    f.fields |= w->mores ? PERFREC_IDENTIFIER | PERFREC_PERIOD : 0;
    if (w->period || w->event.period)
        f.period = w->period ? w->period : w->event.period;
    else if (clock && w->hz)
        f.period = 1000000000 / w->hz;
    else
        f.fields |= PERFREC_PERIOD;
    return f;
}

int sample_open(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    int r = scenario_fail("sample_open", f);
    struct sampler *s = r < 0 ? NULL : calloc(1, sizeof *s);
    if (r < 0)
        return r;
    if (!s)
        return fail_set(f, ENOMEM, "sampler");
    s->want = *want;
    s->want.hz = scenario_value("rate", want->hz);
    s->hz = (want->period || want->event.period) && !want->event.clock ? 0 : s->want.hz;
    s->format = make_format(&s->want);
    *out = s;
    return 0;
}

void sample_close(struct sampler *s)
{
    free(s);
}

RETURNS("fake clock", const char *, sample_method, const struct sampler *s)

uint64_t sample_hz(const struct sampler *s)
{
    return s->hz;
}

void sample_format(const struct sampler *s, struct perfrec_format *out)
{
    *out = s->format;
}

/* Ids of events are their numbers. */
uint64_t sample_event_hz(const struct sampler *s, size_t event)
{
    return event && !s->want.more[event - 1].clock ? 0 : s->hz;
}

size_t sample_event_of(const struct sampler *s, uint64_t id)
{
    return id <= s->want.mores ? (size_t)id : 0;
}

size_t sample_handles(const struct sampler *s, const int **handles)
{
    static const int none = -1;
    *handles = &none;
    return 1;
}

uint64_t sample_lost(const struct sampler *s)
{
    return scenario_value("lost_in_all", 0);
}

/* Its samples have no stacks. */
RETURNS(0, uint32_t, sample_short_stack, const struct sampler *s)
RETURNS(, void, sample_shorten_stack, struct sampler *s, bool to_short)
RETURNS(, void, sample_stop, struct sampler *s)

void sample_read(struct sampler *s, sample_record_fn *emit, void *arg)
{
    uint64_t from = s->until_ns, now = clock_peek_ns();
    s->until_ns = scenario_get("live") ? now + 1 : UINT64_MAX;
    if (s->until_ns > from)
        sample_records(&s->want, &s->format, from, s->until_ns, emit, arg);
}

static void copy_record(void *arg, const void *record, size_t len)
{
    buf_add(arg, record, len);
}

void sample_take(struct sampler *s, struct buf *bytes)
{
    sample_read(s, copy_record, bytes);
}
