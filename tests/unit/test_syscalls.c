/* Names of system calls: numbers of each machine's manual pages and headers. */
#include "unit.h"

#include "core/trace/syscalls.h"

TEST(syscall_machine_by_uname)
{
    CHECK_INT(syscall_machine_by_name("x86_64"), SYSCALLS_X86_64);
    CHECK_INT(syscall_machine_by_name("i686"), SYSCALLS_I386);
    CHECK_INT(syscall_machine_by_name("aarch64"), SYSCALLS_GENERIC);
    CHECK_INT(syscall_machine_by_name("riscv64"), SYSCALLS_GENERIC);
    CHECK_INT(syscall_machine_by_name("armv7l"), SYSCALLS_ARM);
    CHECK_INT(syscall_machine_by_name("mips"), SYSCALLS_UNKNOWN);
    CHECK_INT(syscall_machine_by_name(""), SYSCALLS_UNKNOWN);
    CHECK_INT(syscall_machine_compat(SYSCALLS_X86_64), SYSCALLS_I386);
    CHECK_INT(syscall_machine_compat(SYSCALLS_GENERIC), SYSCALLS_ARM);
    CHECK_INT(syscall_machine_compat(SYSCALLS_ARM), SYSCALLS_UNKNOWN);
}

TEST(syscall_name_of_each_machine)
{
    CHECK_STR(syscall_name(SYSCALLS_X86_64, 0), "read");
    CHECK_STR(syscall_name(SYSCALLS_X86_64, 59), "execve");
    CHECK_STR(syscall_name(SYSCALLS_X86_64, 257), "openat");
    CHECK_STR(syscall_name(SYSCALLS_X86_64, 0x40000000 + 1), "write"); /* x32 */
    CHECK_STR(syscall_name(SYSCALLS_I386, 11), "execve");
    CHECK_STR(syscall_name(SYSCALLS_I386, 295), "openat");
    CHECK_STR(syscall_name(SYSCALLS_GENERIC, 56), "openat");
    CHECK_STR(syscall_name(SYSCALLS_GENERIC, 222), "mmap");
    CHECK_STR(syscall_name(SYSCALLS_ARM, 322), "openat");
    CHECK_STR(syscall_name(SYSCALLS_ARM, 0xf0005), "set_tls");
}

TEST(numbers_without_a_name)
{
    CHECK(!syscall_name(SYSCALLS_UNKNOWN, 0));
    CHECK(!syscall_name(SYSCALLS_X86_64, 400));
    CHECK(!syscall_name(SYSCALLS_X86_64, 0xffffffff));
    CHECK(!syscall_name(SYSCALLS_GENERIC, 244));
    CHECK(!syscall_name(SYSCALLS_ARM, 0xf0000));
    CHECK(!syscall_name(SYSCALLS_ARM, 0xf0007));
}
