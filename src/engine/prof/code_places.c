#include "code_places.h"

#include <string.h>

/* The mapping begins up to a page before the segment. */
bool code_bias(const struct elf_module *elf, const struct maps_line *at, uint64_t *bias)
{
    uint64_t vaddr;
    for (uint64_t within = 0; within < at->end - at->start && within < 1 << 16; within += 64)
        if (elf_vaddr(elf, at->file_offset + within, &vaddr)) {
            *bias = at->start + within - vaddr;
            return true;
        }
    return false;
}

struct entry {
    uint64_t vaddr, found;
};

static void compare_entry(void *arg, uint64_t at, uint64_t vaddr)
{
    struct entry *e = arg;
    if ((vaddr & ~UINT64_C(1)) == e->vaddr)
        e->found = vaddr;
}

uint64_t code_entry(struct elf_module *elf, uint64_t vaddr)
{
    struct entry e = {vaddr, vaddr};
    if (elf_machine(elf) == ELF_MACHINE_ARM)
        elf_function_symbols(elf, compare_entry, &e);
    return e.found;
}

uint64_t code_function(struct elf_module *elf, const char *name)
{
    const struct symbol *s = symtab_named(elf_symbols(elf), name, strlen(name));
    return s ? code_entry(elf, s->start) : 0;
}

bool code_loaded_hook(struct elf_module *elf, uint64_t *vaddr)
{
    *vaddr = code_function(elf, "_dl_debug_state");
    return *vaddr;
}
