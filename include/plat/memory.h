/*
 * memory: this process's heap.
 */
#ifndef PSUITE_PLAT_MEMORY_H
#define PSUITE_PLAT_MEMORY_H

/* Gives memory that was freed back to the system, where the C library keeps it. Takes milliseconds:
 * to be called after much was freed. */
void memory_trim(void);

#endif
