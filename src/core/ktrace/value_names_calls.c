/* Which arguments of system calls have values with names. */
#include "value_names.h"

#include <string.h>

enum { ARGUMENTS = 6, F_SETFD = 2, F_SETFL = 4, SOL_SOCKET = 1, IPPROTO_TCP = 6 };

/* By the calls' names in core/trace/syscalls_*.def, separated by blanks. */
static const struct {
    const char *calls;
    uint8_t set[ARGUMENTS];
} calls[] = {
    {"open", {0, NAMES_OPEN, NAMES_OCTAL}},
    {"openat", {NAMES_FOLDER, 0, NAMES_OPEN, NAMES_OCTAL}},
    {"openat2 readlinkat futimesat", {NAMES_FOLDER}},
    {"creat mkdir mknod chmod fchmod", {0, NAMES_OCTAL}},
    {"mkdirat mknodat fchmodat", {NAMES_FOLDER, 0, NAMES_OCTAL}},
    {"fchownat execveat name_to_handle_at", {NAMES_FOLDER, 0, 0, 0, NAMES_AT}},
    {"umask", {NAMES_OCTAL}},
    {"access", {0, NAMES_ACCESS}},
    {"faccessat", {NAMES_FOLDER, 0, NAMES_ACCESS}},
    {"faccessat2", {NAMES_FOLDER, 0, NAMES_ACCESS, NAMES_FACCESS}},
    {"newfstatat fstatat64 utimensat", {NAMES_FOLDER, 0, 0, NAMES_AT}},
    {"statx", {NAMES_FOLDER, 0, NAMES_STATX, NAMES_STATX_MASK}},
    {"unlinkat", {NAMES_FOLDER, 0, NAMES_UNLINK}},
    {"linkat", {NAMES_FOLDER, 0, NAMES_FOLDER, 0, NAMES_AT}},
    {"symlinkat", {0, NAMES_FOLDER}},
    {"renameat", {NAMES_FOLDER, 0, NAMES_FOLDER}},
    {"renameat2", {NAMES_FOLDER, 0, NAMES_FOLDER, 0, NAMES_RENAME}},
    {"mmap mmap2", {0, 0, NAMES_PROT, NAMES_MAP, NAMES_FD}},
    {"mprotect pkey_mprotect", {0, 0, NAMES_PROT}},
    {"mremap", {0, 0, 0, NAMES_MREMAP}},
    {"msync", {0, 0, NAMES_MSYNC}},
    {"madvise", {0, 0, NAMES_MADVISE}},
    {"process_madvise", {0, 0, 0, NAMES_MADVISE}},
    {"lseek", {0, 0, NAMES_WHENCE}},
    {"_llseek", {0, 0, 0, 0, NAMES_WHENCE}},
    {"fcntl fcntl64", {0, NAMES_FCNTL, NAMES_FCNTL_VALUE}},
    {"flock", {0, NAMES_FLOCK}},
    {"ioctl", {0, NAMES_IOCTL}},
    {"pipe2", {0, NAMES_DESCRIPTOR}},
    {"dup3", {0, 0, NAMES_DESCRIPTOR}},
    {"close_range", {0, 0, NAMES_CLOSE_RANGE}},
    {"fadvise64 fadvise64_64", {0, 0, 0, NAMES_FADVISE}},
    {"arm_fadvise64_64", {0, NAMES_FADVISE}},
    {"fallocate", {0, NAMES_FALLOCATE}},
    {"splice", {0, 0, 0, 0, 0, NAMES_SPLICE}},
    {"tee vmsplice", {0, 0, 0, NAMES_SPLICE}},
    {"socket socketpair", {NAMES_DOMAIN, NAMES_SOCK_TYPE}},
    {"accept4", {0, 0, 0, NAMES_SOCK_FLAGS}},
    {"sendto recvfrom send recv sendmmsg recvmmsg recvmmsg_time64", {0, 0, 0, NAMES_MSG}},
    {"sendmsg recvmsg", {0, 0, NAMES_MSG}},
    {"shutdown", {0, NAMES_SHUT}},
    {"setsockopt getsockopt", {0, NAMES_SOCK_LEVEL, NAMES_OPTION_OF_LEVEL}},
    {"clone", {NAMES_CLONE}},
    {"unshare", {NAMES_UNSHARE}},
    {"setns", {0, NAMES_UNSHARE}},
    {"futex futex_time64", {0, NAMES_FUTEX}},
    {"epoll_ctl", {0, NAMES_EPOLL_CTL}},
    {"epoll_create1", {NAMES_EPOLL}},
    {"eventfd2", {0, NAMES_EVENTFD}},
    {"timerfd_create", {NAMES_CLOCK, NAMES_TIMERFD}},
    {"timerfd_settime timerfd_settime64", {0, NAMES_TIMERFD_TIME}},
    {"signalfd4", {0, 0, 0, NAMES_SIGNALFD}},
    {"inotify_init1", {NAMES_INOTIFY}},
    {"inotify_add_watch", {0, 0, NAMES_INOTIFY_MASK}},
    {"memfd_create", {0, NAMES_MEMFD}},
    {"getrandom", {0, 0, NAMES_GETRANDOM}},
    {"kill tkill rt_sigqueueinfo pidfd_send_signal", {0, NAMES_SIGNAL}},
    {"tgkill rt_tgsigqueueinfo", {0, 0, NAMES_SIGNAL}},
    {"rt_sigaction", {NAMES_SIGNAL}},
    {"rt_sigprocmask", {NAMES_SIGPROCMASK}},
    {"wait4", {0, 0, NAMES_WAIT}},
    {"waitid", {NAMES_WAITID, 0, 0, NAMES_WAIT}},
    {"clock_gettime clock_gettime64 clock_settime clock_settime64 clock_getres clock_getres_time64 "
     "clock_adjtime timer_create",
     {NAMES_CLOCK}},
    {"clock_nanosleep clock_nanosleep_time64", {NAMES_CLOCK, NAMES_TIMER}},
    {"timer_settime", {0, NAMES_TIMER}},
    {"setitimer getitimer", {NAMES_ITIMER}},
    {"getrlimit setrlimit ugetrlimit", {NAMES_RLIMIT}},
    {"prlimit64", {0, NAMES_RLIMIT}},
    {"getrusage", {NAMES_RUSAGE}},
    {"getpriority setpriority", {NAMES_PRIO}},
    {"sched_setscheduler", {0, NAMES_SCHED}},
    {"prctl", {NAMES_PRCTL}},
    {"arch_prctl", {NAMES_ARCH_PRCTL}},
    {"rseq", {0, 0, NAMES_RSEQ}},
};

static bool has_call(const char *list, const char *call)
{
    size_t len = strlen(call);
    for (const char *at = list; len && (at = strstr(at, call)); at += len)
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
            return true;
    return false;
}

enum value_names value_names_of(const char *call, unsigned argument)
{
    for (size_t i = 0; argument < ARGUMENTS && i < sizeof calls / sizeof *calls; i++)
        if (has_call(calls[i].calls, call))
            return calls[i].set[argument];
    return NAMES_NONE;
}

const char *value_names_calls(size_t i)
{
    return i < sizeof calls / sizeof *calls ? calls[i].calls : NULL;
}

static enum value_names fcntl_value(uint64_t command)
{
    return command == F_SETFD ? NAMES_FD_FLAGS : command == F_SETFL ? NAMES_OPEN : NAMES_NONE;
}

static enum value_names option_of(uint64_t level)
{
    return level == SOL_SOCKET    ? NAMES_SOCKET_OPTION
           : level == IPPROTO_TCP ? NAMES_TCP_OPTION
                                  : NAMES_NONE;
}

enum value_names value_names_by(enum value_names set, const uint64_t *arg)
{
    return set == NAMES_FCNTL_VALUE       ? fcntl_value((uint32_t)arg[1])
           : set == NAMES_OPTION_OF_LEVEL ? option_of((uint32_t)arg[1])
                                          : set;
}
