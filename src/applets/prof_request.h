/*
 * prof_request: what prof was asked for, shared by its parts: prof.c (options), prof_files.c (what
 * is made of files), prof_probes.c (--dry-run),
 * prof_coverage.c (--coverage), prof_heap.c (--heap), prof_words.c (what a program is built with).
 * Where reports and files go is sampling_request's.
 */
#pragma once

#include "engine/prof/profile.h"
#include "sampling_request.h"

extern const struct applet applet_prof;

enum { PROF_MAX_MODULES = 64 };

struct prof_request {
    struct sampling_request ask; /* its view's form, files and symbols; nothing is sampled */
    bool graph, recursion, nodes, lines, errors, raw, threads, diff, marks, dry_run, unpatched;
    const char *v1; /* written there */
    bool coverage, heap;
    bool heap_by;     /* --by was given */
    const char *lcov; /* written there */
    const char *annotate;
    const char *module[PROF_MAX_MODULES];
    size_t modules;
};

/* path and program may be NULL: Plan 9's names. */
int prof_show(const struct prof_request *q, const char *program, const char *path);
int prof_diff(const struct prof_request *q, const char *before, const char *after);

int prof_dry_run(const struct prof_request *q, char **path, int paths);

/* --coverage: of a command, or of recordings. */
int prof_coverage(struct prof_request *q, char **operand, int operands);

/* --heap: of a command, or of a recording. --by: 1, or -1 after having said what is wrong. */
int prof_heap(struct prof_request *q, char **operand, int operands);
int prof_heap_weight(struct prof_request *q, const struct opt_state *o);

/* --cflags, --libs. */
int prof_print_cflags(void);
int prof_print_libs(void);
