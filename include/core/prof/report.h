/*
 * prof_report: Plan 9's lines of a call tree (FORMATS 4), the table of functions behind them, and
 * its JSON. Other views and formats are those of stacks: core/prof/stacks.h.
 *
 * thread is one of the tree's, or PROF_NONE: all together.
 */
#pragma once

#include "core/prof/names.h"

struct buf;

struct prof_row {
    uint32_t function; /* of the names */
    uint64_t calls;
    uint64_t self_ns, total_ns; /* total: a chain of calls counts once, also with recursion */
    uint64_t error_ns;          /* self_ns is off by no more, 19 times in 20 */
    int64_t raw_self_ns;        /* as measured, the probes' cost included */
};

/* A row a function that was called, most self time first, then most calls, then by name. */
struct prof_flat {
    const struct prof_names *names;
    struct prof_row *row;
    size_t rows;
    uint64_t total_ns;    /* self times of all rows */
    double error_squares; /* the sum of theirs */
};

/* Of a v1 file only functions with a symbol have rows, as Plan 9 has it. 0 or -ENOMEM; release
 * either way. */
int prof_flat_make(const struct prof_names *n, uint32_t thread, struct prof_flat *out);
void prof_flat_release(struct prof_flat *f);

/* max_rows: at most so many, the others as one; 0: all. fitted: that is the terminal's
 * (core/text/report_fit.h). width: of a line, longer names are shortened; 0: any. lines: with the
 * place in the source.
 * errors: with the error of each share, in percentage points, when it is 0.1 or more. */
struct prof_flat_options {
    size_t max_rows, width;
    bool fitted, lines, errors;
};
void prof_flat_text(const struct prof_flat *f, const struct prof_flat_options *options,
                    struct buf *out);

/* The tree (-d): recursion cut off, or not (-r). 0 or -ENOMEM. */
struct prof_graph_options {
    bool recursion;
    unsigned tabstop; /* columns; at least 1 */
};
int prof_graph_text(const struct prof_names *n, uint32_t thread,
                    const struct prof_graph_options *options, struct buf *out);

/* A line a node, as the file has them (-v). */
void prof_nodes_text(const struct prof_names *n, uint32_t thread, struct buf *out);

/* The points in time that the program named, a line each. 0 or -ENOMEM. */
int prof_marks_text(const struct prof_tree *t, struct buf *out);

/*
 * {...,"method","lost","version","type","type_note","clock","ticks_per_second","resolution_ps",
 * "inside_ps","outside_ps","untimed_ps","pid","command","start_ns","duration_ns","cpu_ns","ended","cut",
 * "notes":[...],"marks":[{"name","tid","ns"}],"total_ns","scaled_nodes","threads_refused","modules_refused",
 * "threads":[{"tid","name","threads","total_ns","spent_ns","refused_calls","refused_nodes",
 * "missed_exits","orphan_exits","samples","hook_samples","preempted_ns","cpu_ns",
 * "functions":[...]}],
 * "functions":[{"name","raw","module","address","file","line","calls","self_ns","total_ns",
 * "error_ns","raw_self_ns"}]}. lost: calls that have no node. Threads have their functions when
 * by_thread.
 */
int prof_json(const struct prof_names *n, const char *method, bool by_thread, struct buf *out);

/* How it was measured, in one line: `exact, elapsed by tsc (1.0 ns), probes of 12.3 ns a call taken
 * out'. */
void prof_method(const struct prof_tree *t, bool raw, struct buf *out);

/* What is missing from a v2 tree or needs saying, a line each: what was refused, scaled, killed.
 * all: also calls that never returned. What was wrong in the file is in the tree's notes. */
void prof_remarks(const struct prof_tree *t, bool all, struct buf *out);

/* The type of measurement by its word; "type N" for one that is not known. */
const char *prof_type_name(uint32_t type);
