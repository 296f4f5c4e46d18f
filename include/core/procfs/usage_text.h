/*
 * usage_text: what our own files of #c say of a machine's CPUs, disks, interfaces, memory and
 * pressure, made from the kernel's texts (proc(5)). Each is lines of a word and numbers:
 *
 *   cpustat   CPU USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL   ms; CPU is `all', then 0, 1 ...
 *   diskstat  DISK READS WRITES READ WRITTEN BUSY                  operations, bytes, ms
 *   netstat   INTERFACE IN OUT PACKETS_IN PACKETS_OUT ERRORS_IN ERRORS_OUT    bytes first
 *   memstat   total, available, free, cached: NAME BYTES
 *   pressure  cpu, memory, io: NAME SOME FULL                      us stalled since the start
 *
 * Counters are since the machine's start. Lines of the kernel that are none are passed over.
 */
#ifndef PSUITE_CORE_PROCFS_USAGE_TEXT_H
#define PSUITE_CORE_PROCFS_USAGE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

struct buf;

enum { USAGE_NAME_MAX = 31, USAGE_MAX_LINES = 1024 };

/* /proc/stat; hz: ticks a second. -EINVAL when it has no line of all CPUs, -ENOMEM. */
int usage_cpustat(const char *text, uint64_t hz, struct buf *out);

/* /proc/diskstats: the disks of which is_disk is true (it knows partitions and devices that only
 * pass on to others). False: none. */
bool usage_diskstat(const char *text, bool (*is_disk)(const char *name), struct buf *out);

/* /proc/net/dev, without lo. False: none. */
bool usage_netstat(const char *text, struct buf *out);

/* /proc/meminfo. cached is what files hold and slabs can give back: Buffers, Cached and
 * SReclaimable, less Shmem. False when it has no total. */
bool usage_memstat(const char *text, struct buf *out);

/* /proc/pressure/NAME. False: no line `some'. One without a line `full' has 0. */
bool usage_pressure(const char *name, const char *text, struct buf *out);

#endif
