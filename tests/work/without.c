/*
 * without NAME,... COMMAND ARG...: the command as in a kernel that was built without some options:
 * their system calls fail as they do there. The names are those of the table below. Exits 126 when
 * it cannot be arranged.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ANY_FAMILY = -1, MAX_CODE = 200 };

static const struct {
    const char *name; /* without CONFIG_, in lower case */
    int call, family, err;
} missing[] = {
    {"eventfd", SYS_eventfd2, ANY_FAMILY, ENOSYS},
    {"timerfd", SYS_timerfd_create, ANY_FAMILY, ENOSYS},
    {"signalfd", SYS_signalfd4, ANY_FAMILY, ENOSYS},
    {"epoll", SYS_epoll_create1, ANY_FAMILY, ENOSYS},
    {"posix_timers", SYS_timer_create, ANY_FAMILY, ENOSYS},
    {"perf_events", SYS_perf_event_open, ANY_FAMILY, ENOSYS},
    {"cross_memory_attach", SYS_process_vm_readv, ANY_FAMILY, ENOSYS},
    {"net", SYS_socket, ANY_FAMILY, ENOSYS},
    {"net", SYS_socketpair, ANY_FAMILY, ENOSYS},
    {"unix", SYS_socket, AF_UNIX, EAFNOSUPPORT},
    {"unix", SYS_socketpair, AF_UNIX, EAFNOSUPPORT},
    {"inet", SYS_socket, AF_INET, EAFNOSUPPORT},
    {"pidfd", 434, ANY_FAMILY, ENOSYS},      /* pidfd_open: since Linux 5.3 */
    {"mount_api", 430, ANY_FAMILY, ENOSYS},  /* fsopen: since Linux 5.2 */
    {"close_range", 436, ANY_FAMILY, ENOSYS} /* since Linux 5.9 */
};
enum { MISSING = sizeof missing / sizeof missing[0] };

static struct sock_filter code[MAX_CODE];
static unsigned short len;

static void emit(struct sock_filter f)
{
    code[len++] = f;
}

static void load(size_t at)
{
    emit((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)at));
}

static void skip_unless(unsigned value, unsigned char count)
{
    emit((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
}

static void end(unsigned what)
{
    emit((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

/* The number of the call is loaded before and after. */
static void refuse(size_t i)
{
    unsigned failure = SECCOMP_RET_ERRNO | (unsigned)missing[i].err;
    if (missing[i].family == ANY_FAMILY) {
        skip_unless((unsigned)missing[i].call, 1);
        end(failure);
        return;
    }
    skip_unless((unsigned)missing[i].call, 4);
    load(offsetof(struct seccomp_data, args)); /* little endian */
    skip_unless((unsigned)missing[i].family, 1);
    end(failure);
    load(offsetof(struct seccomp_data, nr));
}

static void add_option(const char *name)
{
    int found = 0;
    for (size_t i = 0; i < MISSING; i++)
        if (strcmp(missing[i].name, name) == 0) {
            refuse(i);
            found = 1;
        }
    if (found)
        return;
    fprintf(stderr, "without: %s: not in its table\n", name);
    exit(126);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    load(offsetof(struct seccomp_data, nr));
    for (char *name = strtok(argv[1], ","); name; name = strtok(NULL, ","))
        add_option(name);
    end(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {len, code};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 &&
        (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)) {
        perror("without: seccomp");
        return 126;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
