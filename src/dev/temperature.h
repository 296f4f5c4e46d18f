/*
 * temperature: #c/cputemp, a line a sensor: degrees Celsius, rounded, and how exact they are, 1.
 * From /sys/class/thermal/thermal_zoneN (temp in thousandths, type), those whose type names a
 * processor first, then /sys/class/hwmon/hwmonN/tempM_input of drivers that are no zone already.
 */
#pragma once

#include "core/base/fail.h"

struct buf;

/* -ENOENT: there is no sensor. */
int temperature_text(struct buf *out, struct fail *f);
