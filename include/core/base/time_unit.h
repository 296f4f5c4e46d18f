/* time_unit: chooses the unit in which a measure is easiest to read. */
#pragma once

#include <stdbool.h>

enum time_kind { KIND_TIME, KIND_BYTES, KIND_COUNT };

struct time_unit {
    const char *name; /* "ms", "MiB", "k"; "" for plain counts */
    double size;      /* in ns, bytes, 1 */
    int decimals;     /* that show four digits */
};

struct time_unit time_unit_of(enum time_kind kind, double typical);
