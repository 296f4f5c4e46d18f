/* Waits of known threads. */
#include "attached.h"
#include "core/base/time_ns.h"

enum { WAITS = 10 };

enum { WAITED_NS, FROM_NS, TO_NS, NUMBERS };

/* A wait's time is that of its end; what of it was between the two times. */
static uint64_t waited_between(const struct sampled_one *wait, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t start = wait->time_ns > wait->weight ? wait->time_ns - wait->weight : 0;
    uint64_t end = wait->time_ns < to_ns ? wait->time_ns : to_ns;
    start = start > from_ns ? start : from_ns;
    return end > start ? end - start : 0;
}

/* Of the thread that waits: the first one waits for psuite, and for that one. */
static double waited_ms(const struct attached *a)
{
    const struct sampled *s = &a->sampling.sampled;
    const uint64_t *number = a->work.number;
    uint64_t ns = 0;
    for (size_t i = 0; i < s->timeline.count; i++) {
        const struct sampled_one *one = &s->timeline.one[i];
        const struct sampled_thread *thread = &s->threads.thread[one->thread];
        if (thread->tid != thread->pid && sampled_is_wait(s, one->node))
            ns += waited_between(one, number[FROM_NS], number[TO_NS]);
    }
    return (double)ns / NS_PER_MS;
}

static void measure_wait(struct selftest *t, const char *name, struct selftest_check *c)
{
    struct sampling_want want = {.waits = true, .by = SAMPLED_BY_THREAD, .timeline = true};
    struct attached a;
    struct fail f;
    if (attached_run(t, &a, name, WAITS, &want, &f) < 0) {
        selftest_fail_pending(t, &f);
    } else if (a.work.numbers == NUMBERS) {
        c->counter = true;
        selftest_judge_wait(c, a.work.number[WAITED_NS],
                            a.work.number[TO_NS] - a.work.number[FROM_NS], waited_ms(&a));
    }
    attached_end(&a);
}

void measure_waits(struct selftest *t)
{
    static const struct {
        const char *name, *label;
    } kind[] = {
        {"sleep", "waits for time"}, {"lock", "waits for a lock"}, {"pipe", "waits for a pipe"}};
    for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
        struct selftest_check *c = selftest_add(t->report, "ms", 1, "%s", kind[i].label);
        c->timing = true;
        if (!selftest_is_late(t))
            measure_wait(t, kind[i].name, c);
    }
}
