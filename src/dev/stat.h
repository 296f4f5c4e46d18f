/*
 * stat: psuite's own files of #c, as the text of rows that core/stats/rows.h describes: what CPUs,
 * disks, interfaces and tasks that wait have counted since the machine's start, and what memory is
 * used for; and cputemp. Each appends its text; negative with the reason and the remedy when this
 * machine has none.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

/* As `text' of struct dev_file (dev.h). */
int stat_cpu(void *device, uint64_t directory, struct buf *out, struct fail *f);
int stat_disk(void *device, uint64_t directory, struct buf *out, struct fail *f);
int stat_net(void *device, uint64_t directory, struct buf *out, struct fail *f);
int stat_memory(void *device, uint64_t directory, struct buf *out, struct fail *f);
int stat_pressure(void *device, uint64_t directory, struct buf *out, struct fail *f);
int stat_temperature(void *device, uint64_t directory, struct buf *out, struct fail *f);
