/* doctor_selftest: doctor --selftest. */
#pragma once

#include <stdbool.h>

struct applet;

/* The exit status: FAILED when a measurement is wrong. */
int doctor_selftest(const struct applet *a, bool json);
