/* Time in known functions, by the thread's own clock. */
#include "private.h"

#include "core/base/sort.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/workload.h"

#include <stddef.h>
#include <sys/resource.h>

/* In a section by whose bounds code.c finds it. A loop across two pages runs slower where code is
 * emulated page by page, and would have another share of the time. */
#define IN_SECTION(name) __attribute__((noinline, used, aligned(64), section(name)))

IN_SECTION("workload_code_a") static void burn_a(uint64_t units)
{
    spin_inline(units);
}
IN_SECTION("workload_code_b") static void burn_b(uint64_t units)
{
    spin_inline(units);
}
IN_SECTION("workload_code_c") static void burn_c(uint64_t units)
{
    spin_inline(units);
}

/* The least of a few: a hypervisor may take the CPU away in any of them. */
static uint64_t least_spin_ns(uint64_t units)
{
    enum { TRIES = 5 };
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = clock_thread_ns();
        spin_inline(units);
        uint64_t spent = clock_thread_ns() - before;
        least = spent < least ? spent : least;
    }
    return least;
}

enum { SPIN_NS = 100 * NS_PER_US };

uint64_t spin_units(void)
{
    uint64_t units = 1000;
    while (least_spin_ns(units) < SPIN_NS && units < UINT64_C(1) << 40)
        units += units;
    return units;
}

static const struct {
    void (*burn)(uint64_t units);
    uint64_t until_ns; /* of a slice */
} parts[] = {{burn_a, 7 * NS_PER_MS}, {burn_b, 9 * NS_PER_MS}, {burn_c, 10 * NS_PER_MS}};

/* Spins until a time of the thread's clock. What took ten times as long as it should was not all
 * spent here, though the clock says so: how much of it. */
static uint64_t burn_until(void (*burn)(uint64_t units), uint64_t units, uint64_t until_ns)
{
    uint64_t taken = 0, now, before = clock_thread_ns();
    for (; before < until_ns; before = now) {
        burn(units);
        now = clock_thread_ns();
        if (now - before > 10 * SPIN_NS)
            taken += now - before - SPIN_NS;
    }
    return taken;
}

static uint64_t user_ns(void)
{
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    return (uint64_t)u.ru_utime.tv_sec * NS_PER_S + (uint64_t)u.ru_utime.tv_usec * NS_PER_US;
}

/* Until fixed times of the thread's clock: what one part takes too long the next one does not. */
int workload_shares(uint64_t amount, uint64_t *number)
{
    uint64_t units = spin_units(), user = user_ns(), total = amount * NS_PER_MS;
    uint64_t start = clock_thread_ns();
    number[1] = 0;
    for (uint64_t slice = 0; slice < total; slice += 10 * NS_PER_MS)
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            number[1] += burn_until(parts[i].burn, units, start + slice + parts[i].until_ns);
    number[0] = clock_thread_ns() - start;
    number[2] = user_ns() - user;
    return 3;
}

/* A low one of many blocks does not change when the CPU is taken away in others. */
int workload_burn(uint64_t amount, uint64_t *number)
{
    uint64_t spent[WORKLOAD_BLOCKS];
    for (size_t i = 0; i < WORKLOAD_BLOCKS; i++) {
        uint64_t before = clock_thread_ns();
        burn_a(amount);
        spent[i] = clock_thread_ns() - before;
    }
    sort_array(spent, WORKLOAD_BLOCKS, sizeof spent[0], order_of_u64);
    number[0] = spent[WORKLOAD_BLOCKS / 10];
    number[1] = spent[WORKLOAD_BLOCKS / 2];
    return 2;
}
