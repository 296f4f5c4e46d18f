/*
 * lines_unit: what is kept of one unit that was asked for.
 */
#pragma once

#include "core/containers/intern.h"
#include "file.h"
#include "line.h"

/* --- lines_path.c: the paths of source files, each once --- */

struct lines_paths {
    struct intern texts;
    bool relative; /* without the compilation directory */
};
/* base/dir/name, from the last absolute one of them on; base and dir may be NULL. NULL when memory
 * ends or it is no path (4096 bytes or more). */
const char *lines_path(struct lines_paths *p, const char *base, const char *dir, const char *name);

/* --- lines_files.c: the files of a line table --- */

struct lines_file { /* text and form: its name, as struct dwarf_value */
    uint64_t text;
    const char *path; /* of the table of paths; NULL: not known */
    uint32_t dir;
    uint16_t form;
    bool path_resolved; /* path is settled */
};

struct lines_files {
    struct dwarf_value *dir;
    struct lines_file *file;
    size_t dirs, files, dir_cap, file_cap;
    uint32_t first; /* number of dir[0] and file[0]: 0 or 1 */
    const struct dwarf_unit *unit;
    const char *comp_dir; /* NULL: not known */
    struct budget *budget;
};

/* False when memory ends, or the budget. */
bool lines_files_add_dir(struct lines_files *t, const struct dwarf_line_name *dir);
bool lines_files_add(struct lines_files *t, const struct dwarf_line_name *file);
void lines_files_release(struct lines_files *t);
size_t lines_files_bytes(const struct lines_files *t);
/* The path of a file by its number; NULL when it is not known. */
const char *lines_files_path(struct lines_files *t, uint64_t number, struct lines_paths *paths);

/* --- lines_rows.c: the line table --- */

struct lines_row {
    uint32_t offset; /* from its sequence's start */
    uint32_t line;
    uint32_t file;
    uint16_t column;             /* UINT16_MAX: that or more */
    uint16_t discriminator : 15; /* 0x7fff: that or more */
    uint16_t shares_start : 1;   /* another line begins there, too, without instructions */
};

struct lines_sequence { /* rows in order of address, without gaps */
    uint64_t start, end;
    size_t first, rows;
};

struct lines_rows {
    struct lines_sequence *sequence; /* by end */
    struct lines_row *row;
    size_t sequences, rows, sequence_cap, row_cap;
    struct lines_files files;
    struct budget *budget;
    bool short_of_memory;
};

/* The line table of the unit with that root entry; what can be read of it. */
void lines_rows_read(struct lines_rows *t, const struct dwarf_die *root);
void lines_rows_release(struct lines_rows *t);
const struct lines_row *lines_rows_find(const struct lines_rows *t, uint64_t addr);
size_t lines_rows_bytes(const struct lines_rows *t);

/* --- lines_scopes.c: functions, and what was inlined into them --- */

struct lines_scope {
    const char *name; /* when named */
    uint64_t low;     /* its lowest address */
    uint32_t die;     /* from the unit's header */
    uint32_t parent;  /* the scope it is inlined into; SPAN_NONE: it is a function */
    uint32_t call_line, call_file;
    uint16_t call_column;
    bool named;
};

struct lines_scopes {
    struct lines_scope *scope;
    size_t scopes, cap;
    struct span_map map;   /* address -> innermost scope */
    struct budget *budget; /* of which all of it is taken */
};

/* What can be read of them. */
void lines_scopes_read(struct lines_scopes *t, const struct dwarf_unit *u);
void lines_scopes_release(struct lines_scopes *t);
size_t lines_scopes_bytes(const struct lines_scopes *t);

/* Adds the ranges of the functions of a unit whose root has none, as spans of id. */
bool lines_scopes_ranges(const struct dwarf_unit *u, struct spans *out, uint32_t id);

/* --- the unit --- */

/* A unit of addresses: where its entries are. */
struct lines_unit {
    struct dwarf_unit split;          /* a skeleton's other half */
    const struct dwarf_unit *entries; /* the unit of the file, or &split; NULL: not there */
    struct lines_rows rows;
    struct lines_scopes scopes;
    size_t bytes, index;
    struct budget *budget;
    struct lines_unit *newer, *older; /* by their last use */
};
