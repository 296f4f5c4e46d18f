/* uptime: how long the machine runs, for what processes tell of their own times. */
#pragma once

#include <stdint.h>

/* In ticks, hz a second; 0: not known. */
uint64_t uptime_ticks(uint64_t hz);
