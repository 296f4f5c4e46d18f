#include "runtime.h"

#include <pthread.h>
#include <sched.h>

void rt_lock(int *lock, struct rt_held *saved)
{
    sigset_t all;
    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &saved->cancel);
    pthread_sigmask(SIG_BLOCK, &all, &saved->signals);
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

void rt_unlock(int *lock, const struct rt_held *saved)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_SETMASK, &saved->signals, NULL);
    pthread_setcancelstate(saved->cancel, NULL);
}
