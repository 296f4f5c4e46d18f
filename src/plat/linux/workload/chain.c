/* A chain of 30 frames, through a function of the C library and a signal handler. */
#include "private.h"

#include "core/base/sort.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/workload.h"

#include <errno.h>
#include <signal.h>

#define IN_CHAIN __attribute__((noinline, used, section("workload_code_chain")))

enum { SORTS = 10, SIGNALS = 20 };

static uint64_t units;
static volatile uint64_t passed; /* written behind each call, which so is no jump */

static void call_level(int level);

IN_CHAIN static int compare(const void *a, const void *b)
{
    call_level(SORTS + 2);
    passed++;
    return *(const int *)a - *(const int *)b;
}

IN_CHAIN static void handle_signal(int signal)
{
    call_level(SIGNALS + 2);
    passed++;
}

IN_CHAIN static void call_level(int level)
{
    int pair[] = {2, 1};
    if (level == WORKLOAD_CHAIN_FRAMES)
        spin_inline(units);
    else if (level == SORTS)
        sort_array(pair, 2, sizeof pair[0], compare);
    else if (level == SIGNALS)
        raise(SIGUSR1);
    else
        call_level(level + 1);
    passed++;
}

int workload_chain(uint64_t amount, uint64_t *number)
{
    volatile int first = 1;
    struct sigaction handler = {.sa_handler = handle_signal};
    if (sigaction(SIGUSR1, &handler, NULL) < 0)
        return -errno;
    units = spin_units() * 10;
    uint64_t start = clock_thread_ns();
    while (clock_thread_ns() - start < amount * NS_PER_MS)
        call_level(first);
    number[0] = clock_thread_ns() - start;
    return 1;
}
