/* What was asked of the CPUs' idling here. */
#pragma once

#include <stdbool.h>

extern unsigned idle_requests;            /* so often */
extern bool idle_is_shallow, idle_denied; /* the latter for tests to set */
