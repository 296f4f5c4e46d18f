/* doctor_selftest: doctor --selftest. */
#ifndef PSUITE_APPLETS_DOCTOR_SELFTEST_H
#define PSUITE_APPLETS_DOCTOR_SELFTEST_H

#include <stdbool.h>

struct applet;

/* The exit status: FAILED when a measurement is wrong. */
int doctor_selftest(const struct applet *a, bool json);

#endif
