#include "runtime.h"

#include <pthread.h>
#include <sched.h>

void rt_lock(int *lock, sigset_t *saved)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, saved);
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

void rt_unlock(int *lock, const sigset_t *saved)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_SETMASK, saved, NULL);
}
