/* waits: threads that know what they wait. It prints a line each, the function and its
 * milliseconds, as it measured them itself:
 * - sleeps: three sleeps of 100 ms
 * - wants_lock: for a mutex that keeps_lock has for 200 ms
 * - reads_pipe: for a byte that comes after 150 ms
 * - writes_pipe: a sleep of 150 ms, before that byte
 * - burns: no wait but for a CPU, 300 ms of its own time
 * `waits idle SECONDS': a thread stays asleep in stays_asleep all that time; main sleeps 200 ms at
 * a time. `waits pingpong N': N bytes through two pipes there and back, and the time of it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, noclone)) static

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t locked;
static int pipes[2], back[2];
static volatile unsigned sink;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void tell(const char *function, double since)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%s %.1f\n", function, now_ms() - since);
    if (write(1, line, (size_t)n) != n)
        _exit(1);
}

FUNCTION void *sleeps(void *arg)
{
    double start = now_ms();
    for (int i = 0; i < 3; i++)
        sleep_ms(100);
    tell("sleeps", start);
    return arg;
}

FUNCTION void *keeps_lock(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_barrier_wait(&locked);
    double start = now_ms();
    sleep_ms(200);
    pthread_mutex_unlock(&lock);
    tell("keeps_lock", start);
    return arg;
}

FUNCTION void *wants_lock(void *arg)
{
    pthread_barrier_wait(&locked);
    double start = now_ms();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    tell("wants_lock", start);
    return arg;
}

FUNCTION void *reads_pipe(void *arg)
{
    char c;
    double start = now_ms();
    if (read(pipes[0], &c, 1) == 1)
        tell("reads_pipe", start);
    return arg;
}

FUNCTION void writes_pipe(void)
{
    double start = now_ms();
    sleep_ms(150);
    if (write(pipes[1], "x", 1) != 1)
        _exit(1);
    tell("writes_pipe", start);
}

FUNCTION void *burns(void *arg)
{
    struct timespec t = {0};
    while (t.tv_sec == 0 && t.tv_nsec < 300000000) {
        for (unsigned i = 0; i < 100000; i++)
            sink += i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    }
    return arg;
}

static int all(void)
{
    void *(*const part[])(void *) = {sleeps, keeps_lock, wants_lock, reads_pipe, burns};
    enum { PARTS = sizeof part / sizeof *part };
    pthread_t thread[PARTS];
    pthread_barrier_init(&locked, NULL, 2);
    for (int i = 0; i < PARTS; i++)
        if (pthread_create(&thread[i], NULL, part[i], NULL) != 0)
            return 1;
    writes_pipe();
    for (int i = 0; i < PARTS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}

FUNCTION void *stays_asleep(void *arg)
{
    char c;
    if (read(pipes[0], &c, 1) < 0)
        return NULL;
    return arg;
}

FUNCTION void sleeps_now_and_then(double seconds)
{
    for (int i = 0; i < (int)(seconds * 5); i++)
        sleep_ms(200);
}

static int idle(double seconds)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, stays_asleep, NULL) != 0)
        return 1;
    sleeps_now_and_then(seconds);
    return 0;
}

static int pingpong(long n)
{
    char c = 'x';
    if (pipe(back) < 0)
        return 1;
    if (fork() == 0) {
        close(pipes[1]); /* who plays alone ends */
        close(back[0]);
        while (n-- && read(pipes[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
            ;
        _exit(0);
    }
    double start = now_ms();
    for (long i = 0; i < n; i++)
        if (write(pipes[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
            return 1;
    tell("pingpong", start);
    return 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (pipe(pipes) < 0)
        return 1;
    if (strcmp(how, "idle") == 0 && argc > 2)
        return idle(atof(argv[2]));
    if (strcmp(how, "pingpong") == 0 && argc > 2)
        return pingpong(atol(argv[2]));
    return all();
}
