/*
 * pressure: parses the text of /proc/pressure/cpu, memory or io (the kernel's
 * Documentation/accounting/psi.rst):
 *    some avg10=93.93 avg60=94.60 avg300=65.73 total=389287064
 *    full avg10=0.00 avg60=0.00 avg300=0.00 total=0
 * where total is us in which some tasks, or all that were not idle, waited for it. `full' of cpu is
 * there since Linux 5.13.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pressure {
    uint64_t some_us, full_us; /* since the start; full is 0 where there is no such line */
};

/* False: there is no line `some' with a total. */
bool pressure_parse(const char *text, struct pressure *out);
