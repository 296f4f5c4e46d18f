/*
 * arm_run_signals: runs a piece of code to its end: a stub behind it, a signal, or that it goes on
 * for too long.
 */
#pragma once

#include "arm_run_memory.h"

#include <string.h>
#include <sys/time.h>

static ucontext_t outside;

/* On a stack of the desk. */
static void run_pieces(void)
{
    for (;;) {
        if (!sigsetjmp(desk->escape, 1)) {
            allow_writing(false);
            desk->inside = true;
            arm_enter();
            allow_writing(true);
        }
        desk->inside = false;
        swapcontext(&desk->runner, &outside);
    }
}

static void make_runner(void)
{
    getcontext(&desk->runner);
    desk->runner.uc_stack.ss_sp = desk->runner_stack;
    desk->runner.uc_stack.ss_size = sizeof desk->runner_stack;
    makecontext(&desk->runner, run_pieces, 0);
}

/* --- signals --- */

/* It may be anywhere, and its flags are those of a user program: N to Q, GE, and the instruction
 * set. Where the kernel has kept d0 to d31 is said by a number of its own. */
static void keep_state(struct state *s, const siginfo_t *info, const ucontext_t *u)
{
    enum { FLAGS = 0x0f0020, VFP_MAGIC = 0x56465001 };
    memcpy(s->reg, &u->uc_mcontext.arm_r0, sizeof s->reg);
    s->flags = (uint32_t)u->uc_mcontext.arm_cpsr & (0xf8000000u | FLAGS);
    s->fault = (uint32_t)(uintptr_t)info->si_addr;
    if (u->uc_regspace[0] == VFP_MAGIC)
        memcpy(s->simd, u->uc_regspace + 2, sizeof s->simd);
}

/* True if the same piece has run since the last tick. */
static bool is_endless(void)
{
    bool same = desk->runs == desk->runs_then;
    desk->runs_then = desk->runs;
    return desk->inside && same;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (number == SIGPROF && !is_endless())
        return;
    if (number != SIGPROF)
        keep_state(&desk->state, info, context);
    desk->state.exit = SIGNALLED + (uint32_t)number;
    allow_writing(true);
    siglongjmp(desk->escape, 1);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGPROF};
    struct sigaction a = {.sa_sigaction = on_signal,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaltstack(&(stack_t){.ss_sp = desk->signal_stack, .ss_size = sizeof desk->signal_stack},
                NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &a, NULL);
    setitimer(ITIMER_PROF, &(struct itimerval){{2, 0}, {2, 0}}, NULL);
}
