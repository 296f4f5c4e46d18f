#include "pairs.h"

#include "plat/wait.h"
#include "work.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POLL_MS = 100 };

int pairs_add(struct pairs *p, const char *event, struct fail *f)
{
    return count_find(event, strlen(event), &p->event[p->events++], f);
}

/* The next run's end, with progress meanwhile. */
static int next_end(struct selftest *t, struct runs *runs, struct runs_end *end, struct fail *f)
{
    struct wait_on on = {.handle = runs_handle(runs)};
    while (!wait_ready(&on, 1, POLL_MS))
        selftest_tend(t);
    return runs_next(runs, end, f);
}

static int gather(struct selftest *t, struct pairs *p, struct runs *runs, const char *name,
                  struct fail *f)
{
    struct runs_end end;
    size_t ends = 0;
    int got;
    while ((got = next_end(t, runs, &end, f)) > 0) {
        if (end.exec_errno || child_status(&end.end) != 0)
            return fail_set(f, end.exec_errno ? end.exec_errno : EPIPE, "the workload %s", name);
        (end.command == 0 ? p->small : p->large)[ends++ / 2] = end;
        p->made = ends / 2;
        if (p->made == PAIRS)
            return 0;
        if (selftest_is_late(t))
            return fail_set(f, ETIMEDOUT, "the workload %s", name);
    }
    return got < 0 ? got : fail_set(f, EPIPE, "the workload %s", name);
}

int pairs_run(struct selftest *t, struct pairs *p, const char *name, unsigned small, unsigned large,
              const char *cpu, struct fail *f)
{
    char amount[2][16];
    const char *argv[2][WORK_ARGUMENTS];
    snprintf(amount[0], sizeof amount[0], "%u", small);
    snprintf(amount[1], sizeof amount[1], "%u", large);
    for (size_t i = 0; i < 2; i++)
        work_command(argv[i], name, amount[i], cpu);
    char *const *const command[] = {(char *const *)argv[0], (char *const *)argv[1]};
    struct runs_plan plan = {.command = command,
                             .commands = 2,
                             .rounds = PAIRS,
                             .event = p->event,
                             .events = p->events};
    struct runs *runs;
    int r = runs_start(&plan, &runs, f);
    if (r < 0)
        return r;
    r = gather(t, p, runs, name, f);
    runs_free(runs);
    return r;
}

double pairs_count(const struct runs_end *run, size_t event)
{
    return counter_scaled(&run->count[event]);
}

double pairs_median(const struct pairs *p, pairs_value *value, size_t event)
{
    double difference[PAIRS];
    for (size_t i = 0; i < p->made; i++)
        difference[i] = value(&p->large[i], event) - value(&p->small[i], event);
    return selftest_median(difference, p->made);
}

static double smallest(const struct runs_end *run, size_t n, pairs_value *value, size_t event)
{
    double least = NAN;
    for (size_t i = 0; i < n; i++)
        least = fmin(least, value(&run[i], event));
    return least;
}

double pairs_smallest(const struct pairs *p, pairs_value *value, size_t event)
{
    return smallest(p->large, p->made, value, event) - smallest(p->small, p->made, value, event);
}

static bool counted_always(const struct pairs *p, size_t event)
{
    for (size_t i = 0; i < p->made; i++)
        if (counter_share(&p->large[i].count[event]) < 1 ||
            counter_share(&p->small[i].count[event]) < 1)
            return false;
    return true;
}

static bool is_of_processor(const struct count_event *e)
{
    return strncmp(e->name, "cycles", 6) == 0 || strncmp(e->name, "instructions", 12) == 0;
}

/* Doctor's finding, where it knows why. */
static struct finding find_cause(const struct machine *m, const struct count_event *e)
{
    struct finding user = find_perf_user(m);
    return !user.ok             ? user
           : is_of_processor(e) ? find_cycles(m)
           : e->in_kernel       ? find_perf_kernel(m)
                                : user;
}

static void refuse(const struct selftest *t, const struct count_event *e, enum counter_state state,
                   struct selftest_check *c)
{
    struct finding found = find_cause(&t->machine, e);
    selftest_unavailable(c, found.ok ? counter_reason(state) : found.why, found.remedy);
}

void pairs_judge(struct selftest *t, const struct pairs *p, size_t event, double measured,
                 struct selftest_check *c)
{
    const struct count_event *e = &p->event[event];
    enum counter_state state = p->large[0].count[event].state;
    c->counter = true;
    if (state == COUNTER_BUSY)
        selftest_unverified(c, "%s", counter_reason(state));
    else if (state == COUNTER_USER_ONLY && e->in_kernel)
        refuse(t, e, COUNTER_DENIED, c);
    else if (state != COUNTER_COUNTED && state != COUNTER_USER_ONLY)
        refuse(t, e, state, c);
    else if (p->large[0].count[event].count == 0)
        selftest_unverified(c, "the counter reads 0");
    else if (!counted_always(p, event))
        selftest_unverified(c, "the counter was shared: it counted only part of the time");
    else
        selftest_judge(c, measured);
}
