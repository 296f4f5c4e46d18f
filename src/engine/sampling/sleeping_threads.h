/* sampling_sleepers: threads that sleep when the sampling of their process begins. */
#ifndef PSUITE_ENGINE_SAMPLING_SLEEPING_THREADS_H
#define PSUITE_ENGINE_SAMPLING_SLEEPING_THREADS_H

#include "engine/sampling/sampling.h"

/* With the sampler open and the mappings known. A thread that wakes never again until the end would
 * not be heard of: no switch is its own. Of their chains the kernel tells the innermost place, to
 * who may trace them. */
void sampling_learn_sleepers(struct sampling *s, int pid);

#endif
