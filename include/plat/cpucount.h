/*
 * cpucount: counts events on every CPU in the kernel, without a ring buffer: one system call reads
 * each counter. They count from when they are opened, or first read.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stdint.h>

struct cpucount;

/*
 * The event by its name as sample_event_find knows it ("context-switches",
 * "raw_syscalls:sys_enter"), on each CPU that is online now. One descriptor a CPU. -EACCES or
 * -EPERM with the remedy, -ENOENT when there is no such event here, -EMFILE, -EOPNOTSUPP.
 *
 * leader: NULL, or another count of the kernel's own events that was opened before, and is closed
 * behind this one: one reading of a CPU brings both, which spares the interrupt of another CPU that
 * each costs. Not for events of the processor, which take turns on its counters.
 */
int cpucount_open(const char *event, struct cpucount *leader, struct cpucount **out,
                  struct fail *f);
void cpucount_close(struct cpucount *c); /* NULL: nothing */

/* So far on that CPU, scaled up where the processor counted only part of the time; false: it was
 * not online, or is no longer. Of a count with another: as of when that one was read. */
bool cpucount_read(struct cpucount *c, uint32_t cpu, uint64_t *count);
