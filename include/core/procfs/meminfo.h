/*
 * meminfo: parses memory and swap space from the text of /proc/meminfo (proc(5)): lines `NAME: N
 * kB`.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct meminfo {
    uint64_t total_kb;
    uint64_t available_kb; /* for programs, without swapping; before Linux 3.14 what is free and
                              what the page cache holds */
    uint64_t cma_free_kb;  /* of them: reserved for devices, where only movable pages may be, so
                              that buffers of the kernel do not fit there */
    uint64_t kernel_kb;   /* the kernel's own, that it cannot give back: slabs, stacks, page tables,
                             per-CPU memory */
    uint64_t programs_kb; /* memory of programs that is no file's: their own, and shared */
    uint64_t cached_kb;   /* what files, buffers and slabs hold and can give back */
    uint64_t free_kb;     /* used for nothing */
    uint64_t slab_kb;     /* what its allocator has for objects, caches included */
    uint64_t swap_total_kb, swap_free_kb;
};

/* False when the text has no total. */
bool meminfo_parse(const char *text, struct meminfo *out);

/* What is available to the kernel's own buffers. */
uint64_t meminfo_free_bytes(const struct meminfo *m);
