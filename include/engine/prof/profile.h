/*
 * profile: a program's exact call tree (a file prof.PID of either version), with the names of its
 * functions: opened once, then shown in any number of reports.
 *
 * The modules of a v2 file are found as those of a recording are, by their path and build-id; what
 * was on another machine, below the sysroot.
 */
#pragma once

#include "core/prof/names.h"
#include "core/stacks/stacks.h"
#include "engine/sampling/report.h"
#include "engine/symbols/symbols.h"

struct profile_want {
    const char *path;        /* "-": standard input */
    const char *program;     /* its symbols; NULL: the one the file names, or one of these: */
    const char *defaults[2]; /* for a v1 file, which names none: the first that exists */
    bool raw;                /* times with what the probes cost */
    bool lines;              /* where functions begin in the source, too */
    bool no_demangle;
    struct debugfile_search search;
};

struct profile {
    struct profile_want want;
    struct prof_tree tree;
    struct prof_names names;
    char method[256];
    /* the rest is its own */
    struct symbols symbols;
    struct modules modules;
    struct module **module_of; /* of the tree's modules; NULL: not looked for */
};

/* -errno and f: no such file, not a profile, a program of another build. Release either way. */
int profile_open(const struct profile_want *want, struct profile *p, struct fail *f);
void profile_release(struct profile *p);

/* A file that libpsprof made, be it empty; not asked of what can be read but once. */
bool profile_is_ours(const char *path);

/* Plan 9's forms are those of SAMPLING_FLAT; the others are views of stacks. */
struct profile_view {
    struct sampling_view view; /* form, function, by_cumulative, json, size */
    bool graph;                /* -d */
    bool recursion;            /* -r */
    bool nodes;                /* -v */
    bool marks;         /* the points in time that the program named, in place of functions */
    bool lines, errors; /* with the place in the source, the error of each share */
    bool threads;       /* a report a thread, busiest first */
    unsigned tabstop;
};

/* Appends the report. Errors as sampling_stacks_report. */
int profile_report(const struct profile *p, const struct profile_view *view, struct buf *out,
                   struct fail *f);

/* The calls as stacks, for files: chains deeper than PROF_STACKS_DEPTH are cut, *flattened is
 * how many nodes were. stacks_release either way. */
int profile_stacks(const struct profile *p, bool by_thread, struct stacks *out, size_t *flattened,
                   struct fail *f);

/* Whole, for a comparison. */
int profile_whole_stacks(const struct profile *p, struct stacks *out, struct fail *f);
