/* musl's free() gives memory back itself. */
#include "plat/memory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
