/* capability: the capabilities of this process; capabilities(7). */
#pragma once

#include <stdbool.h>

/* Whether the capability (CAP_SYS_PTRACE, ...) is effective, in our own user namespace. */
bool capability_is_ours(int capability);
