/*
 * dwarf_library: the line tables, by libdwarf.
 */
#ifndef PSUITE_CORE_DWARF_LIBRARY_H
#define PSUITE_CORE_DWARF_LIBRARY_H

#include "dwarf_image.h"

struct dwarf_library;

/* The image must outlive it. NULL when libdwarf refuses it. */
struct dwarf_library *dwarf_library_new(const struct dwarf_image *d);
void dwarf_library_free(struct dwarf_library *l);

struct dwarf_library_row {
    uint64_t addr, line, file, column, discriminator;
    bool end; /* of the sequence: the address is one past its last byte */
};

struct dwarf_library_sink {
    void *arg;
    /* Files first, by number, then the rows. dir may be NULL. The strings live until the return. */
    void (*file)(void *arg, uint64_t number, const char *name, const char *dir);
    void (*row)(void *arg, const struct dwarf_library_row *row);
};

/* The line table of the unit whose root entry is at that offset of .debug_info. False: none. */
bool dwarf_library_lines(struct dwarf_library *l, uint64_t root,
                         const struct dwarf_library_sink *sink);

#endif
