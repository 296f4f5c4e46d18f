/*
 * syscalls: names of system calls by their numbers, which differ between machines. The tables are
 * the kernel's headers' (core/trace/syscalls_*.def).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum syscall_machine {
    SYSCALLS_UNKNOWN,
    SYSCALLS_X86_64,
    SYSCALLS_I386,
    SYSCALLS_GENERIC, /* 64-bit Arm, RISC-V, LoongArch */
    SYSCALLS_ARM,
};

/* By uname's machine: "x86_64", "aarch64", "armv7l". */
enum syscall_machine syscall_machine_by_name(const char *machine);
/* Whose calls 32-bit programs use there; SYSCALLS_UNKNOWN where there are none. */
enum syscall_machine syscall_machine_compat(enum syscall_machine machine);

/* "openat"; NULL: not known. */
const char *syscall_name(enum syscall_machine machine, uint32_t number);
