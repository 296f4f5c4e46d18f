#include "core/procfs/proc_stat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool proc_stat_parse(const char *text, struct proc_stat *out)
{
    struct proc_stat s = {0};
    const char *after_name = strrchr(text, ')');
    /* Of fields 3 to 24: the state's letter, the parent, nine numbers, both times, four numbers,
     * the threads, one, the start, the virtual size, the resident pages. Field 42 is
     * delayacct_blkio_ticks. */
    if (!after_name ||
        sscanf(after_name,
               ") %c %" SCNd32 " %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
               " %*d %*d %*d %*d %" SCNu64 " %*d %" SCNu64 " %*u %" SCNu64
               " %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %*d %*u %*u"
               " %" SCNu64,
               &s.state, &s.parent, &s.user_ticks, &s.sys_ticks, &s.threads, &s.start_ticks,
               &s.resident_pages, &s.wait_ticks) < 4)
        return false;
    *out = s;
    return true;
}

const char *proc_stat_name(const char *text, size_t *len)
{
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close || close < open)
        return NULL;
    *len = (size_t)(close - open) - 1;
    return open + 1;
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
