/* count_state: what the scenario says of a counter. */
#pragma once

#include "core/time/counter.h"

enum counter_state count_state(const char *name);
/* Its reading, by the line of a scenario that has it; NULL: 0. */
void count_scripted(const char *name, const char *line, struct counter_reading *out);
