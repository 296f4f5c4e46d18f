/* A timer that ends the wait for a stop. SIGALRM is place.c's and iotrace_guard.c's. */
#include "core/base/time_ns.h"
#include "iotrace.h"
#include "plat/clock.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t second_has_passed;

static void on_timer(int signal)
{
    second_has_passed = 1;
}

/* In a second, or when the tracing shall end. */
static void set_timer(const struct iotrace *t, uint64_t end_ns)
{
    uint64_t now = clock_mono_ns(), left_ns = NS_PER_S;
    if (end_ns && end_ns < now + left_ns)
        left_ns = end_ns > now ? end_ns - now : 1;
    timer_settime(t->timer, 0,
                  &(struct itimerspec){
                      .it_value = {(time_t)(left_ns / NS_PER_S), (long)(left_ns % NS_PER_S)}},
                  NULL);
}

/* The handler is without SA_RESTART: it ends our waiting. */
void iotrace_seconds_begin(struct iotrace *t, uint64_t end_ns)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM};
    if (t->command || (!t->callbacks.second_passed && !end_ns))
        return;
    sigaction(SIGVTALRM, &(struct sigaction){.sa_handler = on_timer}, NULL);
    t->has_timer = timer_create(CLOCK_MONOTONIC, &event, &t->timer) == 0;
    if (t->has_timer)
        set_timer(t, end_ns);
}

void iotrace_seconds_tick(struct iotrace *t, uint64_t end_ns)
{
    if (!second_has_passed)
        return;
    second_has_passed = 0;
    set_timer(t, end_ns);
    if (t->callbacks.second_passed)
        t->callbacks.second_passed(t->callbacks.arg);
}

void iotrace_seconds_end(struct iotrace *t)
{
    if (t->has_timer)
        timer_delete(t->timer);
    t->has_timer = false;
}
