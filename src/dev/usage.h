/*
 * usage: our own files of #c about CPUs, disks, interfaces, memory and pressure, as text
 * (core/procfs/usage_text.h). Each appends its text; negative with the reason when this machine
 * cannot give it.
 */
#ifndef PSUITE_DEV_USAGE_H
#define PSUITE_DEV_USAGE_H

#include "core/base/buf.h"
#include "core/base/fail.h"

int usage_cpustat_text(void *device, uint64_t directory, struct buf *out, struct fail *f);
int usage_diskstat_text(void *device, uint64_t directory, struct buf *out, struct fail *f);
int usage_netstat_text(void *device, uint64_t directory, struct buf *out, struct fail *f);
int usage_memstat_text(void *device, uint64_t directory, struct buf *out, struct fail *f);
int usage_pressure_text(void *device, uint64_t directory, struct buf *out, struct fail *f);

#endif
