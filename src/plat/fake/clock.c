/* clock START STEP: clock_mono_ns reads START (ns), then STEP more at each reading. Default 0 1000.
 */
#include "plat/clock.h"

#include "clock_pass.h"
#include "scenario.h"

#include <stdio.h>

static struct {
    uint64_t now, step;
    bool read;
} fake;

static void load_clock(void)
{
    unsigned long long start = 0, each = 1000;
    const char *rest = scenario_get("clock");
    if (fake.step)
        return;
    if (rest)
        sscanf(rest, "%llu %llu", &start, &each);
    fake.now = start;
    fake.step = each ? each : 1;
}

uint64_t clock_mono_ns(void)
{
    load_clock();
    if (fake.read)
        fake.now += fake.step;
    fake.read = true;
    return fake.now;
}

uint64_t clock_peek_ns(void)
{
    load_clock();
    return fake.now;
}

void clock_advance(uint64_t ns)
{
    load_clock();
    fake.now += ns;
}

/* The 21st of November 2023, noon. */
uint64_t clock_real_ns(void)
{
    return 1700568000000000000u;
}

uint64_t clock_cpu_ns(void)
{
    return clock_peek_ns();
}

uint64_t clock_thread_ns(void)
{
    return clock_peek_ns();
}
