/* A thread that waits for a known thing, and measures for how long it did not run. */
#include "private.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "process/descriptors.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

enum { WAIT_NS = 20 * NS_PER_MS };

struct waiter {
    void (*wait)(struct waiter *w); /* all rounds */
    uint64_t rounds;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_barrier_t turn;
    int ends[2];
    uint64_t start_ns, end_ns, cpu_ns;
};

static void *run_waiter(void *arg)
{
    struct waiter *w = arg;
    uint64_t cpu_ns = clock_thread_ns();
    w->start_ns = clock_mono_ns();
    w->wait(w);
    w->end_ns = clock_mono_ns();
    w->cpu_ns = clock_thread_ns() - cpu_ns;
    return NULL;
}

/* All of its time but that on a CPU: under load also that for which it waits for a CPU. */
static int end_waiter(struct waiter *w, uint64_t *number)
{
    pthread_join(w->thread, NULL);
    uint64_t all = w->end_ns - w->start_ns;
    number[0] = all > w->cpu_ns ? all - w->cpu_ns : 0;
    number[1] = w->start_ns;
    number[2] = w->end_ns;
    return 3;
}

static int start_waiter(struct waiter *w)
{
    return -pthread_create(&w->thread, NULL, run_waiter, w);
}

/* --- for the time --- */

static void wait_for_time(struct waiter *w)
{
    for (uint64_t i = 0; i < w->rounds; i++)
        workload_sleep_ns(WAIT_NS);
}

int workload_sleep(uint64_t amount, uint64_t *number)
{
    struct waiter w = {.wait = wait_for_time, .rounds = amount};
    int r = start_waiter(&w);
    return r < 0 ? r : end_waiter(&w, number);
}

/* --- for a lock --- */

/* It takes the lock when the other thread has it, and that one takes it when this one had it. */
static void wait_for_lock(struct waiter *w)
{
    for (uint64_t i = 0; i < w->rounds; i++) {
        pthread_barrier_wait(&w->turn);
        pthread_mutex_lock(&w->lock);
        pthread_mutex_unlock(&w->lock);
        pthread_barrier_wait(&w->turn);
    }
}

static void hold_lock(struct waiter *w)
{
    pthread_mutex_lock(&w->lock);
    pthread_barrier_wait(&w->turn);
    workload_sleep_ns(WAIT_NS);
    pthread_mutex_unlock(&w->lock);
    pthread_barrier_wait(&w->turn);
}

int workload_lock(uint64_t amount, uint64_t *number)
{
    struct waiter w = {.wait = wait_for_lock, .rounds = amount, .lock = PTHREAD_MUTEX_INITIALIZER};
    int r = -pthread_barrier_init(&w.turn, NULL, 2);
    if (r == 0)
        r = start_waiter(&w);
    if (r < 0)
        return r;
    for (uint64_t i = 0; i < amount; i++)
        hold_lock(&w);
    r = end_waiter(&w, number);
    pthread_barrier_destroy(&w.turn);
    return r;
}

/* --- for a pipe --- */

static void wait_for_pipe(struct waiter *w)
{
    char byte;
    for (uint64_t i = 0; i < w->rounds; i++)
        TEMP_FAILURE_RETRY(read(w->ends[0], &byte, 1));
}

/* The end of the pipe ends the thread's waits, should a write fail. */
static int write_bytes(int fd, uint64_t rounds)
{
    int r = 0;
    for (uint64_t i = 0; i < rounds && r == 0; i++) {
        workload_sleep_ns(WAIT_NS);
        r = write(fd, "", 1) == 1 ? 0 : -errno;
    }
    close(fd);
    return r;
}

int workload_pipe(uint64_t amount, uint64_t *number)
{
    struct waiter w = {.wait = wait_for_pipe, .rounds = amount};
    if (pipe(w.ends) < 0)
        return -errno;
    int r = start_waiter(&w);
    if (r < 0) {
        close(w.ends[0]);
        close(w.ends[1]);
        return r;
    }
    r = write_bytes(w.ends[1], amount);
    int n = end_waiter(&w, number);
    close(w.ends[0]);
    return r < 0 ? r : n;
}
