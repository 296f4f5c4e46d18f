#include "private.h"

#include <stddef.h>

const struct workload workloads[] = {
    {"loop", workload_counted},
    {"shares", workload_shares},
    {"chain", workload_chain},
    {"burn", workload_burn},
    {"faults", workload_faults},
    {"touch", workload_touch},
    {"switches", workload_switches},
    {"sleep", workload_sleep},
    {"lock", workload_lock},
    {"pipe", workload_pipe},
    {"io", workload_io},
    {"timer", workload_timer},
    {NULL, NULL},
};
