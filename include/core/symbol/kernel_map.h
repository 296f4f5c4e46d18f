/*
 * kernel_map: which addresses are the kernel's code, and which its modules'. Out of the text of
 *   /proc/kallsyms or a System.map   _text (or _stext) to _etext is "[kernel]"
 *   /proc/modules (proc(5))          NAME SIZE USERS USED_BY STATE ADDRESS: "[NAME]"
 * Since Linux 6.4 a module's parts lie apart: ADDRESS is that of its code, but SIZE all of it.
 * A range ends where the next begins.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

enum { KERNEL_MAP_NAME = 64, KERNEL_MAP_MAX_RANGES = 65536 };

struct kernel_range {
    uint64_t start, end;        /* run-time addresses, [start, end) */
    char name[KERNEL_MAP_NAME]; /* with brackets */
};

struct kernel_map {
    struct kernel_range *range; /* by start, none over another */
    size_t ranges;
    bool restricted; /* an address was 0: the kernel hides them from us (kernel.kptr_restrict) */
};

/* Either text may be NULL (with len 0); kallsyms also as kallsyms_init leaves it. -ENOMEM. */
int kernel_map_init(const char *kallsyms, size_t kallsyms_len, const char *modules,
                    size_t modules_len, struct kernel_map *out);
/* Appends the lines of a part of kallsyms' text, of whole lines, that the other wants of all. */
void kernel_map_keep(const char *kallsyms, size_t len, struct buf *out);
void kernel_map_release(struct kernel_map *m);
