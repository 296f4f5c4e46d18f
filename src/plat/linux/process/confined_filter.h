/* confined_filter: from now on this process can only allocate memory, write to what is open and
 * end; every other system call is EPERM. Nothing where the kernel has no seccomp. */
#pragma once

void confined_filter(void);
