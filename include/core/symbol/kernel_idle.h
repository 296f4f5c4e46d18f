/*
 * kernel_idle: the functions in which a CPU that has nothing to do waits. What else runs as the
 * idle task is work: the handlers that end its wait, the clock it stops.
 */
#pragma once

#include <stdbool.h>

/* By name, whatever the compiler added behind a dot. */
bool kernel_idle(const char *function);
