/*
 * handled SECONDS: what signals do to system calls, some hundred times a second: a handler must
 * interrupt epoll_wait and epoll_pwait with EINTR (each once for each signal), and an ignored
 * signal must not. The main thread works between two calls, so that a sampler finds it running.
 * Prints "ok", or what was wrong.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

static atomic_int handled, over, go;
static pthread_t main_thread;

static void handler(int sig)
{
    (void)sig;
    atomic_fetch_add(&handled, 1);
}

static void work(void)
{
    for (volatile int i = 0; i < 50000; i++)
        ;
}

/* For each go: an ignored signal and, a little later, a handled one. */
static void *killer(void *arg)
{
    while (!over) {
        if (!atomic_exchange(&go, 0))
            continue;
        nanosleep(&(struct timespec){0, 200000}, NULL);
        pthread_kill(main_thread, SIGURG);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        pthread_kill(main_thread, SIGUSR1);
    }
    return arg;
}

/* One round: the handled signal can only come within the call, which has unblocked it. */
static int round_of(int fd, const sigset_t *unblocked)
{
    struct epoll_event event;
    int before = handled;
    work();
    go = 1;
    errno = 0;
    int r = epoll_pwait(fd, &event, 1, 2000, unblocked);
    if (r == 0)
        return puts("the signal did not interrupt"), 1;
    if (errno != EINTR)
        return puts("not EINTR"), 1;
    if (handled != before + 1)
        return puts("EINTR without a handler"), 1;
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t t;
    sigset_t usr1, unblocked;
    int fd = epoll_create1(0);
    time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 3);
    main_thread = pthread_self();
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, &unblocked);
    sigdelset(&unblocked, SIGUSR1);
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = handler}, NULL);
    if (fd < 0 || pthread_create(&t, NULL, killer, NULL))
        return 2;
    while (time(NULL) < end)
        if (round_of(fd, &unblocked))
            return 1;
    over = 1;
    pthread_join(t, NULL);
    puts("ok");
    return 0;
}
