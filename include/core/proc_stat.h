/*
 * proc_stat: the line of /proc/PID/stat (proc(5)): numbers with blanks between, after a name in
 * parentheses that may hold anything.
 */
#ifndef PSUITE_CORE_PROC_STAT_H
#define PSUITE_CORE_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>

struct proc_stat {
    uint64_t user_ticks, sys_ticks; /* of the process, ended threads included */
};

/* False when the text is no such line. */
bool proc_stat_parse(const char *text, struct proc_stat *out);

#endif
