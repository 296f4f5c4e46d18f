/* count_state: what the scenario says of a counter. */
#pragma once

#include "core/time/counter.h"

enum counter_state count_state(const char *name);
