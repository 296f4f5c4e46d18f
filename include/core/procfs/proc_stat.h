/*
 * proc_stat: the line of /proc/PID/stat (proc(5)): numbers with blanks between, after a name in
 * parentheses that may hold anything.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_stat {
    int32_t parent;
    char state; /* R runs or could, S D sleep, T t are stopped, Z X ended, ... */
    uint64_t user_ticks, sys_ticks; /* of the process, ended threads included */
    uint64_t threads;
    uint64_t start_ticks; /* since the boot */
    uint64_t resident_pages;
    uint64_t wait_ticks; /* waited for devices, where the kernel measures it; these four 0 where the
                            line ends before them */
};

/* False when the text is no such line. */
bool proc_stat_parse(const char *text, struct proc_stat *out);

/* The name between the parentheses, and its length; NULL when the text is no such line. */
const char *proc_stat_name(const char *text, size_t *len);

/* It has no CPU and wants none: asleep or stopped. */
bool proc_stat_sleeps(const struct proc_stat *s);

/* The program counter of a thread that is blocked, from /proc/PID/syscall (proc(5)): its last word.
 * False when the thread runs, or the text is none such. */
bool proc_syscall_pc(const char *text, uint64_t *pc);
