/* capability: the capabilities of this process; capabilities(7). */
#ifndef PSUITE_LINUX_CAPABILITY_H
#define PSUITE_LINUX_CAPABILITY_H

#include <stdbool.h>

/* Whether the capability (CAP_SYS_PTRACE, ...) is effective, in our own user namespace. */
bool capability_is_ours(int capability);

#endif
