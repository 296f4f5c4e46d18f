/* Names of values of system calls' arguments: by this processor's headers, and by what the headers
 * of others say. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/ktrace/value_names.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

static const char *named(enum value_names set, enum syscall_machine machine, uint64_t value)
{
    static struct buf out = BUF_INIT;
    buf_clear(&out);
    return value_names_text(set, machine, value, &out) ? buf_str(&out) : "-";
}

static const char *here(enum value_names set, uint64_t value)
{
    struct utsname host;
    CHECK_INT(uname(&host), 0);
    return named(set, syscall_machine_by_name(host.machine), value);
}

#define SAME(set, value) CHECK_STR(here(NAMES_##set, (uint32_t)(value)), #value)

/* O_DIRECT, O_DIRECTORY, O_NOFOLLOW and O_TMPFILE differ between x86 and Arm; O_LARGEFILE is 0
 * here. */
TEST(values_of_this_processors_headers)
{
    CHECK_STR(here(NAMES_OPEN, O_DIRECT), "O_RDONLY|O_DIRECT");
    CHECK_STR(here(NAMES_OPEN, O_DIRECTORY | O_WRONLY), "O_WRONLY|O_DIRECTORY");
    CHECK_STR(here(NAMES_OPEN, O_NOFOLLOW), "O_RDONLY|O_NOFOLLOW");
    CHECK_STR(here(NAMES_OPEN, O_TMPFILE | O_RDWR), "O_RDWR|O_TMPFILE");
    CHECK_STR(here(NAMES_OPEN, O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK),
              "O_RDONLY|O_CREAT|O_EXCL|O_NOCTTY|O_TRUNC|O_APPEND|O_NONBLOCK");
    CHECK_STR(here(NAMES_OPEN, O_SYNC | O_NOATIME | O_CLOEXEC | O_PATH),
              "O_RDONLY|O_SYNC|O_NOATIME|O_CLOEXEC|O_PATH");
    CHECK_STR(here(NAMES_OPEN, O_DSYNC), "O_RDONLY|O_DSYNC");
    SAME(PROT, PROT_NONE);
    SAME(MAP, MAP_SHARED);
    CHECK_STR(here(NAMES_MAP, MAP_SHARED_VALIDATE | MAP_SYNC), "MAP_SHARED_VALIDATE|MAP_SYNC");
    CHECK_STR(here(NAMES_MAP, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE),
              "MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE|MAP_STACK");
    SAME(MADVISE, MADV_DONTNEED);
    SAME(MADVISE, MADV_POPULATE_WRITE);
    SAME(DOMAIN, AF_NETLINK);
    SAME(FUTEX, FUTEX_WAIT_PRIVATE);
    SAME(FUTEX, FUTEX_WAKE);
    CHECK_STR(here(NAMES_FUTEX, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME),
              "FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME");
    SAME(EPOLL_CTL, EPOLL_CTL_MOD);
    SAME(PRCTL, PR_SET_NAME);
    SAME(RLIMIT, RLIMIT_NOFILE);
    SAME(RUSAGE, RUSAGE_CHILDREN);
    SAME(WAIT, WNOHANG);
    SAME(SIGNAL, SIGTERM);
    SAME(CLOCK, CLOCK_MONOTONIC);
    CHECK_STR(here(NAMES_SOCK_TYPE, SOCK_DGRAM | SOCK_CLOEXEC), "SOCK_DGRAM|SOCK_CLOEXEC");
    CHECK_STR(here(NAMES_CLONE, CLONE_VM | CLONE_VFORK | SIGCHLD), "SIGCHLD|CLONE_VM|CLONE_VFORK");
    CHECK_STR(here(NAMES_FCNTL, F_DUPFD_CLOEXEC), "F_DUPFD_CLOEXEC");
}

TEST(flags_of_open_on_each_processor)
{
    static const enum syscall_machine arms[] = {SYSCALLS_GENERIC, SYSCALLS_ARM};
    static const enum syscall_machine x86s[] = {SYSCALLS_X86_64, SYSCALLS_I386};
    for (size_t i = 0; i < 2; i++) {
        CHECK_STR(named(NAMES_OPEN, arms[i], 040000), "O_RDONLY|O_DIRECTORY");
        CHECK_STR(named(NAMES_OPEN, arms[i], 0100000), "O_RDONLY|O_NOFOLLOW");
        CHECK_STR(named(NAMES_OPEN, arms[i], 0200000), "O_RDONLY|O_DIRECT");
        CHECK_STR(named(NAMES_OPEN, arms[i], 0400000), "O_RDONLY|O_LARGEFILE");
        CHECK_STR(named(NAMES_OPEN, arms[i], 020040002), "O_RDWR|O_TMPFILE");
        CHECK_STR(named(NAMES_OPEN, x86s[i], 0200000), "O_RDONLY|O_DIRECTORY");
        CHECK_STR(named(NAMES_OPEN, x86s[i], 0400000), "O_RDONLY|O_NOFOLLOW");
        CHECK_STR(named(NAMES_OPEN, x86s[i], 040000), "O_RDONLY|O_DIRECT");
        CHECK_STR(named(NAMES_OPEN, x86s[i], 0100000), "O_RDONLY|O_LARGEFILE");
        CHECK_STR(named(NAMES_OPEN, x86s[i], 020200002), "O_RDWR|O_TMPFILE");
    }
    CHECK_STR(named(NAMES_MAP, SYSCALLS_X86_64, 0x62), "MAP_PRIVATE|MAP_ANONYMOUS|MAP_32BIT");
    CHECK_STR(named(NAMES_MAP, SYSCALLS_GENERIC, 0x62), "MAP_PRIVATE|MAP_ANONYMOUS|0x40");
    CHECK_STR(named(NAMES_PROT, SYSCALLS_GENERIC, 0x15), "PROT_READ|PROT_EXEC|PROT_BTI");
    CHECK_STR(named(NAMES_PROT, SYSCALLS_ARM, 0x15), "PROT_READ|PROT_EXEC|0x10");
    CHECK_STR(named(NAMES_ARCH_PRCTL, SYSCALLS_GENERIC, 0x1002), "-");
}

TEST(what_has_no_name_is_a_number)
{
    CHECK_STR(named(NAMES_OPEN, SYSCALLS_X86_64, 0x80000001), "O_WRONLY|0x80000000");
    CHECK_STR(named(NAMES_OPEN, SYSCALLS_X86_64, 3), "O_ACCMODE");
    CHECK_STR(named(NAMES_PROT, SYSCALLS_X86_64, 0x80), "0x80");
    CHECK_STR(named(NAMES_PROT, SYSCALLS_X86_64, 0x100000001), "PROT_READ|0x100000000");
    CHECK_STR(named(NAMES_AT, SYSCALLS_X86_64, 0), "-");
    CHECK_STR(named(NAMES_FCNTL, SYSCALLS_X86_64, 9999), "-");
    CHECK_STR(named(NAMES_FCNTL, SYSCALLS_X86_64, 0x100000001), "-");
    CHECK_STR(named(NAMES_SIGNAL, SYSCALLS_X86_64, 0), "-");
    CHECK_STR(named(NAMES_SIGNAL, SYSCALLS_X86_64, 65), "-");
    CHECK_STR(named(NAMES_SIGNAL, SYSCALLS_X86_64, UINT64_MAX), "-");
    CHECK_STR(named(NAMES_OPEN, SYSCALLS_UNKNOWN, 0x80000), "0x80000");
    CHECK_STR(named(NAMES_NONE, SYSCALLS_X86_64, 1), "-");
}

TEST(descriptors_signals_and_permissions)
{
    CHECK_STR(named(NAMES_FOLDER, SYSCALLS_X86_64, (uint32_t)-100), "AT_FDCWD");
    CHECK_STR(named(NAMES_FOLDER, SYSCALLS_X86_64, 3), "3");
    CHECK_STR(named(NAMES_FD, SYSCALLS_X86_64, 0xffffffff), "-1");
    CHECK_STR(named(NAMES_FD, SYSCALLS_X86_64, (uint32_t)-100), "-100");
    CHECK_STR(named(NAMES_SIGNAL, SYSCALLS_ARM, 32), "SIGRTMIN");
    CHECK_STR(named(NAMES_SIGNAL, SYSCALLS_ARM, 64), "SIGRT_32");
    CHECK_STR(named(NAMES_OCTAL, SYSCALLS_ARM, 0644), "0644");
    CHECK_STR(named(NAMES_OCTAL, SYSCALLS_ARM, 0), "0");
}

TEST(arguments_of_calls)
{
    const uint64_t setfd[] = {3, F_SETFD, 1}, dup[] = {3, F_DUPFD, 1};
    const uint64_t tcp[] = {3, 6, 1}, other[] = {3, 0, 1};
    CHECK_INT(value_names_of("openat", 0), NAMES_FOLDER);
    CHECK_INT(value_names_of("openat", 1), NAMES_NONE);
    CHECK_INT(value_names_of("openat", 2), NAMES_OPEN);
    CHECK_INT(value_names_of("openat", 3), NAMES_OCTAL);
    CHECK_INT(value_names_of("openat", 6), NAMES_NONE);
    CHECK_INT(value_names_of("opena", 0), NAMES_NONE);
    CHECK_INT(value_names_of("tgkill", 2), NAMES_SIGNAL);
    CHECK_INT(value_names_by(NAMES_FCNTL_VALUE, setfd), NAMES_FD_FLAGS);
    CHECK_INT(value_names_by(NAMES_FCNTL_VALUE, dup), NAMES_NONE);
    CHECK_INT(value_names_by(NAMES_OPTION_OF_LEVEL, tcp), NAMES_TCP_OPTION);
    CHECK_INT(value_names_by(NAMES_OPTION_OF_LEVEL, other), NAMES_NONE);
    CHECK_INT(value_names_by(NAMES_MAP, other), NAMES_MAP);
}

/* Each call that has names is one of the kernel's. */
static bool is_call(const char *name)
{
    for (int machine = SYSCALLS_X86_64; machine <= SYSCALLS_ARM; machine++)
        for (uint32_t i = 0; i < 512; i++) {
            const char *call = syscall_name((enum syscall_machine)machine, i);
            if (call && strcmp(call, name) == 0)
                return true;
        }
    return false;
}

TEST(names_of_calls_are_those_of_the_tables)
{
    size_t count = 0;
    for (size_t i = 0; value_names_calls(i); i++) {
        char calls[256], *rest = calls, *call;
        CHECK((size_t)snprintf(calls, sizeof calls, "%s", value_names_calls(i)) < sizeof calls);
        for (; (call = strsep(&rest, " ")); count++)
            if (!is_call(call)) {
                printf("    %s\n", call);
                CHECK(false);
            }
    }
    CHECK_INT(count, 118);
}
