/* sampling_sleepers: threads that sleep when the sampling of their process begins. */
#pragma once

#include "engine/sampling/sampling.h"

/* Call it with the sampler open and the mappings known. A thread that does not wake before the end
 * has no switch, and would be missing. Of its chain the kernel shows the innermost place, to users
 * that may trace it. */
void sampling_learn_sleepers(struct sampling *s, int pid);
