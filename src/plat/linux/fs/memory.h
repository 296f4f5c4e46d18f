/*
 * memory: how much memory is free for buffers.
 */
#ifndef PSUITE_PLAT_LINUX_FS_MEMORY_H
#define PSUITE_PLAT_LINUX_FS_MEMORY_H

#include <stdint.h>

/* What the kernel can give to its own buffers now: MemAvailable less CmaFree, but not more than the
 * limit of our control groups. Without /proc: what is unused. UINT64_MAX: not known. */
uint64_t memory_free_bytes(void);

#endif
