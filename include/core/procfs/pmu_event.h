/*
 * pmu_event: the text in which sysfs describes a processor's own events (Linux,
 * Documentation/ABI/testing/sysfs-bus-event_source-devices-events and -format):
 *   an event   TERM,TERM...      a TERM is NAME=VALUE, or NAME alone, which is NAME=1;
 *                                 "event=0x11,umask=1"
 *   a format   CONFIG:BITS,BITS  where the value of a NAME goes, its lowest bits first;
 *                                 "config:0-7,32-35", "config1:3"
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PMU_CONFIGS = 3 }; /* config, config1, config2 of perf_event_attr */

struct pmu_term {
    const char *name; /* in the text, of len bytes */
    size_t len;
    bool has_value;
    uint64_t value; /* 1 when it has none */
};

/* Takes the next term off *text, a string. 1; 0: there is none; -EINVAL: what follows is no
 * term, or waits for a value of the user's ("umask=?"); *text stays before it. */
int pmu_term_next(const char **text, struct pmu_term *out);

/* Puts value into the bits that a format names, over what was there. -EINVAL: it is no format, or
 * of a config we have not; -ERANGE: more bits than it has. Then config is untouched. */
int pmu_format_put(const char *format, uint64_t value, uint64_t config[PMU_CONFIGS]);
