/* So many threads as the argument tells, all there at once. When the last has come, and in a child
   made by fork then, says how many descriptors are open below 400, where the library keeps its own:
   descriptors N, child_descriptors N. */
#include "known.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OURS = 400, STACK_BYTES = 65536 };
static pthread_barrier_t all_here, all_said;
static _Thread_local volatile int sink;

static QUIET unsigned long open_descriptors(void)
{
    unsigned long n = 0;
    for (int fd = 0; fd < OURS; fd++)
        n += fcntl(fd, F_GETFD) != -1;
    return n;
}

ALONE void leaf(void)
{
    sink++;
}

ALONE void *body(void *arg)
{
    leaf();
    pthread_barrier_wait(&all_here);
    pthread_barrier_wait(&all_said);
    leaf();
    return arg;
}

static QUIET void say(void)
{
    known("descriptors", open_descriptors());
    pid_t child = fork();
    if (child == 0) {
        known("child_descriptors", open_descriptors());
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static QUIET void start(pthread_t *t, unsigned long n)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    for (unsigned long i = 0; i < n; i++)
        if (pthread_create(&t[i], &attr, body, NULL) != 0)
            exit(1);
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    pthread_t *t = calloc(n, sizeof *t);
    pthread_barrier_init(&all_here, NULL, (unsigned)n + 1);
    pthread_barrier_init(&all_said, NULL, (unsigned)n + 1);
    start(t, n);
    pthread_barrier_wait(&all_here);
    say();
    pthread_barrier_wait(&all_said);
    for (unsigned long i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    known_calls("main", 1);
    known_calls("body", n);
    known_calls("leaf", 2 * n);
    known("threads", n + 1);
    known("missed", 0);
    return 0;
}
