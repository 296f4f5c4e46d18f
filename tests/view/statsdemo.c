/* statsdemo ADDRESS [INTERVAL_MS [HISTORY]]: the page of stats with machines that are made up: a
 * busy one, a quiet one that stops answering now and then, values that are absent, over the top, or
 * have gaps. Says where it is. HISTORY samples are there before the first client. */
#include "engine/stats/serve.h"
#include "plat/clock.h"
#include "plat/wait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NS_PER_MS = 1000000 };

static double interval_s = 1;
static struct stats_value busy[STATS_GRAPHS], quiet[STATS_GRAPHS];

/* 0 to 1, the same in every run. */
static double wave(unsigned long t, unsigned k)
{
    double slow = sin((double)t / (7.0 + k) + k), quick = sin((double)t / (1.7 + k % 3) + 2.0 * k);
    return fmin(1, fmax(0, 0.45 + 0.3 * slow + 0.15 * quick));
}

/* Of a rate, what comes in an interval counts. */
static double interval(enum stats_graph graph)
{
    return stats_graph_info(graph)->rate ? interval_s : 1;
}

static struct stats_value make(enum stats_graph graph, double share, double full, unsigned long t)
{
    return (struct stats_value){.graph = graph,
                                .value = share * full * interval(graph),
                                .full = full * interval(graph),
                                .natural = share * full,
                                .total = (uint64_t)((double)t * full / 2)};
}

static double full_of(enum stats_graph graph, unsigned cpus)
{
    const struct stats_graph_info *info = stats_graph_info(graph);
    return info->rate || info->by_cpu ? 1000.0 * cpus : 100;
}

static void fill(struct stats_value *v, unsigned cpus, unsigned long t, unsigned seed)
{
    for (unsigned k = 0; k < STATS_GRAPHS; k++)
        v[k] = make((enum stats_graph)k, wave(t + seed * 31, k + seed), full_of(k, cpus), t);
    v[STATS_BATTERY_LEFT] = (struct stats_value){
        .graph = STATS_BATTERY_LEFT, .why = "no battery: /sys/class/power_supply has none"};
    v[STATS_TLB_MISS] =
        (struct stats_value){.graph = STATS_TLB_MISS,
                             .full = 1000,
                             .why = "the processor offers no counter of TLB misses"};
}

static struct stats_sample sample_at(unsigned long t, uint64_t time_ms, unsigned interval_ms)
{
    static struct stats_source_sample source[2];
    interval_s = interval_ms / 1000.0;
    fill(busy, 4, t, 0);
    fill(quiet, 1, t, 3);
    if (t % 40 < 12)
        busy[STATS_CONTEXT].value *= 3;
    if (t % 50 > 40)
        quiet[STATS_TEMP] =
            (struct stats_value){.graph = STATS_TEMP, .why = "#c/cputemp: no number in it"};
    uint64_t age_ms = t % 60 > 45 ? (t % 60 - 45) * interval_ms : 0;
    source[0] = (struct stats_source_sample){"build-host", 4, 0, busy, STATS_GRAPHS, NULL, NULL};
    source[1] = (struct stats_source_sample){"board-7", 1, age_ms, quiet, STATS_GRAPHS, NULL, NULL};
    return (struct stats_sample){time_ms, interval_ms / 1000.0, source, getenv("ONE") ? 1 : 2};
}

static struct net_address address(const char *text)
{
    struct net_address a;
    struct fail f;
    if (net_address_read(text, 8080, &a, &f) < 0) {
        fprintf(stderr, "statsdemo: %s\n", f.what);
        exit(2);
    }
    return a;
}

static void serve(struct stats_serve *s, unsigned long t, unsigned interval_ms)
{
    struct wait_on on[STATS_SERVE_HANDLES + 1];
    uint64_t next_ns = clock_mono_ns(), time_ms = clock_real_ns() / NS_PER_MS;
    for (;;) {
        uint64_t now_ns = clock_mono_ns();
        if (now_ns >= next_ns) {
            struct stats_sample sample = sample_at(t++, time_ms, interval_ms);
            stats_serve_sample(s, &sample);
            next_ns += (uint64_t)interval_ms * NS_PER_MS;
            time_ms += interval_ms;
            continue;
        }
        size_t n = stats_serve_watch(s, on, now_ns);
        on[n] = (struct wait_on){.handle = interrupt_open()};
        int own_ms = (int)((next_ns - now_ns) / NS_PER_MS) + 1;
        int serve_ms = stats_serve_timeout_ms(s, now_ns);
        wait_ready(on, n + 1, serve_ms >= 0 && serve_ms < own_ms ? serve_ms : own_ms);
        stats_serve_serve(s, on, clock_mono_ns());
        if (interrupt_read(NULL))
            return;
    }
}

int main(int argc, char **argv)
{
    static struct stats_serve s;
    struct net_address at = address(argc > 1 ? argv[1] : ":8080");
    unsigned interval_ms = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000;
    unsigned long history = argc > 3 ? strtoul(argv[3], NULL, 10) : 0, t = 0;
    struct fail f;
    if (stats_serve_open(&s, &(struct stats_serve_want){.page = &at, .scale = 1}, &f) < 0) {
        fprintf(stderr, "statsdemo: %s: %s\n", f.what, f.hint);
        return 1;
    }
    uint64_t now_ms = clock_real_ns() / NS_PER_MS;
    for (; t < history; t++) {
        struct stats_sample sample =
            sample_at(t, now_ms - (history - t) * interval_ms, interval_ms);
        stats_serve_sample(&s, &sample);
    }
    char text[NET_TEXT_MAX + 1];
    net_address_text(&s.page.listener.address, text);
    printf("%s\n", text);
    fflush(stdout);
    serve(&s, t, interval_ms ? interval_ms : 1);
    printf("%llu answered\n", (unsigned long long)s.page.answered);
    stats_serve_close(&s);
    return 0;
}
