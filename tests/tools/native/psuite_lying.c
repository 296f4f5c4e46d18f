/* psuite whose workloads of `doctor --selftest' do something else than they say: what is measured
 * is wrong. It brings its own table of workloads. */
#include "plat/clock.h"
#include "plat/workload.h"
#include "workload/private.h"

#include <stddef.h>

static int lie_loop(uint64_t amount, uint64_t *number)
{
    return workload_counted(amount + amount / 4, number);
}

/* Five sixths of the time in the first part alone: the last one has 1.7%, which even 300 samples
 * do not take for 10%. */
static int lie_shares(uint64_t amount, uint64_t *number)
{
    uint64_t start = clock_thread_ns(), ignored[WORKLOAD_NUMBERS];
    int r = workload_shares(amount / 6, ignored);
    while (r >= 0 && clock_thread_ns() - start < amount * 1000000)
        workload_burn(100000, ignored);
    number[0] = clock_thread_ns() - start;
    number[1] = 0;
    number[2] = number[0];
    return r;
}

static int lie_faults(uint64_t amount, uint64_t *number)
{
    return workload_faults(amount * 2, number);
}

static int lie_touch(uint64_t amount, uint64_t *number)
{
    return workload_touch(amount - amount / 10, number);
}

static int lie_switches(uint64_t amount, uint64_t *number)
{
    return workload_switches(amount + amount / 4, number);
}

/* It waited half as long again as it says. */
static int lie_wait(workload_run *wait, uint64_t amount, uint64_t *number)
{
    int n = wait(amount, number);
    number[0] = number[0] * 2 / 3;
    return n;
}

static int lie_sleep(uint64_t amount, uint64_t *number)
{
    return lie_wait(workload_sleep, amount, number);
}

static int lie_lock(uint64_t amount, uint64_t *number)
{
    return lie_wait(workload_lock, amount, number);
}

static int lie_pipe(uint64_t amount, uint64_t *number)
{
    return lie_wait(workload_pipe, amount, number);
}

static int lie_io(uint64_t amount, uint64_t *number)
{
    return workload_io(amount + 1, number);
}

static int lie_timer(uint64_t amount, uint64_t *number)
{
    int n = workload_timer(amount, number);
    number[0] = 3;
    return n;
}

const struct workload workloads[] = {
    {"loop", lie_loop},
    {"shares", lie_shares},
    {"chain", workload_chain},
    {"burn", workload_burn},
    {"faults", lie_faults},
    {"touch", lie_touch},
    {"switches", lie_switches},
    {"sleep", lie_sleep},
    {"lock", lie_lock},
    {"pipe", lie_pipe},
    {"io", lie_io},
    {"timer", lie_timer},
    {NULL, NULL},
};
