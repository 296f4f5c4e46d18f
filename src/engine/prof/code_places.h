/* code_places: where a file of code that is mapped has what it has at link-time addresses. */
#pragma once

#include "core/elf/elf.h"
#include "core/sample/maps.h"

#include <stdbool.h>
#include <stdint.h>

/* Run-time less link-time addresses of a file that is mapped there; false: it is not of that
 * file. */
bool code_bias(const struct elf_module *elf, const struct maps_line *at, uint64_t *bias);

/* The address by which a function is called and has a breakpoint (plat/breaks.h): on 32-bit ARM
 * with bit 0 if it is T32. */
uint64_t code_entry(struct elf_module *elf, uint64_t vaddr);

/* The same of the function of a name; 0: there is none. */
uint64_t code_function(struct elf_module *elf, const char *name);

/* The function, empty itself, that a loader calls whenever it has mapped files, before any of their
 * code is executed: code_entry of its link-time address; false: it is no loader. glibc's and musl's
 * have it. */
bool code_loaded_hook(struct elf_module *elf, uint64_t *vaddr);
