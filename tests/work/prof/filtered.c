/* Comes under a filter of system calls that kills it for perf_event_open, and for the question of
   Linux 6.11 about one mapping, and then begins a thread. */
#include "known.h"

#include <linux/filter.h>
#include <linux/ioctl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define QUESTION _IOWR('f', 17, char[104]) /* PROCMAP_QUERY */

static _Thread_local volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void *body(void *arg)
{
    leaf();
    return arg;
}

static QUIET void filter(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, QUESTION, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        puts("unfiltered");
}

int main(void)
{
    pthread_t t;
    leaf();
    filter();
    if (pthread_create(&t, NULL, body, NULL) != 0)
        exit(1);
    pthread_join(t, NULL);
    known_calls("main", 1);
    known_calls("body", 1);
    known_calls("leaf", 2);
    known("threads", 2);
    return 0;
}
