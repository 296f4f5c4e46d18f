#include "plat/apart.h"

#include "descriptors.h"
#include "socket_missing.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int fail_pair(int err, struct fail *f)
{
    fail_set(f, err, "socketpair");
    socket_missing_hint(AF_UNIX, err, f);
    return -err;
}

int apart_pair(int out[2], struct fail *f)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out) < 0)
        return fail_pair(errno, f);
    return 0;
}

void apart_close(int end)
{
    descriptor_close(&end);
}

static void redirect_streams_to_null(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        if (null >= 0)
            dup2(null, fd);
        else
            close(fd);
    if (null > 2)
        close(null);
}

struct work {
    void (*run)(void *arg);
    void *arg;
    const int *keep;
    size_t kept;
};

static void run_apart(const struct work *w)
{
    setsid();
    signal(SIGPIPE, SIG_IGN);
    /* A second fork, so that a command that waits for its children does not see this one. */
    if (fork() != 0)
        _exit(0);
    redirect_streams_to_null();
    descriptors_close_others(w->keep, w->kept);
    umask(0);
    if (chdir("/") == 0)
        w->run(w->arg);
    _exit(0);
}

/* What is blocked when it is forked stays blocked: no signal comes before it is ready for that. */
static int start(const struct work *w, bool deaf, struct fail *f)
{
    sigset_t all, before;
    int status;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int pid = fork(), err = errno;
    if (pid == 0) {
        if (!deaf)
            sigprocmask(SIG_SETMASK, &before, NULL);
        run_apart(w);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        return fail_set(f, err, "fork");
    TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
    return 0;
}

int apart_start(void (*run)(void *arg), void *arg, const int *keep, size_t n, struct fail *f)
{
    return start(&(struct work){run, arg, keep, n}, false, f);
}

int apart_start_guardian(void (*run)(void *arg), void *arg, const int *keep, size_t n,
                         struct fail *f)
{
    return start(&(struct work){run, arg, keep, n}, true, f);
}

int apart_send(int end, const void *bytes, size_t len)
{
    for (const char *at = bytes; len;) {
        ssize_t n = TEMP_FAILURE_RETRY(send(end, at, len, MSG_NOSIGNAL));
        if (n <= 0)
            return -errno;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

int apart_receive(int end, void *bytes, size_t len)
{
    for (char *at = bytes; len;) {
        ssize_t n = TEMP_FAILURE_RETRY(recv(end, at, len, 0));
        if (n <= 0)
            return n < 0 ? -errno : -ECONNRESET;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

bool apart_drain(int end)
{
    char bytes[64];
    bool any = false;
    while (recv(end, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        any = true;
    return any;
}

enum { MIN_THREADS = 2, MAX_THREADS = 8 };

unsigned crew_size(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < MIN_THREADS ? MIN_THREADS : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

struct start {
    void (*run)(void *arg);
    void *arg;
};

static void *run_thread(void *arg)
{
    struct start s = *(struct start *)arg;
    free(arg);
    s.run(s.arg);
    return NULL;
}

int crew_start(void (*run)(void *arg), void *arg)
{
    pthread_t thread;
    pthread_attr_t attr;
    struct start *s = malloc(sizeof *s);
    if (!s)
        return -ENOMEM;
    *s = (struct start){run, arg};
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, 2 << 20);
    int err = pthread_create(&thread, &attr, run_thread, s);
    pthread_attr_destroy(&attr);
    if (err)
        free(s);
    return -err;
}

void crew_sleep_ms(unsigned ms)
{
    nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}

/* A thread's state follows its name in parentheses. */
static bool is_thread_asleep(int tasks, const char *tid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "%.20s/stat", tid);
    SCOPED_FD fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
    descriptor_text(fd, text, sizeof text);
    const char *end = strrchr(text, ')');
    return !end || strncmp(end, ") S", 3) == 0;
}

bool crew_asleep(void)
{
    SCOPED_DIR tasks = opendir("/proc/self/task");
    bool all = true;
    for (struct dirent *d; tasks && all && (d = readdir(tasks));)
        if (d->d_name[0] != '.' && strtol(d->d_name, NULL, 10) != syscall(SYS_gettid))
            all = is_thread_asleep(dirfd(tasks), d->d_name);
    return all;
}

struct lock {
    pthread_mutex_t mutex;
};

struct lock *lock_new(void)
{
    struct lock *l = malloc(sizeof *l);
    if (l)
        pthread_mutex_init(&l->mutex, NULL);
    return l;
}

void lock_free(struct lock *l)
{
    if (l)
        pthread_mutex_destroy(&l->mutex);
    free(l);
}

struct lock *lock_acquire(struct lock *l)
{
    pthread_mutex_lock(&l->mutex);
    return l;
}

void lock_release(struct lock *l)
{
    pthread_mutex_unlock(&l->mutex);
}
