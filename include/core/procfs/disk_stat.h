/*
 * disk_stat: parses the block devices in the text of /proc/diskstats (proc(5), the kernel's
 * Documentation/admin-guide/iostats.rst), a line each:
 *    254       0 vda 141013 14437 4954770 62667 67946 151716 11656872 47997 0 23516 117672 ...
 * that is MAJOR MINOR NAME, then reads, merged reads, sectors read, ms; the same of writes;
 * requests under way, ms in which there were any. Sectors are of 512 bytes, whatever the disk's.
 * Counters of a 32-bit kernel, and ms of every kernel, pass 2^32.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { DISK_NAME_MAX = 31 /* bytes of a device's name */ };

struct disk_stat {
    char name[DISK_NAME_MAX + 1];
    uint64_t reads, writes, read_sectors, written_sectors, busy_ms;
};

/* The next device's line from *at, which moves behind it and is NULL behind the last: false, there
 * is none. Lines that are none, also the short ones of partitions before Linux 2.6.25, are passed
 * over. */
bool disk_stat_next(const char **at, struct disk_stat *out);
