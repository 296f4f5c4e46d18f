/*
 * dwarf_line: a line number program: the folders, the files and the rows (DWARF 5, 6.2; versions 2
 * to 5).
 */
#pragma once

#include "file.h"

struct dwarf_row {
    uint64_t addr, line, file, column, discriminator;
    bool end; /* of a sequence: addr is one past its last byte */
};

/* A name, as dwarf_string has it. Of files dir is the number of their folder, as in the table. */
struct dwarf_line_name {
    struct dwarf_value text;
    uint64_t dir;
};

/* Each in the order of the program. False: stop. */
struct dwarf_line_handler {
    bool (*dir)(void *arg, const struct dwarf_line_name *dir);
    bool (*file)(void *arg, const struct dwarf_line_name *file);
    bool (*row)(void *arg, const struct dwarf_row *row);
    void *arg;
};

/* The program at an offset of .debug_line: its tables as far as they can be read, then its rows
 * until it ends or is broken. Its version (2 to 5), which tells whether folders and files count
 * from 1 or (5) from 0; 0 when it has no header that can be read. */
unsigned dwarf_line_read(const struct dwarf_image *d, uint64_t offset,
                         const struct dwarf_line_handler *handler);

/* --- files.c --- */

/* What a header says of its tables. */
struct dwarf_line_head {
    unsigned version, offset_size, addr_size;
};

/* Reads the tables, which the cursor ends with. A table has at most a million entries. */
void dwarf_files_read(const struct dwarf_line_head *h, struct dwarf_cursor c,
                      const struct dwarf_line_handler *handler);

/* Reads an entry of the table of files before version 5; false when it is cut short. */
bool dwarf_files_entry(struct dwarf_cursor *c, struct dwarf_line_name *out);
