/* Whether the held command runs, as the processes of a scenario see it: the server of its files is
 * another than the one that releases it. */
#pragma once

#include <stdbool.h>

bool child_is_released(void);
