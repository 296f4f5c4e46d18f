/*
 * What a sample costs the program that is sampled: the timer's interrupt, about 12 us where a
 * hypervisor has a part in it, 2 us where none has, and up to 1 ms where the processor is emulated.
 * Sampling faster than interrupts are handled would leave the program no time at all, so the cost
 * is measured before the first thread is sampled.
 *
 * A loop reads the counter all the time, by an event that takes a few samples and then stops of its
 * own. Where the event's head has moved, the counter's last step is what the sample took. Steps in
 * which the thread was switched out, as the page's lock shows, do not count. Some others are longer
 * than the sample took, too: the hypervisor may have had the CPU, the first one fills the caches.
 */
#include "event.h"

#include <sys/ioctl.h>
#include <time.h>

enum {
    SAMPLES = 9, /* at most */
    ENOUGH = 5,
    INTERRUPTS = 3 * SAMPLES, /* at most: during some the thread is switched out */
    LOOKS = 10000,            /* between two readings of the thread's clock */
    LIMIT_NS = 10000000,      /* of the thread's time, for all of it */
};

struct spin {
    rt_page *page;
    uint64_t head, last, step, cost[SAMPLES];
    uint32_t lock;
    bool switched; /* in the step */
    unsigned count;
};

static void insert_cost(struct spin *s, uint64_t cost)
{
    unsigned at = s->count++;
    for (; at && s->cost[at - 1] > cost; at--)
        s->cost[at] = s->cost[at - 1];
    s->cost[at] = cost;
}

/* The head is read first: of a sample that was taken between the two readings, this step is the
   longer one and the next finds the head. */
static void look_for_sample(struct spin *s)
{
    uint64_t head = s->page->data_head, now = cpu_ticks(), step = now - s->last;
    uint32_t lock = s->page->lock;
    bool switched = lock != s->lock;
    if (head != s->head && s->count < SAMPLES && !switched && !s->switched) {
        uint64_t samples = (head - s->head) / sizeof(struct rt_sample);
        insert_cost(s, (step > s->step ? step : s->step) / (samples ? samples : 1));
    }
    s->head = head;
    s->lock = lock;
    s->switched = switched;
    s->step = step;
    s->last = now;
}

static void sample_loop(struct spin *s)
{
    uint64_t from = rt_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    s->last = cpu_ticks();
    do
        for (int i = 0; i < LOOKS && s->count < SAMPLES; i++)
            look_for_sample(s);
    while (s->count < SAMPLES && rt_clock_ns(CLOCK_THREAD_CPUTIME_ID) - from < LIMIT_NS);
}

static uint64_t ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second)
{
    return (uint64_t)((double)ticks * 1e9 / (double)ticks_per_second) + 1;
}

struct rt_sample_cost rt_sample_cost(int event, rt_page *page, uint64_t ticks_per_second)
{
    struct spin s = {.page = page, .head = page->data_head, .lock = page->lock};
    if (ioctl(event, PERF_EVENT_IOC_REFRESH, INTERRUPTS) != 0)
        return (struct rt_sample_cost){0};
    sample_loop(&s);
    if (s.count < ENOUGH)
        return (struct rt_sample_cost){0};
    return (struct rt_sample_cost){.typical_ns = ticks_to_ns(s.cost[s.count / 2], ticks_per_second),
                                   .high_ns = ticks_to_ns(s.cost[s.count - 2], ticks_per_second)};
}
