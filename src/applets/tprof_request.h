/*
 * tprof_request: what tprof was asked for, shared by its parts: tprof.c (options), tprof_output.c
 * (where reports and files go), tprof_files.c (what is made of files).
 */
#ifndef PSUITE_APPLETS_TPROF_REQUEST_H
#define PSUITE_APPLETS_TPROF_REQUEST_H

#include "applets/symbol_opts.h"
#include "core/writer.h"
#include "engine/sampling.h"
#include "engine/sampling_report.h"

enum { TPROF_MOST_OUTPUTS = 16 };

extern const struct applet applet_tprof;

/* A file that the samples are written into. */
struct tprof_output {
    const struct writer *writer;
    const char *path;
};

struct tprof_request {
    struct sampling_want want;
    struct sampling_view view;
    struct symbol_opts symbols;
    bool command, all, force, quiet, diff, top;
    const char *folder; /* -n */
    const char *bundle;
    const char *report; /* the report goes there; NULL: standard output, or error */
    struct tprof_output output[TPROF_MOST_OUTPUTS];
    size_t outputs;
};

/* --- tprof_output.c --- */

/* -o FORMAT:FILE or -o FILE. USAGE when it is neither. */
int tprof_take_output(struct tprof_request *q, const char *text);

/* How many of the recording and the outputs are standard output. */
int tprof_stdout_users(const struct tprof_request *q);

/* Before the sampling whose results it would lose: whether all files can be written. */
int tprof_check_outputs(const struct tprof_request *q);

/* The report, and the files. Returns the exit status. */
int tprof_report(const struct tprof_request *q, struct sampling *s);

/* --- tprof_files.c --- */

int tprof_from_folder(const struct tprof_request *q, const char *pid, const char *binary);
int tprof_from_file(const struct tprof_request *q, const char *path);
int tprof_diff(const struct tprof_request *q, const char *before, const char *after);
int tprof_bundle(const struct tprof_request *q);

#endif
