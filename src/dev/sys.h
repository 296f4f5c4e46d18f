/* sys: what devices read in /proc and /sys alike, and the error of a file that has no data on this
 * machine. */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stdint.h>

struct buf;

/* The reason, in f; -ENOENT. */
#define dev_absent(f, ...) (fail_set(f, 0, __VA_ARGS__), -ENOENT)

/* Whether nothing is mounted at /proc or /sys, so that nothing is known; f then says that, with the
 * command that mounts a file system of that type there. */
bool dev_is_unknown(const char *mount, const char *type, struct fail *f);

/* The same for a file that comes from /sys. */
#define dev_absent_in_sys(f, ...)                                                                  \
    (dev_is_unknown("/sys", "sysfs", f) ? -ENOENT : dev_absent(f, __VA_ARGS__))

/* The first line of a file, in the place of what out holds. False: it has none. */
bool sys_word(const char *path, struct buf *out);

/* How long the machine runs, in ticks, hz a second; 0: not known. */
uint64_t sys_uptime_ticks(uint64_t hz);
