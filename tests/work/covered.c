/*
 * covered THREADS TIMES: functions that are called a known number of times: `leaf' TIMES times by
 * each of THREADS threads, by a child, and by the program that this one executes in the end
 * (itself), (THREADS + 2) * TIMES in all; `handler' 5 times; `never' not once. Meanwhile `tick'
 * handles the signals of a timer: prints how many came.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64, SIGNALS = 5, INTERVAL_US = 5000 };

static volatile int times, sink;
static volatile sig_atomic_t handled, over;
static atomic_int ticks; /* two threads may handle one each at a time */

static __attribute__((noinline)) int leaf(int n)
{
    return n % 3 ? n * 3 + sink : n;
}

static __attribute__((noinline)) void never(void)
{
    sink = 0;
}

static void handler(int sig)
{
    handled += sig;
}

static void set_timer(int us)
{
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {us / 1000000, us % 1000000}}, NULL);
}

static long now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/* Each asks for the next, ten times as much later as it has taken, so that there is time for
 * something else, however slow it is. */
static void tick(int sig)
{
    long since = now_us();
    atomic_fetch_add(&ticks, sig == SIGALRM);
    if (!over)
        set_timer(INTERVAL_US + 10 * (int)(now_us() - since));
}

static __attribute__((noinline)) void *work(void *unused)
{
    for (int i = 0; i < times; i++)
        sink = leaf(i);
    return unused;
}

static void run_threads(int threads)
{
    pthread_t id[MAX_THREADS];
    for (int i = 0; i < threads; i++)
        if (pthread_create(&id[i], NULL, work, NULL) != 0)
            exit(1);
    for (int i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
}

static void run_child(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        work(NULL);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
    int threads = argc > 2 ? atoi(argv[1]) : 0;
    times = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 3) {
        work(NULL);
        return 0;
    }
    if (threads < 1 || threads > MAX_THREADS)
        never();
    signal(SIGUSR1, handler);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = tick, .sa_flags = SA_RESTART}, NULL);
    set_timer(INTERVAL_US);
    run_threads(threads);
    run_child();
    for (int i = 0; i < SIGNALS; i++)
        raise(SIGUSR1);
    over = 1;
    set_timer(0);
    printf("ticks %d\n", atomic_load(&ticks));
    fflush(stdout);
    execl(argv[0], argv[0], argv[1], argv[2], "again", (char *)NULL);
    return 1;
}
