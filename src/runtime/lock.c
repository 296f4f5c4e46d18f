/* A lock that its waiters sleep on. Where a thousand threads begin at once, waiters that ask again
   and again would keep its owner from running, and one of a real-time priority for ever. */
#include "runtime.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNLOCKED, LOCKED, CONTENDED };

static void call_futex(int *lock, int op, int value)
{
    int kept = errno;
    syscall(SYS_futex, lock, op, value, NULL, NULL, 0);
    errno = kept;
}

void rt_signals_block(struct rt_sigstate *held)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &held->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held->cancel);
}

void rt_signals_restore(const struct rt_sigstate *held)
{
    int disabled;
    pthread_setcancelstate(held->cancel, &disabled);
    pthread_sigmask(SIG_SETMASK, &held->signals, NULL);
}

void rt_lock(int *lock, struct rt_sigstate *held)
{
    int was = UNLOCKED;
    rt_signals_block(held);
    if (__atomic_compare_exchange_n(lock, &was, LOCKED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(lock, CONTENDED, __ATOMIC_ACQUIRE) != UNLOCKED)
        call_futex(lock, FUTEX_WAIT_PRIVATE, CONTENDED);
}

void rt_unlock(int *lock, const struct rt_sigstate *held)
{
    if (__atomic_exchange_n(lock, UNLOCKED, __ATOMIC_RELEASE) == CONTENDED)
        call_futex(lock, FUTEX_WAKE_PRIVATE, 1);
    rt_signals_restore(held);
}
