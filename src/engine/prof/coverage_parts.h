/*
 * coverage_parts: counting: coverage_run.c steps the threads of a command, coverage_calls.c is
 * called for them, coverage_files.c knows the files of code, coverage_images.c where they are
 * mapped, coverage_landing.c handlers of exceptions.
 */
#pragma once

#include "core/coverage/code.h"
#include "core/elf/elf.h"
#include "core/profdev/device.h"
#include "core/sample/maps.h"
#include "engine/prof/coverage.h"
#include "plat/breaks.h"
#include "plat/file.h"

/* A file of code that is counted, the loader, or an unwinder. */
struct coverage_file {
    char *path;
    uint32_t major, minor;
    uint64_t inode;
    struct image image;
    struct elf_module *elf;
    uint64_t start, end; /* its text, link-time */
    struct coverage_entries entries;
    struct coverage_module *module; /* NULL: it is not counted */
};

/* Where a file's text is, in a process. */
struct coverage_place {
    const struct coverage_file *file;
    uint64_t start, end; /* run-time */
    uint64_t bias;       /* run-time less link-time */
};

/* The function of an unwinder to which an exception's handler is told before it is jumped to. */
struct coverage_landing {
    uint64_t start;  /* run-time; 0: none is loaded */
    bool by_pointer; /* _Unwind_VRS_Set of 32-bit ARM; else _Unwind_SetIP */
};

struct coverage_image {
    struct coverage_place *place;
    size_t places, cap;
    uint64_t loaded; /* the loader calls this when it has mapped a file; 0: unknown */
    struct coverage_landing landing;
};

struct coverage_counting {
    const struct coverage_want *want;
    const struct profdev *device; /* whose list of modules counts instead; NULL: want's does */
    struct coverage_record *record;
    struct coverage_file **file;
    size_t files, cap;
    char *program;                /* of the command, by its first exec */
    size_t unset;                 /* breakpoints that could not be set */
    uint64_t executed, different; /* instructions */
    bool failed;                  /* memory ended */
};

/* --- coverage_calls.c --- */

struct breaks_callbacks coverage_callbacks(struct coverage_counting *c);

/* --- coverage_files.c --- */

/* The file of a mapping, opened when it is new; NULL: it cannot be read, or is no code of this
 * processor. */
struct coverage_file *coverage_file_of(struct coverage_counting *c, int pid,
                                       const struct maps_line *at);
void coverage_files_release(struct coverage_counting *c);

/* Whether a file is to be counted. */
bool coverage_is_wanted(const struct coverage_counting *c, const char *path);

/* --- coverage_landing.c --- */

/* Whether a file is an unwinder; and sets the breakpoint in it. */
bool coverage_is_unwinder(const char *path);
void coverage_watch_unwinder(struct coverage_counting *c, const struct breaks_stop *s,
                             const struct coverage_file *x, uint64_t bias);
/* The breakpoint was reached: sets one at the handler. */
void coverage_land(struct coverage_counting *c, const struct breaks_stop *s);

/* --- coverage_images.c --- */

/* Looks for files that are to be counted, and sets their breakpoints. */
void coverage_image_look(struct coverage_counting *c, const struct breaks_stop *s, bool first);
struct coverage_image *coverage_image_copy(const struct coverage_image *from);
void coverage_image_free(struct coverage_image *m);
const struct coverage_place *coverage_place_at(const struct coverage_image *m, uint64_t pc);
