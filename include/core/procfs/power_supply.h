/*
 * power_supply: a battery, out of the text of /sys/class/power_supply/NAME/uevent: lines
 * POWER_SUPPLY_KEY=VALUE (the kernel's Documentation/power/power_supply_class.rst; uWh, uW, uAh,
 * uA, seconds).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct power_supply {
    unsigned left_pct;
    int64_t left_s; /* until it is empty; -1: not known, or it is being charged */
};

/* False when the text is of no battery of the machine, or of one without a level. */
bool power_supply_parse(const char *text, struct power_supply *out);
