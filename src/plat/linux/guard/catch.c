#include "plat/guard.h"

#include "core/base/signal_name.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

static const int caught[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { CAUGHT = sizeof caught / sizeof caught[0], STACK_BYTES = 64 << 10 };

struct call {
    sigjmp_buf back;
    struct call *outer;
};

static struct call *volatile innermost;
static struct sigaction before[CAUGHT];
static stack_t stack_before;
static uint8_t stack[STACK_BYTES] __attribute__((aligned(16)));

/* The number is handed over by siglongjmp. Signals of other processes' making are no crash of ours,
 * but they end the call all the same: the process would have died of them. */
static void on_crash(int sig)
{
    struct call *c = innermost;
    siglongjmp(c->back, sig);
}

/* SA_NODEFER: the handler is left by a jump that does not restore the mask. */
static void install_handlers(void)
{
    struct sigaction a = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    sigemptyset(&a.sa_mask);
    sigaltstack(&own, &stack_before);
    for (size_t i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &a, &before[i]);
}

static void uninstall_handlers(void)
{
    for (size_t i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &before[i], NULL);
    sigaltstack(&stack_before, NULL);
}

static void leave_call(struct call *c)
{
    innermost = c->outer;
    if (!innermost)
        uninstall_handlers();
}

int guard_call(int (*fn)(void *arg), void *arg, struct fail *f)
{
    struct call c = {.outer = innermost};
    int sig = sigsetjmp(c.back, 0);
    if (sig) {
        leave_call(&c);
        return fail_set(f, EFAULT, "crashed with %s", signal_name(sig));
    }
    if (!innermost)
        install_handlers();
    innermost = &c;
    int r = fn(arg);
    leave_call(&c);
    return r;
}

bool guard_is_active(void)
{
    return true;
}
