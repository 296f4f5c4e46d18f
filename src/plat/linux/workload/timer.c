/* How exactly the kernel's timers end a sleep. */
#include "private.h"

#include "core/base/sort.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

enum { MAX_SLEEPS = 1000 };

static void sleep_until(uint64_t ns)
{
    struct timespec t = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

int workload_timer(uint64_t amount, uint64_t *number)
{
    static uint64_t late[MAX_SLEEPS];
    size_t n = amount < MAX_SLEEPS ? (size_t)amount : MAX_SLEEPS, early = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t until = clock_mono_ns() + NS_PER_MS;
        sleep_until(until);
        uint64_t now = clock_mono_ns();
        early += now < until;
        late[i] = now < until ? 0 : now - until;
    }
    sort_array(late, n, sizeof late[0], order_of_u64);
    number[0] = early;
    number[1] = n ? late[n / 2] : 0;
    number[2] = n ? late[n - 1] : 0;
    return 3;
}
