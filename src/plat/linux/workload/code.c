/* Where the code of workloads is in the executable's file. */
#include "plat/workload.h"

#include <link.h>
#include <stddef.h>

#define BOUNDS(name) extern const char __start_##name[], __stop_##name[]
BOUNDS(workload_code_a);
BOUNDS(workload_code_b);
BOUNDS(workload_code_c);
BOUNDS(workload_code_chain);

static const struct {
    const char *start, *end;
} bounds[WORKLOAD_CODES] = {
    [WORKLOAD_A] = {__start_workload_code_a, __stop_workload_code_a},
    [WORKLOAD_B] = {__start_workload_code_b, __stop_workload_code_b},
    [WORKLOAD_C] = {__start_workload_code_c, __stop_workload_code_c},
    [WORKLOAD_CHAIN] = {__start_workload_code_chain, __stop_workload_code_chain},
};

struct search {
    uintptr_t address;
    uint64_t offset;
};

/* The first object is the program: 1 when the address is there. */
static int find_segment(struct dl_phdr_info *object, size_t size, void *arg)
{
    struct search *s = arg;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        uintptr_t from = s->address - (object->dlpi_addr + p->p_vaddr);
        if (p->p_type != PT_LOAD || from >= p->p_filesz)
            continue;
        s->offset = p->p_offset + from;
        return 1;
    }
    return -1;
}

bool workload_code(enum workload_code which, struct workload_range *out)
{
    struct search s = {(uintptr_t)bounds[which].start, 0};
    if (dl_iterate_phdr(find_segment, &s) != 1)
        return false;
    *out = (struct workload_range){s.offset,
                                   s.offset + (uint64_t)(bounds[which].end - bounds[which].start)};
    return true;
}
