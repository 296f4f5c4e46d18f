/* descriptors: closes all descriptors of a process but those that it keeps. */
#pragma once

#include <stddef.h>

/* Closes all but the standard streams and those n: ends of pipes among them would keep others
 * waiting. */
void descriptors_close_others(const int *keep, size_t n);
