/*
 * iostats: runs a command and counts its file operations, as iostats(4) does, by one of several
 * methods.
 */
#pragma once

#include "core/base/fail.h"
#include "core/io/report.h"

#include <stdbool.h>

struct buf;
struct io_trace;
struct journal; /* private to the engine */

/* By 9p: the largest message, which is the most that the kernel's client takes. */
enum { IOSTATS_9P_MESSAGE_BYTES = 1 << 20 };

struct iostats_want {
    char **command; /* NULL: the process */
    int pid;
    double seconds;    /* of the process: the report comes after that; 0: when it ends */
    const char *log;   /* file for a line an operation, overwritten; NULL: none */
    const char *trace; /* file for Chrome's trace; NULL: none. Never overwritten unless force */
    bool force;
    bool no_standard; /* by 9p and fuse: standard descriptors are neither traced nor counted */
    bool json;
    bool failed;     /* the report is of the calls that failed, and only ptrace has them */
    bool by_process; /* the report is by process, which only ptrace has, too */
    struct io_report_options report; /* the way fills in what is said of it */
    /* Of a process: first once it is traced, then after each call that was counted, and each
     * second; calls: so far. May be NULL. */
    void (*traced)(void *arg, uint64_t calls);
    void *arg;
};

/* What came of it. */
struct iostats_result {
    int status;             /* the command's exit status, as child.h gives it */
    bool cut;               /* a log or a trace is not whole, as the report says */
    struct io_trace *trace; /* for iostats_exit */
};

struct iostats_backend {
    const char *name;
    /* Runs the command and appends the report. A failure before the command was started leaves
     * nothing behind, so that another way may be tried; a success has ended the journal. */
    int (*run)(const struct iostats_want *want, struct journal *journal, struct buf *report,
               struct iostats_result *result, struct fail *f);
};

/* NULL when there is none of this name. */
const struct iostats_backend *iostats_backend_named(const char *name);

/* way NULL: the first one that this system allows; the report then says why those before it could
 * not be. f is not NULL. -ENOENT, -EACCES...: the command could not be executed, see status. */
int iostats_run(const struct iostats_backend *backend, const struct iostats_want *want,
                struct buf *report, struct iostats_result *result, struct fail *f);

/* Behind the report: psuite exits with this status. By ptrace what the command left behind is
 * watched over here until it ends (engine/iostats/io_trace.h). */
void iostats_exit(struct iostats_result *result, int status);

extern const struct iostats_backend iostats_9p, iostats_fuse, iostats_ptrace;
