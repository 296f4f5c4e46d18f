#include "core/procfs/proc_stat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool proc_stat_parse(const char *text, struct proc_stat *out)
{
    struct proc_stat s = {0};
    const char *after_name = strrchr(text, ')');
    /* Of fields 3 to 24: the state's letter, ten numbers, both times, four numbers, the threads,
     * one, the start, the virtual size, the resident pages. */
    if (!after_name || sscanf(after_name,
                              ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
                              " %*d %*d %*d %*d %" SCNu64 " %*d %" SCNu64 " %*u %" SCNu64,
                              &s.state, &s.user_ticks, &s.sys_ticks, &s.threads, &s.start_ticks,
                              &s.resident_pages) < 3)
        return false;
    *out = s;
    return true;
}

bool proc_stat_sleeps(const struct proc_stat *s)
{
    return s->state && strchr("SDTtIKWP", s->state);
}

bool proc_syscall_pc(const char *text, uint64_t *pc)
{
    const char *last = strrchr(text, ' ');
    return last && sscanf(last, " 0x%" SCNx64, pc) == 1;
}
