/* Handlers that come at any instant, also inside the hooks, on the stack that runs and on one of
   their own (argument a); they call what the program calls. The next argument is the interval in
   us. */
#include "known.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile unsigned long shared_calls, handler_calls, work_calls;
static volatile int sink;

ALONE void shared(unsigned long *mine)
{
    ++*mine;
}

static unsigned long from_handler, from_main;

ALONE void nested(void)
{
    shared(&from_handler);
    shared(&from_handler);
}

ALONE void handler(int sig)
{
    handler_calls += sig != 0;
    nested();
}

ALONE void work(void)
{
    work_calls++;
    shared(&from_main);
}

static QUIET void tick(int us)
{
    struct itimerval t = {{0, us}, {0, us}};
    setitimer(ITIMER_REAL, &t, NULL);
}

int main(int argc, char **argv)
{
    stack_t own = {.ss_sp = malloc(65536), .ss_size = 65536};
    struct sigaction sa = {.sa_handler = handler};
    if (argc > 1 && argv[1][0] == 'a') {
        sigaltstack(&own, NULL);
        sa.sa_flags = SA_ONSTACK;
    }
    sa.sa_flags |= SA_RESTART;
    sigaction(SIGALRM, &sa, NULL);
    int us = argc > 2 ? atoi(argv[2]) : 97;
    tick(us);
    while (handler_calls < 300000ul / (unsigned long)us)
        work();
    tick(0);
    known_calls("main", 1);
    known_calls("work", work_calls);
    known_calls("handler", handler_calls);
    known_calls("nested", handler_calls);
    known_calls("shared", from_handler + from_main);
    known("missed", 0);
    return 0;
}
