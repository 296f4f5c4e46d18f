/*
 * dwarf_line: the rows of a line number program (DWARF 5, 6.2; versions 2 to 5).
 *
 * Not by libdwarf: its release 20210528 begins the file register of version 5 at 0 instead of 1,
 * which names a wrong file in one of 200 answers about what Debian 12's g++ makes, and it takes
 * memory for every row.
 */
#ifndef PSUITE_CORE_DWARF_LINE_H
#define PSUITE_CORE_DWARF_LINE_H

#include "dwarf_image.h"

struct dwarf_row {
    uint64_t addr, line, file, column, discriminator;
    bool end; /* of a sequence: addr is one past its last byte */
};

/* False: stop. */
typedef bool dwarf_row_taker(void *arg, const struct dwarf_row *row);

/* The program at an offset of .debug_line, until it ends or is broken. Its version (2 to 5), which
 * tells whether files count from 1 or (5) from 0; 0 when it has no header that can be read. */
unsigned dwarf_line_rows(const struct dwarf_image *d, uint64_t offset, dwarf_row_taker *take,
                         void *arg);

/* All bytes of that program, with its header; len 0 when there is none. */
struct dwarf_bytes dwarf_line_bytes(const struct dwarf_image *d, uint64_t offset);

#endif
