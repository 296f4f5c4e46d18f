/* As many threads as the argument tells, eight at a time, each on a stack of its own, that end by
   the system call: no destructor of theirs is called. */
#include "known.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AT_A_TIME = 8, STACK_BYTES = 65536 };
static _Thread_local volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void *body(void *arg)
{
    leaf();
    syscall(SYS_exit, 0);
    return arg;
}

static QUIET pthread_t begin(char *stack)
{
    pthread_attr_t attr;
    pthread_t t;
    pthread_attr_init(&attr);
    if (pthread_attr_setstack(&attr, stack, STACK_BYTES) != 0 ||
        pthread_create(&t, &attr, body, NULL) != 0)
        exit(1);
    return t;
}

int main(int argc, char **argv)
{
    unsigned long n = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1000) / AT_A_TIME * AT_A_TIME;
    char *stacks = aligned_alloc(STACK_BYTES, n * STACK_BYTES);
    pthread_t t[AT_A_TIME];
    for (unsigned long i = 0; stacks && i < n; i += AT_A_TIME) {
        for (int k = 0; k < AT_A_TIME; k++)
            t[k] = begin(stacks + (i + (unsigned long)k) * STACK_BYTES);
        for (int k = 0; k < AT_A_TIME; k++)
            pthread_join(t[k], NULL);
    }
    known_calls("main", 1);
    known_calls("body", n);
    known_calls("leaf", n);
    known("threads", n + 1);
    return 0;
}
