/* A timer that ends the wait for a stop. SIGALRM is place.c's and iotrace_guard.c's. */
#include "iotrace.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t second_has_passed;

static void on_timer(int signal)
{
    (void)signal;
    second_has_passed = 1;
}

/* The handler is without SA_RESTART: it ends our waiting. */
void iotrace_seconds_begin(struct iotrace *t)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM};
    const struct itimerspec each = {{1, 0}, {1, 0}};
    if (t->command || !t->callbacks.second_passed)
        return;
    sigaction(SIGVTALRM, &(struct sigaction){.sa_handler = on_timer}, NULL);
    t->has_timer = timer_create(CLOCK_MONOTONIC, &event, &t->timer) == 0;
    if (t->has_timer)
        timer_settime(t->timer, 0, &each, NULL);
}

void iotrace_seconds_tick(struct iotrace *t)
{
    if (!second_has_passed)
        return;
    second_has_passed = 0;
    t->callbacks.second_passed(t->callbacks.arg);
}

void iotrace_seconds_end(struct iotrace *t)
{
    if (t->has_timer)
        timer_delete(t->timer);
    t->has_timer = false;
}
