/*
 * coverage: how often each instruction, line and function of a program was executed: counted while
 * a command runs, or read from recordings of that.
 *
 * A thread is stepped, an instruction at a time, while it is in one of the modules; everywhere else
 * it runs at full speed, to breakpoints at the modules' functions and where their calls return to.
 */
#pragma once

#include "core/coverage/record.h"
#include "core/coverage/report.h"
#include "core/symbol/demangle.h"
#include "engine/symbols/symbols.h"
#include "plat/child.h"

struct coverage_want {
    char *const *command;
    const char *const *module; /* names or paths; none: the command's program */
    size_t modules;
    /* Called about ten times per second while instructions are executed: how many so far, and how
     * many different ones. NULL: nobody is told. */
    void (*progress)(void *arg, uint64_t executed, uint64_t different);
    void *arg;
};

/* Runs the command to its end, and adds what it executed. -errno and f: it could not be executed or
 * traced. */
int coverage_run(const struct coverage_want *want, struct coverage_record *r, struct child_end *end,
                 struct fail *f);

/* Adds a recording. */
int coverage_read(const char *path, struct coverage_record *r, struct fail *f);

/* A record with the names of functions and lines. */
struct coverage {
    struct symbols symbols;
    struct modules modules;
    struct covered covered;
    struct demangler names;
    char method[160];
};

/* search must outlive it. here: it was counted on this machine. Release either way. */
int coverage_open(const struct coverage_record *r, const struct debugfile_search *search, bool here,
                  struct coverage *c, struct fail *f);
void coverage_release(struct coverage *c);

static inline struct coverage_view coverage_view_of(struct coverage *c)
{
    return (struct coverage_view){&c->covered, &c->names, c->method};
}

/* Appends the source of a function, with its counts. -EINVAL: no such function; no source. */
int coverage_annotate(struct coverage *c, const char *function, struct buf *out, struct fail *f);
