/* The clock of the recording: chosen once, measured, and read by the hooks. */
#include "cpu.h"
#include "runtime.h"

#include <string.h>
#include <time.h>

enum { PAIRS = 16, MEASURE_NS = 200000, STEPS = 100 };

uint64_t (*psprof_clock)(void);
static uint64_t first_ticks, first_ns, start_ns;
static bool measured; /* the frequency is ours, and gets better as the run gets longer */

uint64_t rt_clock_ns(int id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t monotonic_ns(void)
{
    return rt_clock_ns(CLOCK_MONOTONIC);
}

static uint64_t coarse_ns(void)
{
    return rt_clock_ns(CLOCK_MONOTONIC_COARSE);
}

static uint64_t read_counter(void)
{
    return cpu_ticks();
}

uint64_t rt_now(void)
{
    return psprof_clock ? psprof_clock() : 0;
}

/* A thread's own time begins with it, and elapsed time goes on while it is preempted. */
uint64_t rt_run_ticks(const struct psprof_header *h)
{
    if (psprof_clock == rt_elapsed_clock)
        return cpu_ticks();
    if (psprof_clock != rt_thread_clock && psprof_clock != rt_user_clock)
        return rt_now();
    double ns = (double)(monotonic_ns() - start_ns);
    return 1 + (uint64_t)(ns * (double)h->ticks_per_second / 1e9);
}

/* Counter and clock at one moment: the closest pair of several. */
static void read_pair(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t before = cpu_ticks(), at = rt_clock_ns(CLOCK_MONOTONIC_RAW), after = cpu_ticks();
        if (i && after - before >= best)
            continue;
        best = after - before;
        *ticks = before + best / 2;
        *ns = at;
    }
}

static uint64_t compute_hz(uint64_t ticks, uint64_t ns)
{
    return ns ? (uint64_t)((double)ticks * 1e9 / (double)ns) : 0;
}

static uint64_t measured_hz(void)
{
    uint64_t ticks, ns;
    do
        read_pair(&ticks, &ns);
    while (ns - first_ns < MEASURE_NS);
    return compute_hz(ticks - first_ticks, ns - first_ns);
}

void rt_clock_remeasure(struct psprof_header *h)
{
    uint64_t ticks, ns;
    if (!measured)
        return;
    read_pair(&ticks, &ns);
    if (ns - first_ns > MEASURE_NS)
        h->ticks_per_second = compute_hz(ticks - first_ticks, ns - first_ns);
}

static uint64_t smallest_step(void)
{
    uint64_t best = UINT64_MAX, last = psprof_clock();
    for (int i = 0; i < STEPS; i++) {
        uint64_t now = psprof_clock();
        if (now > last && now - last < best)
            best = now - last;
        last = now;
    }
    return best == UINT64_MAX ? 1 : best;
}

static void set_clock(struct psprof_header *h, const char *clock, uint64_t hz)
{
    strncpy(h->clock_name, clock, sizeof h->clock_name - 1);
    h->ticks_per_second = hz;
}

static void use_libc(struct psprof_header *h, uint64_t (*read)(void), const char *clock)
{
    psprof_clock = read;
    set_clock(h, clock, 1000000000);
}

static bool use_counter(struct psprof_header *h)
{
    if (!cpu_ticks_usable())
        return false;
    psprof_clock = read_counter;
    uint64_t hz = cpu_ticks_hz();
    measured = !hz;
    if (measured) {
        read_pair(&first_ticks, &first_ns);
        hz = measured_hz();
    }
    set_clock(h, cpu_clock_name, hz);
    return true;
}

static uint64_t coarse_step(void)
{
    struct timespec t;
    clock_getres(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_nsec;
}

static uint64_t step_ps(const struct psprof_header *h)
{
    uint64_t step = psprof_clock == coarse_ns ? coarse_step() : smallest_step();
    return (uint64_t)((double)step * 1e12 / (double)h->ticks_per_second);
}

/* Elapsed time: by the processor's counter where there is one. */
static bool use_elapsed(struct psprof_header *h)
{
    bool counts = use_counter(h);
    if (!counts)
        use_libc(h, monotonic_ns, "clock_gettime");
    return counts;
}

/* Elapsed time, being preempted left out, with samples. */
static bool use_page(struct psprof_header *h)
{
    if (!rt_event_start(h) || !h->sample_ns) {
        rt_event_stop();
        return false;
    }
    psprof_clock = rt_elapsed_clock;
    return true;
}

/* Samples have to show what calls do in the kernel. */
static bool use_samples(struct psprof_header *h)
{
    if (!use_counter(h) || !use_page(h))
        return false;
    if (h->sampling & PSPROF_SAMPLED_KERNEL) {
        h->sampling |= PSPROF_SAMPLED_ALONE;
        return true;
    }
    rt_event_stop();
    psprof_clock = read_counter;
    h->sample_ns = 0;
    h->sampling = PSPROF_SAMPLES_REFUSED | PSPROF_SAMPLES_NO_KERNEL;
    return false;
}

static bool use_user(struct psprof_header *h)
{
    if (!rt_user_clock_start(h))
        return false;
    psprof_clock = rt_user_clock;
    return true;
}

static int mode_of(struct psprof_header *h, int type)
{
    switch (type) {
    case PSPROF_COUNT:
        return RT_COUNT;
    case PSPROF_SAMPLE:
        use_libc(h, coarse_ns, "coarse clock");
        return RT_EXACT_CLOCK;
    case PSPROF_USER:
        if (use_user(h))
            return RT_EXACT_CLOCK;
        strcpy(h->type_note, "no counter of user mode: kernel mode is included");
        h->type = PSPROF_KERNEL; /* fall through */
    case PSPROF_KERNEL:
        use_counter(h);
        measured = false; /* its offsets are counted by this frequency */
        psprof_clock = rt_thread_clock;
        return rt_thread_clock_start(h) ? RT_EXACT_PAGE : RT_EXACT_CLOCK;
    case PSPROF_ADAPTIVE:
        return use_samples(h) ? RT_SAMPLED : use_elapsed(h) ? RT_ADAPTIVE : RT_ADAPTIVE_CLOCK;
    default:
        return !use_elapsed(h) ? RT_EXACT_CLOCK : use_page(h) ? RT_EXACT_PAGE : RT_EXACT;
    }
}

int rt_clock_choose(struct psprof_header *h, int type)
{
    psprof_clock = NULL;
    measured = false;
    rt_event_stop();
    h->type = (uint32_t)type;
    int mode = mode_of(h, type);
    rt_thread_clock_rate(h->ticks_per_second);
    if (!psprof_clock)
        return mode;
    h->resolution_ps = step_ps(h);
    start_ns = monotonic_ns();
    h->start_ticks = rt_run_ticks(h);
    return mode;
}
