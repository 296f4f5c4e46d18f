/* This process's heap. musl's free() gives memory back itself. */
#include "plat/memory.h"

#include <features.h> /* __GLIBC__ */

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

void memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
