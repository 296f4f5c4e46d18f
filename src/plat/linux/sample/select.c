#include "perf/sampler.h"

const struct sampler_backends sampler_backends = {.perf = perf_sampler_open,
                                                  .ptrace = ptrace_sampler_open};
