#include "perf/sampler.h"

const struct sampler_ways sampler_ways = {.perf = perf_sampler_open, .ptrace = ptrace_sampler_open};
