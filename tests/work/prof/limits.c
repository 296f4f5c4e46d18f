/* RLIMIT_FSIZE stands in the way of the file, and the program does not write: it makes a node a
   call, while the limit changes between nothing and what it was. The first argument says what it
   does about SIGXFSZ: default, handler, ignored, pending (blocked, and one has come); own: a
   handler, and at last a write of its own, for which it must come. The second is a number of
   threads that call, too; one that starts without space for a tree stays silent. */
#include "halves.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 12, MAX_THREADS = 16 };
static volatile int came, ended;
static struct rlimit before;

static QUIET void count_it(int number)
{
    (void)number;
    came++;
}

static void *body(void *arg)
{
    left(DEPTH);
    return arg;
}

static QUIET void *change_limit(void *arg)
{
    struct rlimit none = {0, before.rlim_max};
    while (!ended) {
        setrlimit(RLIMIT_FSIZE, &none);
        setrlimit(RLIMIT_FSIZE, &before);
    }
    return arg;
}

static QUIET void prepare(const char *how)
{
    sigset_t set;
    if (strcmp(how, "handler") == 0 || strcmp(how, "own") == 0)
        sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = count_it}, NULL);
    if (strcmp(how, "ignored") == 0)
        signal(SIGXFSZ, SIG_IGN);
    if (strcmp(how, "pending") != 0)
        return;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGXFSZ);
}

/* Of the calling thread: 0 is what there was. */
static QUIET int is_changed(const char *how)
{
    struct sigaction now;
    sigset_t mask, pending;
    sigaction(SIGXFSZ, NULL, &now);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    sigpending(&pending);
    int blocked = strcmp(how, "pending") == 0;
    void (*wanted)(int) = strcmp(how, "ignored") == 0                              ? SIG_IGN
                          : strcmp(how, "handler") == 0 || strcmp(how, "own") == 0 ? count_it
                                                                                   : SIG_DFL;
    return now.sa_handler != wanted || sigismember(&mask, SIGXFSZ) != blocked ||
           sigismember(&pending, SIGXFSZ) != blocked || sigismember(&mask, SIGPIPE);
}

/* Into a file without a name, at the limit. */
static QUIET int own_write(void)
{
    char name[] = "own.XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, before.rlim_max});
    int refused = pwrite(fd, "x", 1, 4096) < 0 && errno == EFBIG;
    return refused && came == 1;
}

static QUIET void report(int threads)
{
    known("status", 0);
    known_calls("main", 1);
    if (threads == 0)
        known("all", 2ul << DEPTH);
    known("missed", 0);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "default";
    int threads = argc > 2 ? atoi(argv[2]) % MAX_THREADS : 0;
    pthread_t t[MAX_THREADS], changes;
    getrlimit(RLIMIT_FSIZE, &before);
    prepare(how);
    pthread_create(&changes, NULL, change_limit, NULL);
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, body, NULL);
    left(DEPTH);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    ended = 1;
    pthread_join(changes, NULL);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){before.rlim_max, before.rlim_max});
    report(threads);
    int as_wanted = !is_changed(how) && (strcmp(how, "own") == 0 ? own_write() : came == 0);
    return as_wanted ? 0 : 1;
}
