/* clock_advance: the scripted clock goes on only when it is read, or here. */
#pragma once

#include <stdint.h>

/* What the last reading was, START before the first. */
uint64_t clock_peek_ns(void);
void clock_advance(uint64_t ns);
