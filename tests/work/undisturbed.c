/*
 * undisturbed SECONDS: one thread each sleeps and wakes in a system call that a stop could disturb,
 * hundreds of times a second, working some 100 us between two. Each call's result and duration are
 * held against what it was asked for. Prints a line a call: its name, how often, how often it
 * returned EINTR, how often cut short or wrong, how often too short and too long a time; exits 1
 * when any but the last is not 0.
 */
#include "shares.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_US = 2000, LATE_US = 500000 };

struct sleeper {
    const char *name;
    int (*wait)(void); /* sleeps SLEEP_US: 0, or -1 and errno */
    bool timed;        /* else it is woken by somebody, any time later */
    unsigned calls, eintr, wrong, early, late;
};

static volatile sig_atomic_t over;
static unsigned sink;

static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static const struct timespec nap = {0, SLEEP_US * 1000};

static int by_nanosleep(void)
{
    return nanosleep(&nap, NULL);
}

static int by_clock_nanosleep(void)
{
    errno = clock_nanosleep(CLOCK_REALTIME, 0, &nap, NULL);
    return errno ? -1 : 0;
}

static int by_poll(void)
{
    return poll(NULL, 0, SLEEP_US / 1000);
}

static int by_ppoll(void)
{
    sigset_t none;
    sigemptyset(&none);
    return ppoll(NULL, 0, &nap, &none);
}

static int by_select(void)
{
    struct timeval t = {0, SLEEP_US};
    return select(0, NULL, NULL, NULL, &t);
}

static int by_epoll_wait(void)
{
    static int fd = -1;
    struct epoll_event event;
    if (fd < 0)
        fd = epoll_create1(0);
    return epoll_wait(fd, &event, 1, SLEEP_US / 1000);
}

static int by_epoll_pwait(void)
{
    static int fd = -1;
    struct epoll_event event;
    sigset_t none;
    sigemptyset(&none);
    if (fd < 0)
        fd = epoll_create1(0);
    return epoll_pwait(fd, &event, 1, SLEEP_US / 1000, &none);
}

/* The expected error of the calls that time out is their success. */
static int timed_out(int r, int expected)
{
    return r < 0 && errno == expected ? 0 : r < 0 ? -1 : 1;
}

static int by_sem_timedwait(void)
{
    static sem_t sem;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += SLEEP_US * 1000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return timed_out(sem_timedwait(&sem, &t), ETIMEDOUT);
}

static int by_sigtimedwait(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    return timed_out(sigtimedwait(&set, NULL, &nap), EAGAIN);
}

static int semaphore_id;

static int by_semtimedop(void)
{
    struct sembuf take = {0, -1, 0};
    return timed_out(semtimedop(semaphore_id, &take, 1, &nap), EAGAIN);
}

static int by_recv_timeout(void)
{
    static int pair[2] = {-1, -1};
    char byte;
    if (pair[0] < 0) {
        struct timeval t = {0, SLEEP_US};
        socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
        setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    }
    return timed_out((int)recv(pair[0], &byte, 1, 0), EAGAIN);
}

/* --- woken by another thread --- */

static int pipe_of_bytes[2], futex_word;
static const int whole = 300000; /* more than a pipe holds */
static int pipe_of_blocks[2];

static int by_read(void)
{
    char byte;
    ssize_t n = read(pipe_of_bytes[0], &byte, 1);
    return n == 1 ? 0 : n < 0 ? -1 : 1;
}

static int by_write(void)
{
    static char *block;
    if (!block)
        block = calloc(1, (size_t)whole);
    ssize_t n = write(pipe_of_blocks[1], block, (size_t)whole);
    return n == whole ? 0 : n < 0 ? -1 : 1;
}

static int by_futex(void)
{
    int seen = __atomic_load_n(&futex_word, __ATOMIC_ACQUIRE);
    long r = syscall(SYS_futex, &futex_word, FUTEX_WAIT, seen, NULL, NULL, 0);
    return r < 0 && errno != EAGAIN ? -1 : 0;
}

static void *waker(void *arg)
{
    while (!over) {
        nanosleep(&nap, NULL);
        ssize_t n = write(pipe_of_bytes[1], "", 1);
        __atomic_fetch_add(&futex_word, 1 + 0 * (int)n, __ATOMIC_RELEASE);
        syscall(SYS_futex, &futex_word, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    return arg;
}

/* A little at a time, so that the writer sleeps and wakes within its call. */
static void *drain(void *arg)
{
    char part[8192];
    while (read(pipe_of_blocks[0], part, sizeof part) > 0)
        sink += share_work(1, 1) & 1;
    return arg;
}

/* --- each on a thread of its own --- */

static void judge(struct sleeper *s, int r, uint64_t us)
{
    s->calls++;
    if (r < 0 && errno == EINTR)
        s->eintr++;
    else if (r != 0)
        s->wrong++;
    else if (s->timed && us + 100 < SLEEP_US)
        s->early++;
    else if (s->timed && us > LATE_US)
        s->late++;
}

static void *sleeper(void *arg)
{
    struct sleeper *s = arg;
    while (!over) {
        uint64_t before = now_us();
        errno = 0;
        int r = s->wait();
        judge(s, r, now_us() - before);
        for (volatile int i = 0; i < 20000; i++)
            ;
    }
    return arg;
}

static struct sleeper sleepers[] = {
    {.name = "nanosleep", .wait = by_nanosleep, .timed = true},
    {.name = "clock_nanosleep", .wait = by_clock_nanosleep, .timed = true},
    {.name = "poll", .wait = by_poll, .timed = true},
    {.name = "ppoll", .wait = by_ppoll, .timed = true},
    {.name = "select", .wait = by_select, .timed = true},
    {.name = "epoll_wait", .wait = by_epoll_wait, .timed = true},
    {.name = "epoll_pwait", .wait = by_epoll_pwait, .timed = true},
    {.name = "sem_timedwait", .wait = by_sem_timedwait, .timed = true},
    {.name = "sigtimedwait", .wait = by_sigtimedwait, .timed = true},
    {.name = "semtimedop", .wait = by_semtimedop, .timed = true},
    {.name = "recv", .wait = by_recv_timeout} /* counts jiffies */,
    {.name = "read", .wait = by_read},
    {.name = "futex", .wait = by_futex},
    {.name = "write", .wait = by_write},
};
enum { SLEEPERS = sizeof sleepers / sizeof *sleepers };

static int report(void)
{
    int bad = 0;
    for (int i = 0; i < SLEEPERS; i++) {
        struct sleeper *s = &sleepers[i];
        printf("%s %u %u %u %u %u\n", s->name, s->calls, s->eintr, s->wrong, s->early, s->late);
        bad |= !s->calls || s->eintr || s->wrong || s->early;
    }
    return bad;
}

int main(int argc, char **argv)
{
    pthread_t t;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    semaphore_id = semget(IPC_PRIVATE, 1, 0600);
    if (pipe(pipe_of_bytes) < 0 || pipe(pipe_of_blocks) < 0 ||
        pthread_create(&t, NULL, waker, NULL) || pthread_create(&t, NULL, drain, NULL))
        return 2;
    for (int i = 0; i < SLEEPERS; i++)
        if (pthread_create(&t, NULL, sleeper, &sleepers[i]))
            return 2;
    sleep((unsigned)(argc > 1 ? atoi(argv[1]) : 5));
    over = 1;
    usleep(100000);
    semctl(semaphore_id, 0, IPC_RMID);
    return report();
}
