/* What was asked of the CPUs' idling here. */
#ifndef PSUITE_FAKE_IDLE_ASKED_H
#define PSUITE_FAKE_IDLE_ASKED_H

#include <stdbool.h>

extern unsigned idle_requests;            /* so often */
extern bool idle_is_shallow, idle_denied; /* the latter for tests to set */

#endif
