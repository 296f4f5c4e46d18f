#include "cpu.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

const char cpu_clock_name[] = "cntvct";

static sigjmp_buf trapped;

static void on_trap(int sig)
{
    siglongjmp(trapped, 1);
}

uint64_t cpu_ticks_hz(void)
{
    uint32_t v;
    __asm__ volatile("mrc p15, 0, %0, c14, c0, 0" : "=r"(v));
    return v;
}

/* Processors before the ARMv7 virtualization extensions (Cortex-A8, A9) have no such counter, and a
   kernel may keep it from programs. Called with all signals blocked, but a trap is delivered. */
bool cpu_ticks_usable(void)
{
    struct sigaction sa = {.sa_handler = on_trap}, ill;
    sigset_t set, saved;
    sigemptyset(&set);
    sigaddset(&set, SIGILL);
    sigaction(SIGILL, &sa, &ill);
    pthread_sigmask(SIG_UNBLOCK, &set, &saved);
    bool usable = sigsetjmp(trapped, 1) == 0 && cpu_ticks_hz() && cpu_ticks();
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    sigaction(SIGILL, &ill, NULL);
    return usable;
}

bool cpu_user_counters(void)
{
    return false;
}

uint64_t cpu_user_counter(uint32_t n)
{
    return 0;
}
