/* confined_filter: from now on this process can only allocate memory, write to what is open and
 * end; every other system call is EPERM. Nothing where the kernel has no seccomp. */
#ifndef PSUITE_PLAT_LINUX_PROCESS_CONFINED_FILTER_H
#define PSUITE_PLAT_LINUX_PROCESS_CONFINED_FILTER_H

void confined_filter(void);

#endif
