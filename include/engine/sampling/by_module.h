/*
 * module_sampling: samples what every process does in user mode, for the profiling device: the
 * counts of each address of each file of code.
 */
#pragma once

#include "core/profdev/device.h"

struct module_sampling;

/* A sample each interval of running time of each CPU. Errors of sampling_begin. */
int module_sampling_start(uint32_t interval_ms, struct module_sampling **out, struct fail *f);
void module_sampling_free(struct module_sampling *s); /* NULL: nothing */

/* Takes what was sampled meanwhile; wants to be called again so many ms later. */
int module_sampling_tend(struct module_sampling *s);

/* Puts what was counted since the start into p, in the place of what it was told before. Addresses
 * count from the first of a file's code. Samples come with the second look after they were taken;
 * all: the sampling ends, and they are all there. -ENOMEM. */
int module_sampling_count(struct module_sampling *s, bool all, struct profdev *p, struct fail *f);
