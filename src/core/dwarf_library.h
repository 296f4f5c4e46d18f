/*
 * dwarf_library: the table of source files of a line number program, by libdwarf.
 *
 * libdwarf is shown this one program only, below a unit of our own making that has nothing but a
 * compilation directory: its readers of .debug_info and .debug_rnglists fail on some units of
 * clang's, and free twice in damaged ones (release 20210528).
 */
#ifndef PSUITE_CORE_DWARF_LIBRARY_H
#define PSUITE_CORE_DWARF_LIBRARY_H

#include "dwarf_image.h"

/* The files in the table's order, each joined with its folder and the compilation directory (which
 * may be NULL). A path lives until the return. */
typedef void dwarf_file_taker(void *arg, const char *path);
void dwarf_library_files(const struct dwarf_image *d, uint64_t line_offset, const char *comp_dir,
                         dwarf_file_taker *take, void *arg);

#endif
