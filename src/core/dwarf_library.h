/*
 * dwarf_library: the tables of source files, by libdwarf.
 */
#ifndef PSUITE_CORE_DWARF_LIBRARY_H
#define PSUITE_CORE_DWARF_LIBRARY_H

#include "dwarf_image.h"

struct dwarf_library;

/* The image must outlive it. NULL when libdwarf refuses it. */
struct dwarf_library *dwarf_library_new(const struct dwarf_image *d);
void dwarf_library_free(struct dwarf_library *l);

/* The files of the unit whose root entry is at that offset of .debug_info, in the table's order,
 * each joined with its folder and the compilation directory. The path lives until the return. */
typedef void dwarf_file_taker(void *arg, const char *path);
void dwarf_library_files(struct dwarf_library *l, uint64_t root, dwarf_file_taker *take, void *arg);

#endif
