#include "tracee_step.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#ifdef SYS_mmap2
#define MAP_CALL SYS_mmap2
#else
#define MAP_CALL SYS_mmap
#endif

struct tracee_call tracee_map_call(uint64_t address, uint64_t bytes)
{
    return (struct tracee_call){.number = MAP_CALL,
                                .arg = {address, bytes, PROT_READ | PROT_EXEC,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, UINT64_MAX}};
}

struct tracee_call tracee_unmap_call(uint64_t address, uint64_t bytes)
{
    return (struct tracee_call){.number = SYS_munmap, .arg = {address, bytes}};
}
