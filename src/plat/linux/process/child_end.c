#include "child_end.h"

#include "core/base/time_ns.h"

#include <sys/wait.h>

static uint64_t timeval_to_ns(struct timeval t)
{
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_usec * NS_PER_US;
}

uint64_t child_floor_bytes(void)
{
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    return (uint64_t)own.ru_maxrss * 1024;
}

void child_end_of(int status, const struct rusage *used, struct child_end *out)
{
    bool signalled = WIFSIGNALED(status);
    *out = (struct child_end){
        .signalled = signalled,
        .core = signalled && WCOREDUMP(status),
        .code = signalled ? WTERMSIG(status) : WEXITSTATUS(status),
        .user_ns = timeval_to_ns(used->ru_utime),
        .sys_ns = timeval_to_ns(used->ru_stime),
        .peak_rss_bytes = (uint64_t)used->ru_maxrss * 1024,
        .minor_faults = (uint64_t)used->ru_minflt,
        .major_faults = (uint64_t)used->ru_majflt,
        .voluntary_switches = (uint64_t)used->ru_nvcsw,
        .involuntary_switches = (uint64_t)used->ru_nivcsw,
        .blocks_in = (uint64_t)used->ru_inblock,
        .blocks_out = (uint64_t)used->ru_oublock,
    };
}

int child_status(const struct child_end *end)
{
    return end->signalled ? 128 + end->code : end->code;
}
