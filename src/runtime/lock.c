/* A lock that its waiters sleep on. Where a thousand threads begin at once, waiters that ask again
   and again would keep its owner from running, and one of a real-time priority for ever. */
#include "runtime.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FREE, TAKEN, AWAITED };

static void futex(int *lock, int what, int value)
{
    int kept = errno;
    syscall(SYS_futex, lock, what, value, NULL, NULL, 0);
    errno = kept;
}

void rt_hold(struct rt_held *held)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &held->signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held->cancel);
}

void rt_release(const struct rt_held *held)
{
    int disabled;
    pthread_setcancelstate(held->cancel, &disabled);
    pthread_sigmask(SIG_SETMASK, &held->signals, NULL);
}

void rt_lock(int *lock, struct rt_held *held)
{
    int was = FREE;
    rt_hold(held);
    if (__atomic_compare_exchange_n(lock, &was, TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(lock, AWAITED, __ATOMIC_ACQUIRE) != FREE)
        futex(lock, FUTEX_WAIT_PRIVATE, AWAITED);
}

void rt_unlock(int *lock, const struct rt_held *held)
{
    if (__atomic_exchange_n(lock, FREE, __ATOMIC_RELEASE) == AWAITED)
        futex(lock, FUTEX_WAKE_PRIVATE, 1);
    rt_release(held);
}
