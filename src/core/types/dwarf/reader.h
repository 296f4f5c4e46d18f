/*
 * types_reader: what the files of this folder share, which alone call libdwarf. Nothing here is
 * freed before the process ends but what grows with the length of the file.
 */
#pragma once

#include "core/base/scope.h"
#include "core/containers/imap.h"
#include "core/containers/intern.h"
#include "core/dwarf/image.h"
#include "core/types/answer.h"

#include <dwarf.h>
#include <libdwarf.h>

/* READER_MOST_TYPES: of an answer. READER_DEEPEST: of scopes, and of references followed. */
enum { READER_MOST_TYPES = 1 << 18, READER_DEEPEST = 32 };

struct reader_work { /* a type that has a number, but is not described yet */
    uint32_t id;
    bool members;
    uint64_t die;
};

struct reader_scope { /* a namespace, struct or class: DIEs in [start, end) are inside */
    uint64_t start, end;
    const char *name; /* with those around it, and "::" behind */
};

struct reader {
    struct dwarf_image image;
    Dwarf_Debug dbg;
    const struct types_query *query;
    size_t queries;
    struct types_answer answer;
    struct imap number_of; /* a DIE's offset -> number of its type */
    struct reader_work *work;
    size_t works, work_cap;
    struct intern names; /* those that are made here */
    struct reader_scope *scope;
    size_t scopes, scope_cap;
    uint64_t scoped_unit; /* the unit that the scopes are of, + 1 */
    bool failed;          /* memory ended, or there is too much */
};

/* --- sections.c --- */
/* libdwarf's section of that number, 0 is none: its bytes and its name, "" when it is not there. */
enum { READER_SECTIONS = DWARF_RNGLISTS + 2 };
const char *reader_section(const struct dwarf_image *d, uint64_t index, struct dwarf_bytes *out);
/* Whether one of libdwarf's sections was left out (dwarf_left_out_text). */
bool reader_lacks_section(const struct dwarf_image *d);

/* --- access.c, or access_2021.c: what differs by libdwarf's release --- */
/* libdwarf on the sections of r->image. False: it refuses them. */
bool reader_open(struct reader *r);
void reader_close(struct reader *r);
void reader_free_ranges(struct reader *r, Dwarf_Ranges *ranges, Dwarf_Signed count);

/* --- die.c --- */
typedef Dwarf_Die die_t;

/* Each DIE is to be freed: SCOPED(reader_free). NULL: none. */
die_t reader_die(struct reader *r, uint64_t offset);
die_t reader_child(struct reader *r, die_t die);
/* The next of the same parent; frees die. */
die_t reader_next(struct reader *r, die_t die);
void reader_free(die_t *die);

unsigned reader_tag(die_t die);
uint64_t reader_offset(die_t die);
uint64_t reader_unit(die_t die); /* offset of its unit's DIE */
bool reader_has(die_t die, unsigned attribute);
bool reader_flag(die_t die, unsigned attribute);
const char *reader_text(die_t die, unsigned attribute);
bool reader_number(struct reader *r, die_t die, unsigned attribute, uint64_t *out);
/* One whose form has a sign. */
bool reader_signed(struct reader *r, die_t die, unsigned attribute, int64_t *out);
/* Offset of another DIE of this file. */
bool reader_reference(struct reader *r, die_t die, unsigned attribute, uint64_t *out);
/* Whether it is one of another file, or of a unit of one type, which r->answer.elsewhere has. */
void reader_note_elsewhere(struct reader *r, die_t die, unsigned attribute);
/* DW_OP_plus_uconst, or a number. */
bool reader_place(struct reader *r, die_t die, uint64_t *out);

/* --- ranges.c: the code of a DIE --- */
/* False when it is not in one piece. */
bool reader_range(die_t die, uint64_t *low, uint64_t *high);
/* Whether one of several pieces covers the address; *start: where the first begins. */
bool reader_in_ranges(struct reader *r, die_t die, uint64_t address, uint64_t *start);

/* --- scope.c: names of C++ --- */
bool reader_is_scoped(struct reader *r, die_t die); /* its language has scopes */
/* The name with its scopes; name itself when it is not in one. */
const char *reader_scoped(struct reader *r, die_t die, const char *name);

/* --- convert.c --- */
/* The number of the type that an attribute refers to: void when there is none. */
uint32_t reader_type_at(struct reader *r, uint64_t die, bool members);
/* Describes all that has a number. */
void reader_finish(struct reader *r);

/* --- copy.c: functions that the compiler made of others --- */
/* Whether its parameters are not passed as those of the function that it is a copy of. */
bool reader_altered(struct reader *r, die_t die);

/* --- find.c --- */
void reader_find(struct reader *r);
