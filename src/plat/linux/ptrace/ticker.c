#include "ticker.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static struct timespec to_timespec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
}

/* --- a timer of the kernel --- */

static int create_timer(struct ticker *t)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = t->signal};
    event.sigev_notify_thread_id = t->tid;
    return timer_create(CLOCK_MONOTONIC, &event, &t->timer) < 0 ? -errno : 0;
}

static int set_timer(struct ticker *t, uint64_t period_ns)
{
    struct timespec period = to_timespec(period_ns);
    return timer_settime(t->timer, 0, &(struct itimerspec){period, period}, NULL) < 0 ? -errno : 0;
}

/* --- a thread --- */

static uint64_t next_tick(uint64_t last_ns, uint64_t period_ns)
{
    uint64_t now_ns = clock_mono_ns(), next_ns = last_ns + period_ns;
    return next_ns > now_ns ? next_ns : now_ns + period_ns;
}

static void *thread_main(void *arg)
{
    struct ticker *t = arg;
    struct ticker_thread *own = &t->thread;
    uint64_t tick_ns = clock_mono_ns();
    pthread_mutex_lock(&own->lock);
    while (own->period_ns) {
        tick_ns = next_tick(tick_ns, own->period_ns);
        struct timespec end = to_timespec(tick_ns);
        if (pthread_cond_timedwait(&own->changed, &own->lock, &end) == ETIMEDOUT)
            syscall(SYS_tgkill, getpid(), t->tid, t->signal);
    }
    pthread_mutex_unlock(&own->lock);
    return NULL;
}

/* It is none of those that get the process's signals. */
static int create_thread(struct ticker *t, uint64_t period_ns)
{
    struct ticker_thread *own = &t->thread;
    pthread_condattr_t monotonic;
    sigset_t all, before;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&own->lock, NULL);
    pthread_cond_init(&own->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    own->period_ns = period_ns;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(&own->id, NULL, thread_main, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    own->is_used = err == 0;
    return -err;
}

static void set_thread(struct ticker_thread *own, uint64_t period_ns)
{
    pthread_mutex_lock(&own->lock);
    own->period_ns = period_ns;
    pthread_cond_signal(&own->changed);
    pthread_mutex_unlock(&own->lock);
}

static void end_thread(struct ticker_thread *own)
{
    set_thread(own, 0);
    pthread_join(own->id, NULL);
    pthread_cond_destroy(&own->changed);
    pthread_mutex_destroy(&own->lock);
}

/* --- either --- */

int ticker_start(struct ticker *t, int signal, uint64_t period_ns)
{
    *t = (struct ticker){.signal = signal, .tid = (pid_t)syscall(SYS_gettid)};
    int r = create_timer(t);
    if (r == 0)
        r = set_timer(t, period_ns);
    else if (r == -ENOSYS)
        r = create_thread(t, period_ns);
    t->runs = r == 0;
    return r;
}

void ticker_set(struct ticker *t, uint64_t period_ns)
{
    if (t->thread.is_used)
        set_thread(&t->thread, period_ns);
    else
        set_timer(t, period_ns);
}

void ticker_stop(struct ticker *t)
{
    if (t->runs && t->thread.is_used)
        end_thread(&t->thread);
    else if (t->runs)
        timer_delete(t->timer);
    t->runs = false;
}
