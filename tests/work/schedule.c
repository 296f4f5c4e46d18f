/*
 * A schedule that is known. What it did it tells on standard output in the end, a line each, with
 * times on the monotonic clock in ns.
 *
 * schedule token ROUNDS SLEEP_US: three threads hand a token round, each sleeps with it:
 *     TID got TIME, TID sleeps TIME, TID woke TIME, TID gives TIME TID
 *
 * schedule deadline PERIODS: run time 3 ms, deadline 6, period 20. It runs 1 ms and yields; in
 * every third period it is busy for 8 ms: too long, so that the deadline is missed:
 *     TID admitted TIME, TID period TIME, TID done TIME
 *
 * schedule fifo ROUNDS: an ordinary thread runs, one of SCHED_FIFO preempts it:
 *     TID ordinary, TID ran TIME TIME (from, to)
 *
 * All but the deadline's on one CPU, the last.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, LINES = 100000 };

static struct line {
    int tid, other;
    const char *what;
    uint64_t time, until;
} line[LINES];
static atomic_int lines;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int tid(void)
{
    return (int)syscall(SYS_gettid);
}

static void tell(const char *what, uint64_t time, uint64_t until, int other)
{
    int n = atomic_fetch_add(&lines, 1);
    if (n < LINES)
        line[n] = (struct line){tid(), other, what, time, until};
}

static void print_all(void)
{
    for (int i = 0; i < lines && i < LINES; i++) {
        const struct line *l = &line[i];
        printf("%d %s %" PRIu64, l->tid, l->what, l->time);
        if (l->until)
            printf(" %" PRIu64, l->until);
        if (l->other)
            printf(" %d", l->other);
        putchar('\n');
    }
}

static void burn(uint64_t ns)
{
    for (uint64_t end = now() + ns; now() < end;)
        ;
}

static void nap(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&t, NULL);
}

static void one_cpu(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* --- a token --- */

static sem_t token[THREADS];
static atomic_int id[THREADS];
static int rounds;
static long sleep_us;

static void *hold_token(void *arg)
{
    int self = (int)(intptr_t)arg, next = (self + 1) % THREADS;
    id[self] = tid();
    for (int i = 0; i < rounds; i++) {
        while (sem_wait(&token[self]) != 0)
            ;
        tell("got", now(), 0, 0);
        tell("sleeps", now(), 0, 0);
        nap(sleep_us);
        tell("woke", now(), 0, 0);
        tell("gives", now(), 0, id[next]);
        sem_post(&token[next]);
    }
    return NULL;
}

static void run_token(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        sem_init(&token[i], 0, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, hold_token, (void *)(intptr_t)i);
    nap(20000);
    sem_post(&token[0]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

/* --- a deadline --- */

struct attr {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static int run_deadline(void)
{
    struct attr a = {
        .size = sizeof a, .policy = 6, .runtime = 3000000, .deadline = 6000000, .period = 20000000};
    uint64_t admitted = now();
    if (syscall(SYS_sched_setattr, 0, &a, 0) < 0) {
        fprintf(stderr, "schedule: sched_setattr: %s\n", strerror(errno));
        return 1;
    }
    sched_yield();
    tell("admitted", admitted, 0, 0);
    for (int i = 0; i < rounds; i++) {
        tell("period", now(), 0, 0);
        burn(i % 3 == 2 ? 8000000 : 1000000);
        tell("done", now(), 0, 0);
        sched_yield();
    }
    return 0;
}

/* --- a preemption --- */

static atomic_bool ended;

static void *run_on(void *arg)
{
    tell("ordinary", 0, 0, 0);
    while (!ended)
        ;
    return arg;
}

static int run_fifo(void)
{
    struct sched_param p = {.sched_priority = 10};
    pthread_t thread;
    one_cpu();
    pthread_create(&thread, NULL, run_on, NULL);
    if (sched_setscheduler(0, SCHED_FIFO, &p) < 0) {
        perror("schedule: sched_setscheduler");
        exit(1);
    }
    nap(10000);
    for (int i = 0; i < rounds; i++) {
        nap(5000);
        uint64_t from = now();
        burn(500000);
        tell("ran", from, now(), 0);
    }
    ended = true;
    p.sched_priority = 0;
    sched_setscheduler(0, SCHED_OTHER, &p);
    pthread_join(thread, NULL);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    rounds = argc > 2 ? atoi(argv[2]) : 10;
    sleep_us = argc > 3 ? atol(argv[3]) : 2000;
    if (argc > 1 && strcmp(argv[1], "token") == 0) {
        one_cpu();
        run_token();
    } else if (argc > 1 && strcmp(argv[1], "deadline") == 0) {
        status = run_deadline();
    } else if (argc > 1 && strcmp(argv[1], "fifo") == 0) {
        status = run_fifo();
    } else {
        return 2;
    }
    print_all();
    return status;
}
