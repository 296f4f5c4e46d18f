/* memory: this process's heap. */
#pragma once

#include <stddef.h>

/* At the start: from now on large blocks are the system's again as soon as they are freed. The GNU
 * C library would otherwise keep up to 32 MB of each, and more as larger ones are freed. */
void memory_return_large(void);

/* Brings the pages of a block, which is about to be written, into memory at once. It is the same as
 * touching them, but that no event counts or samples it as page faults. Where the kernel does not
 * do that (before Linux 5.14), nothing happens. */
void memory_populate(void *block, size_t bytes);

/* Gives memory that was freed back to the system, where the C library keeps it. Takes milliseconds:
 * to be called after much was freed. */
void memory_trim(void);
