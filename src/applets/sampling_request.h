/*
 * sampling_request: what an applet that samples was asked for, and what all of them do with it: one
 * set of options, a run, its report and its files. tprof and kprof are this with two headers.
 */
#pragma once

#include "applets/symbol_opts.h"
#include "core/export/writer.h"
#include "engine/sampling/report.h"
#include "engine/sampling/sampling.h"

enum { SAMPLING_MAX_OUTPUTS = 16, SAMPLING_HZ = 997, SAMPLING_MAX_CPUS = 8192 };

/* A file that the samples are written into. */
struct sampling_output {
    const struct writer *writer;
    const char *path;
};

struct sampling_request {
    const struct applet *applet;
    struct sampling_want want;
    struct sampling_view view;
    bool command; /* -x: the operands are want.command */
    bool quiet, top;
    bool list_events;      /* nothing is sampled */
    bool has_rate;         /* -F */
    char event_names[512]; /* of want, one behind the other */
    size_t event_bytes;
    const char *report;         /* the report goes there; NULL: standard output, or error */
    const char *kpdata;         /* kprof's histogram goes there; NULL: nowhere */
    int cpu[SAMPLING_MAX_CPUS]; /* of want */
    struct sampling_output output[SAMPLING_MAX_OUTPUTS];
    size_t outputs;
    /* In the place of sampling_write_results, of what was recorded (want.record or want.keeps);
     * NULL: none. Returns the exit status. */
    int (*write_recorded)(void *arg, const struct sampling *recorded);
    void *arg;
};

/* --- sampling_opts.c --- */

/* Numbers of options that have no letter; an applet's own are below. */
enum {
    SAMPLING_JSON = 512,
    SAMPLING_ROWS,
    SAMPLING_OF_TREE,
    SAMPLING_OF_CALLERS,
    SAMPLING_OF_AROUND,
    SAMPLING_RECORD,
    SAMPLING_KEEP,
    SAMPLING_PERIOD,
    SAMPLING_CPUS,
    SAMPLING_BY_PROCESS
};

/* clang-format off */
#define SAMPLING_CHAIN_OPTS                                                                        \
    {OPT_ADVANCED | 'c', "cumulative", NULL, "by cumulative time, with callees (with -g)"},                \
    {SAMPLING_OF_TREE, "tree", NULL, "the call tree (with -g)"},                                   \
    {OPT_ADVANCED | SAMPLING_OF_CALLERS, "callers", NULL, "the call tree upwards (with -g)"},                     \
    {OPT_ADVANCED | SAMPLING_OF_AROUND, "around", "FUNCTION", "this function's callers and callees (with -g)"}
#define SAMPLING_TABLE_OPTS                                                                        \
    {OPT_ADVANCED | SAMPLING_ROWS, "rows", "N|all", "at most N rows per table, the rest in one row"},                       \
    {OPT_ADVANCED | SAMPLING_JSON, "json", NULL, "print one JSON object instead of the table"}
/* clang-format on */

/* Takes x g e t F c o q f and those above. 1 when the option was one of these; 0 when not; -1
 * when it was, and wrong. */
int sampling_opt(struct sampling_request *q, struct opt_state *o, int id);

/* The applet's `values' (applets/applet.h): of the options above, and of tprof's. */
void sampling_values(const struct opt *o, struct buf *out);

/* A form of report that needs chains, or SAMPLING_ANNOTATE. */
void sampling_set_form(struct sampling_request *q, enum sampling_form form, const char *function);

/* Behind the last option: what follows from several. */
void sampling_apply_defaults(struct sampling_request *q);

/* Behind that: whether functions are all that is shown, without callers. */
bool sampling_shows_functions(const struct sampling_request *q);

/* Which options leave each other without a meaning, in words; NULL: none. */
const char *sampling_conflict(const struct sampling_request *q);

/* --- sampling_output.c --- */

/* -o FORMAT:FILE, or -o FILE, which goes to *plain. As sampling_opt: 1, or -1. */
int sampling_parse_output(struct sampling_request *q, const struct opt_state *o,
                          const char **plain);

/* How many of the recording, the histogram and the outputs are standard output. */
int sampling_stdout_users(const struct sampling_request *q);

/* Whether no bytes would be written to a terminal. */
int sampling_check_terminal(const struct sampling_request *q);

/* The view's size on the terminal that the report is for, if it is for one. Behind the report are
 * the lines of files, and so many more. */
void sampling_set_size(const struct sampling_request *q, struct sampling_view *view,
                       size_t lines_behind);

/* Before the sampling whose results it would lose: whether all files can be written. */
int sampling_check_outputs(const struct sampling_request *q);

/* The files that -o FORMAT:FILE names. before: to compare with, NULL: nothing. */
int sampling_write(const struct sampling_request *q, const struct stacks *stacks,
                   const struct stacks *before);

/* What a report says, to where it goes. One that its file will not take is not lost. */
struct buf;
int sampling_print_report(const struct sampling_request *q, const struct buf *out);

/* On a terminal, unless quiet: the files that were written, and how to open them. */
void sampling_say_wrote(const struct sampling_request *q);

/* Two compared: the files, then the report. Formats that cannot show a difference are refused by
 * the check. Both return an exit status. */
int sampling_check_diff(const struct sampling_request *q);
int sampling_print_diff(const struct sampling_request *q, const struct stacks *before,
                        const struct stacks *after);

/* Says what is doubtful about a sampling, and about the names of its modules; `of' is what it is
 * called. */
void sampling_warn(const struct sampling_request *q, const struct sampling *s, const char *of);
/* What the report lacks, why, and what to type: each ends with a NUL. */
void sampling_hints(const struct sampling_request *q, struct sampling *s, struct buf *out);

/* The report, and the files. Returns the exit status. */
int sampling_write_results(const struct sampling_request *q, struct sampling *s);

/* --- sampling_events.c --- */

/* -e list: the events, and whether this machine samples by them. Returns the exit status. */
int sampling_print_events(const struct sampling_request *q);

/* --- sampling_session.c --- */

/* Samples, reports, waits for the command. -o FORMAT:FILE takes call chains, without -g, too.
 * Returns the exit status, the command's if there is one. */
int sampling_session(struct sampling_request *q);

/* Reads what a sampling has recorded, from its file or its memory. */
int sampling_read_recorded(const struct sampling *recorded, const char *path,
                           const struct sampling_want *want, struct sampling *s, struct fail *f);
