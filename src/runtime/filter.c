/*
 * filter: whether the program has come under a filter of system calls since recording began. It
 * might be killed for calls that the filter does not expect: those that few programs make are left
 * out then.
 */
#include "runtime.h"

#include <sys/prctl.h>

static int at_start;

void rt_filter_watch(void)
{
    at_start = prctl(PR_GET_SECCOMP);
}

bool rt_is_filtered(void)
{
    return prctl(PR_GET_SECCOMP) != at_start;
}
