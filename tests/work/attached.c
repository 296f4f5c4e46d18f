/*
 * attached THREADS TIMES: prints `ready', waits for a byte of standard input, and then calls `leaf'
 * TIMES times in each of THREADS threads and in the first one, (THREADS + 1) * TIMES in all, with
 * system calls, a fork and five signals between, of which `handler' gets each. Prints `done' and
 * the sum, waits for a second byte, and exits with 5.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_THREADS = 64, SIGNALS = 5 };

static int times;
static atomic_long sum;
static volatile sig_atomic_t handled;

static __attribute__((noinline)) void leaf(int n)
{
    atomic_fetch_add(&sum, n % 3 ? n : 1);
}

static void handler(int sig)
{
    handled += sig == SIGUSR1;
}

static __attribute__((noinline)) void *work(void *unused)
{
    for (int i = 0; i < times; i++) {
        leaf(i);
        if (i % 16 == 0)
            getppid();
    }
    return unused;
}

static __attribute__((noinline)) void run_threads(int threads)
{
    pthread_t id[MAX_THREADS];
    for (int i = 0; i < threads; i++)
        if (pthread_create(&id[i], NULL, work, NULL) != 0)
            exit(1);
    work(NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
}

static void run_child(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(7);
    if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7)
        exit(1);
}

static void wait_for_byte(void)
{
    char c;
    if (read(0, &c, 1) != 1)
        exit(1);
}

int main(int argc, char **argv)
{
    int threads = argc > 2 ? atoi(argv[1]) : 0;
    times = argc > 2 ? atoi(argv[2]) : 0;
    if (threads < 0 || threads > MAX_THREADS)
        return 2;
    signal(SIGUSR1, handler);
    dprintf(1, "ready\n");
    wait_for_byte();
    for (int i = 0; i < SIGNALS; i++)
        raise(SIGUSR1);
    run_threads(threads);
    run_child();
    dprintf(1, "done %ld %d\n", atomic_load(&sum), (int)handled);
    wait_for_byte();
    return 5;
}
