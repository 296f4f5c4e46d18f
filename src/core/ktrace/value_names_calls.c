/* Which arguments of system calls have values with names. */
#include "value_names.h"

#include <string.h>

enum { ARGUMENTS = 6, F_SETFD = 2, F_SETFL = 4, SOL_SOCKET = 1, IPPROTO_TCP = 6 };

/* By the calls' names in core/trace/syscalls_*.def. */
static const struct {
    const char *call;
    uint8_t set[ARGUMENTS];
} calls[] = {
    {"open", {0, NAMES_OPEN, NAMES_OCTAL}},
    {"openat", {NAMES_FOLDER, 0, NAMES_OPEN, NAMES_OCTAL}},
    {"openat2", {NAMES_FOLDER}},
    {"creat", {0, NAMES_OCTAL}},
    {"mkdir", {0, NAMES_OCTAL}},
    {"mkdirat", {NAMES_FOLDER, 0, NAMES_OCTAL}},
    {"mknod", {0, NAMES_OCTAL}},
    {"mknodat", {NAMES_FOLDER, 0, NAMES_OCTAL}},
    {"chmod", {0, NAMES_OCTAL}},
    {"fchmod", {0, NAMES_OCTAL}},
    {"fchmodat", {NAMES_FOLDER, 0, NAMES_OCTAL}},
    {"fchownat", {NAMES_FOLDER, 0, 0, 0, NAMES_AT}},
    {"umask", {NAMES_OCTAL}},
    {"access", {0, NAMES_ACCESS}},
    {"faccessat", {NAMES_FOLDER, 0, NAMES_ACCESS}},
    {"faccessat2", {NAMES_FOLDER, 0, NAMES_ACCESS, NAMES_FACCESS}},
    {"newfstatat", {NAMES_FOLDER, 0, 0, NAMES_AT}},
    {"fstatat64", {NAMES_FOLDER, 0, 0, NAMES_AT}},
    {"statx", {NAMES_FOLDER, 0, NAMES_STATX, NAMES_STATX_MASK}},
    {"unlinkat", {NAMES_FOLDER, 0, NAMES_UNLINK}},
    {"linkat", {NAMES_FOLDER, 0, NAMES_FOLDER, 0, NAMES_AT}},
    {"symlinkat", {0, NAMES_FOLDER}},
    {"readlinkat", {NAMES_FOLDER}},
    {"renameat", {NAMES_FOLDER, 0, NAMES_FOLDER}},
    {"renameat2", {NAMES_FOLDER, 0, NAMES_FOLDER, 0, NAMES_RENAME}},
    {"utimensat", {NAMES_FOLDER, 0, 0, NAMES_AT}},
    {"futimesat", {NAMES_FOLDER}},
    {"execveat", {NAMES_FOLDER, 0, 0, 0, NAMES_AT}},
    {"name_to_handle_at", {NAMES_FOLDER, 0, 0, 0, NAMES_AT}},
    {"mmap", {0, 0, NAMES_PROT, NAMES_MAP, NAMES_FD}},
    {"mmap2", {0, 0, NAMES_PROT, NAMES_MAP, NAMES_FD}},
    {"mprotect", {0, 0, NAMES_PROT}},
    {"pkey_mprotect", {0, 0, NAMES_PROT}},
    {"mremap", {0, 0, 0, NAMES_MREMAP}},
    {"msync", {0, 0, NAMES_MSYNC}},
    {"madvise", {0, 0, NAMES_MADVISE}},
    {"process_madvise", {0, 0, 0, NAMES_MADVISE}},
    {"lseek", {0, 0, NAMES_WHENCE}},
    {"_llseek", {0, 0, 0, 0, NAMES_WHENCE}},
    {"fcntl", {0, NAMES_FCNTL, NAMES_FCNTL_VALUE}},
    {"fcntl64", {0, NAMES_FCNTL, NAMES_FCNTL_VALUE}},
    {"flock", {0, NAMES_FLOCK}},
    {"ioctl", {0, NAMES_IOCTL}},
    {"pipe2", {0, NAMES_DESCRIPTOR}},
    {"dup3", {0, 0, NAMES_DESCRIPTOR}},
    {"close_range", {0, 0, NAMES_CLOSE_RANGE}},
    {"fadvise64", {0, 0, 0, NAMES_FADVISE}},
    {"fadvise64_64", {0, 0, 0, NAMES_FADVISE}},
    {"arm_fadvise64_64", {0, NAMES_FADVISE}},
    {"fallocate", {0, NAMES_FALLOCATE}},
    {"splice", {0, 0, 0, 0, 0, NAMES_SPLICE}},
    {"tee", {0, 0, 0, NAMES_SPLICE}},
    {"vmsplice", {0, 0, 0, NAMES_SPLICE}},
    {"socket", {NAMES_DOMAIN, NAMES_SOCK_TYPE}},
    {"socketpair", {NAMES_DOMAIN, NAMES_SOCK_TYPE}},
    {"accept4", {0, 0, 0, NAMES_SOCK_FLAGS}},
    {"sendto", {0, 0, 0, NAMES_MSG}},
    {"recvfrom", {0, 0, 0, NAMES_MSG}},
    {"send", {0, 0, 0, NAMES_MSG}},
    {"recv", {0, 0, 0, NAMES_MSG}},
    {"sendmsg", {0, 0, NAMES_MSG}},
    {"recvmsg", {0, 0, NAMES_MSG}},
    {"sendmmsg", {0, 0, 0, NAMES_MSG}},
    {"recvmmsg", {0, 0, 0, NAMES_MSG}},
    {"recvmmsg_time64", {0, 0, 0, NAMES_MSG}},
    {"shutdown", {0, NAMES_SHUT}},
    {"setsockopt", {0, NAMES_SOCK_LEVEL, NAMES_OPTION_OF_LEVEL}},
    {"getsockopt", {0, NAMES_SOCK_LEVEL, NAMES_OPTION_OF_LEVEL}},
    {"clone", {NAMES_CLONE}},
    {"unshare", {NAMES_UNSHARE}},
    {"setns", {0, NAMES_UNSHARE}},
    {"futex", {0, NAMES_FUTEX}},
    {"futex_time64", {0, NAMES_FUTEX}},
    {"epoll_ctl", {0, NAMES_EPOLL_CTL}},
    {"epoll_create1", {NAMES_EPOLL}},
    {"eventfd2", {0, NAMES_EVENTFD}},
    {"timerfd_create", {NAMES_CLOCK, NAMES_TIMERFD}},
    {"timerfd_settime", {0, NAMES_TIMERFD_TIME}},
    {"timerfd_settime64", {0, NAMES_TIMERFD_TIME}},
    {"signalfd4", {0, 0, 0, NAMES_SIGNALFD}},
    {"inotify_init1", {NAMES_INOTIFY}},
    {"inotify_add_watch", {0, 0, NAMES_INOTIFY_MASK}},
    {"memfd_create", {0, NAMES_MEMFD}},
    {"getrandom", {0, 0, NAMES_GETRANDOM}},
    {"kill", {0, NAMES_SIGNAL}},
    {"tkill", {0, NAMES_SIGNAL}},
    {"tgkill", {0, 0, NAMES_SIGNAL}},
    {"rt_sigaction", {NAMES_SIGNAL}},
    {"rt_sigqueueinfo", {0, NAMES_SIGNAL}},
    {"rt_tgsigqueueinfo", {0, 0, NAMES_SIGNAL}},
    {"pidfd_send_signal", {0, NAMES_SIGNAL}},
    {"rt_sigprocmask", {NAMES_SIGPROCMASK}},
    {"wait4", {0, 0, NAMES_WAIT}},
    {"waitid", {NAMES_WAITID, 0, 0, NAMES_WAIT}},
    {"clock_gettime", {NAMES_CLOCK}},
    {"clock_gettime64", {NAMES_CLOCK}},
    {"clock_settime", {NAMES_CLOCK}},
    {"clock_settime64", {NAMES_CLOCK}},
    {"clock_getres", {NAMES_CLOCK}},
    {"clock_getres_time64", {NAMES_CLOCK}},
    {"clock_nanosleep", {NAMES_CLOCK, NAMES_TIMER}},
    {"clock_nanosleep_time64", {NAMES_CLOCK, NAMES_TIMER}},
    {"clock_adjtime", {NAMES_CLOCK}},
    {"timer_create", {NAMES_CLOCK}},
    {"timer_settime", {0, NAMES_TIMER}},
    {"setitimer", {NAMES_ITIMER}},
    {"getitimer", {NAMES_ITIMER}},
    {"getrlimit", {NAMES_RLIMIT}},
    {"setrlimit", {NAMES_RLIMIT}},
    {"ugetrlimit", {NAMES_RLIMIT}},
    {"prlimit64", {0, NAMES_RLIMIT}},
    {"getrusage", {NAMES_RUSAGE}},
    {"getpriority", {NAMES_PRIO}},
    {"setpriority", {NAMES_PRIO}},
    {"sched_setscheduler", {0, NAMES_SCHED}},
    {"prctl", {NAMES_PRCTL}},
    {"arch_prctl", {NAMES_ARCH_PRCTL}},
    {"rseq", {0, 0, NAMES_RSEQ}},
};

enum value_names value_names_of(const char *call, unsigned argument)
{
    for (size_t i = 0; argument < ARGUMENTS && i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].call, call) == 0)
            return calls[i].set[argument];
    return NAMES_NONE;
}

const char *value_names_call(size_t i)
{
    return i < sizeof calls / sizeof *calls ? calls[i].call : NULL;
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
