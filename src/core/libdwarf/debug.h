/*
 * debug: a Dwarf_Debug over sections in memory. The calls for it differ between libdwarf's
 * releases: 2021.c is for 20210528 and before, 0.c for 0.3 and later; cmake/Depends.cmake chooses.
 */
#ifndef PSUITE_CORE_LIBDWARF_DEBUG_H
#define PSUITE_CORE_LIBDWARF_DEBUG_H

#include <libdwarf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct libdwarf_section {
    const char *name;
    const uint8_t *bytes;
    size_t len;
};

struct libdwarf_object { /* must stay in place until libdwarf_end */
    struct libdwarf_section section[8];
    unsigned sections;
    bool big;
    uint8_t addr_size;
    void *interface; /* libdwarf's, until libdwarf_end */
};

bool libdwarf_begin(struct libdwarf_object *o, Dwarf_Debug *out);
void libdwarf_end(struct libdwarf_object *o, Dwarf_Debug d);

#endif
