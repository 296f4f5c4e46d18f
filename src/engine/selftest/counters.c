/* Counters of the processor and of the kernel, on known loops. */
#include "pairs.h"
#include "plat/cluster.h"
#include "plat/workload.h"

#include <stdio.h>

enum { MAX_CLUSTERS = 8 };

/* --- instructions and cycles --- */

enum { LOOPS = 1000000, LOOPS_BEFORE = 100000 };
enum { INSTRUCTIONS, CYCLES };

static const double million = 1e6;

/* Startup varies by some thousand instructions; caches and interrupts cost cycles. */
static void expect_loop(struct selftest_check *instructions, struct selftest_check *cycles)
{
    double i = (double)LOOPS * WORKLOAD_LOOP_INSTRUCTIONS / million;
    double c = (double)LOOPS * WORKLOAD_LOOP_CYCLES / million;
    selftest_expect(instructions, i, i * 0.995, i * 1.005);
    selftest_expect(cycles, c, c * 0.98, c * 1.15);
}

/* Where each cluster has a PMU of its own, the events of that one. */
static int find_events(const struct cluster *on, struct pairs *p, struct fail *f)
{
    int r = pairs_add(p, "instructions:u", f);
    if (r == 0)
        r = pairs_add(p, "cycles:u", f);
    for (size_t i = 0; r == 0 && i < p->events; i++)
        p->event[i].config |= (uint64_t)on->type << 32;
    return r;
}

/* A PMU that is emulated without instructions counts time as cycles. */
static void judge_cycles(struct selftest *t, const struct pairs *p,
                         const struct selftest_check *instructions, struct selftest_check *cycles)
{
    double measured = pairs_smallest(p, pairs_count, CYCLES) / million;
    pairs_judge(t, p, CYCLES, measured, cycles);
    if (cycles->verdict == SELFTEST_WRONG && instructions->verdict != SELFTEST_OK)
        selftest_unverified(cycles, "without instructions that are verified, it may count time: "
                                    "emulated processors do");
}

static void measure_loop(struct selftest *t, const struct cluster *on,
                         struct selftest_check *instructions, struct selftest_check *cycles)
{
    struct pairs p = {.events = 0};
    struct fail f;
    char cpu[16];
    snprintf(cpu, sizeof cpu, "%u", (unsigned)on->cpu);
    int r = find_events(on, &p, &f);
    if (r == 0)
        r = pairs_run(t, &p, "loop", LOOPS_BEFORE, LOOPS_BEFORE + LOOPS, cpu, &f);
    if (r < 0) {
        selftest_fail_pending(t, &f);
        return;
    }
    pairs_judge(t, &p, INSTRUCTIONS, pairs_median(&p, pairs_count, INSTRUCTIONS) / million,
                instructions);
    judge_cycles(t, &p, instructions, cycles);
}

void measure_counters(struct selftest *t)
{
    struct cluster cluster[MAX_CLUSTERS];
    size_t n = cluster_list(cluster, MAX_CLUSTERS);
    for (size_t i = 0; i < n; i++) {
        t->first = t->report->count;
        struct selftest_check *instructions =
            selftest_add(t->report, "M", 2, "instructions (CPU %s)", cluster[i].cpus);
        struct selftest_check *cycles =
            selftest_add(t->report, "M", 2, "cycles (CPU %s)", cluster[i].cpus);
        expect_loop(instructions, cycles);
        if (!selftest_is_late(t))
            measure_loop(t, &cluster[i], instructions, cycles);
    }
}

/* --- faults --- */

enum { FAULTS = 2000, FAULTS_BEFORE = 100 };

static double minor_faults(const struct runs_end *run, size_t event)
{
    return (double)run->end.minor_faults;
}

void measure_faults(struct selftest *t)
{
    struct pairs p = {.events = 0};
    struct fail f;
    struct selftest_check *usage = selftest_add(t->report, "", 0, "page faults (rusage)");
    struct selftest_check *counter = selftest_add(t->report, "", 0, "page faults (counter)");
    selftest_expect(usage, FAULTS, FAULTS - 20, FAULTS + 20);
    selftest_expect(counter, FAULTS, FAULTS - 20, FAULTS + 20);
    int r = pairs_add(&p, "page-faults", &f);
    if (r == 0)
        r = pairs_run(t, &p, "faults", FAULTS_BEFORE, FAULTS_BEFORE + FAULTS, NULL, &f);
    if (r < 0) {
        selftest_fail_pending(t, &f);
        return;
    }
    selftest_judge(usage, pairs_median(&p, minor_faults, 0));
    pairs_judge(t, &p, 0, pairs_median(&p, pairs_count, 0), counter);
}

/* --- switches --- */

enum { SWITCHES = 200, SWITCHES_BEFORE = 20 };

static double voluntary_switches(const struct runs_end *run, size_t event)
{
    return (double)run->end.voluntary_switches;
}

/* What other processes caused is not the workload's. */
static double counted_voluntary(const struct runs_end *run, size_t event)
{
    return pairs_count(run, event) - (double)run->end.involuntary_switches;
}

static double run_time(const struct runs_end *run, size_t event)
{
    return (double)run->end.real_ns;
}

void measure_switches(struct selftest *t)
{
    struct pairs p = {.events = 0};
    struct fail f;
    struct selftest_check *usage = selftest_add(t->report, "", 0, "switches (rusage)");
    struct selftest_check *counter = selftest_add(t->report, "", 0, "switches (counter)");
    selftest_expect(usage, SWITCHES, SWITCHES - 5, SWITCHES + 5);
    selftest_expect(counter, SWITCHES, SWITCHES - 5, SWITCHES + 5);
    int r = pairs_add(&p, "context-switches", &f);
    if (r == 0)
        r = pairs_run(t, &p, "switches", SWITCHES_BEFORE, SWITCHES_BEFORE + SWITCHES, NULL, &f);
    if (r < 0) {
        selftest_fail_pending(t, &f);
        return;
    }
    selftest_judge(usage, pairs_median(&p, voluntary_switches, 0));
    pairs_judge(t, &p, 0, pairs_median(&p, counted_voluntary, 0), counter);
    double sleep_ns = pairs_median(&p, run_time, 0) / SWITCHES;
    selftest_judge_late(usage, sleep_ns);
    selftest_judge_late(counter, sleep_ns);
}
