/* This process's heap. musl's free() gives memory back itself. */
#include "plat/memory.h"

#include <features.h> /* __GLIBC__ */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Given once, neither grows with what is freed. */
enum { LARGE_BYTES = 256 << 10, UNUSED_BYTES = 512 << 10 };

void memory_return_large(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TRIM_THRESHOLD, UNUSED_BYTES);
#endif
}

/* MADV_POPULATE_WRITE, which the headers of older systems lack. */
enum { POPULATE_WRITE = 23 };

void memory_populate(void *block, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)block;
    uintptr_t first = at & ~(page - 1), end = (at + bytes + page - 1) & ~(page - 1);
    madvise((void *)first, end - first, POPULATE_WRITE);
}

void memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
