/*
 * tracefs: the kernel's own tracing, as files.
 */
#ifndef PSUITE_PLAT_LINUX_FS_TRACEFS_H
#define PSUITE_PLAT_LINUX_FS_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>

/* Where it is: mounted itself, or below debugfs. False: nowhere. */
bool tracefs_find(char *path, size_t size);

#endif
