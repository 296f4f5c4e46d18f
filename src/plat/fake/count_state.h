/* count_state: what the scenario says of a counter. */
#ifndef PSUITE_FAKE_COUNT_STATE_H
#define PSUITE_FAKE_COUNT_STATE_H

#include "core/time/counter.h"

enum counter_state count_state(const char *name);

#endif
