#include "elf_module.h"

#include <stdlib.h>

void elf_names_add(struct elf_names *n, uint64_t addr, const char *name, uint64_t target)
{
    if (n->count == n->cap) {
        size_t cap = n->cap ? n->cap * 2 : 64;
        struct elf_name *item = reallocarray(n->item, cap, sizeof *item);
        if (!item)
            return;
        n->item = item;
        n->cap = cap;
    }
    n->item[n->count++] = (struct elf_name){addr, target, name};
}

static int by_address(const void *pa, const void *pb)
{
    const struct elf_name *a = pa, *b = pb;
    return a->addr < b->addr ? -1 : a->addr > b->addr;
}

void elf_names_sort(struct elf_names *n)
{
    if (n->count)
        qsort(n->item, n->count, sizeof *n->item, by_address);
}

const struct elf_name *elf_names_find(const struct elf_names *n, uint64_t addr)
{
    struct elf_name wanted = {.addr = addr};
    return n->count ? bsearch(&wanted, n->item, n->count, sizeof *n->item, by_address) : NULL;
}

void elf_names_release(struct elf_names *n)
{
    free(n->item);
    *n = (struct elf_names){0};
}
