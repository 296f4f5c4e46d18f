#include "core/trace/syscalls.h"

#include "core/base/text.h"

/* The names of numbers that follow each other. */
#define CALLS(first, ...) [first] = __VA_ARGS__,
static const char *const x86_64[] = {
#include "syscalls_all.def"
#include "syscalls_x86_64.def"
};
static const char *const i386[] = {
#include "syscalls_32.def"
#include "syscalls_all.def"
#include "syscalls_i386.def"
};
static const char *const generic[] = {
#include "syscalls_all.def"
#include "syscalls_generic.def"
};
static const char *const arm[] = {
#include "syscalls_32.def"
#include "syscalls_all.def"
#include "syscalls_arm.def"
};
#undef CALLS

/* Of x86-64's calls by 32-bit pointers; of Arm's own calls. */
enum { X32_BIT = 0x40000000, ARM_OWN = 0xf0001 };
static const char *const arm_own[] = {"breakpoint", "cacheflush", "usr26",
                                      "usr32",      "set_tls",    "get_tls"};

#define COUNT(table) (sizeof(table) / sizeof *(table))
static const struct {
    const char *const *name;
    size_t count;
} tables[] = {
    [SYSCALLS_X86_64] = {x86_64, COUNT(x86_64)},
    [SYSCALLS_I386] = {i386, COUNT(i386)},
    [SYSCALLS_GENERIC] = {generic, COUNT(generic)},
    [SYSCALLS_ARM] = {arm, COUNT(arm)},
};

enum syscall_machine syscall_machine_by_name(const char *machine)
{
    size_t len = strlen(machine);
    if (strcmp(machine, "x86_64") == 0)
        return SYSCALLS_X86_64;
    if (machine[0] == 'i' && len == 4 && strcmp(machine + 2, "86") == 0)
        return SYSCALLS_I386;
    if (text_starts(machine, "aarch64") || text_starts(machine, "riscv64") ||
        text_starts(machine, "loongarch64"))
        return SYSCALLS_GENERIC;
    return text_starts(machine, "arm") ? SYSCALLS_ARM : SYSCALLS_UNKNOWN;
}

enum syscall_machine syscall_machine_compat(enum syscall_machine machine)
{
    return machine == SYSCALLS_X86_64    ? SYSCALLS_I386
           : machine == SYSCALLS_GENERIC ? SYSCALLS_ARM
                                         : SYSCALLS_UNKNOWN;
}

const char *syscall_name(enum syscall_machine machine, uint32_t number)
{
    if (machine == SYSCALLS_X86_64)
        number &= ~(uint32_t)X32_BIT;
    if (machine == SYSCALLS_ARM && number >= ARM_OWN && number - ARM_OWN < COUNT(arm_own))
        return arm_own[number - ARM_OWN];
    return number < tables[machine].count ? tables[machine].name[number] : NULL;
}
