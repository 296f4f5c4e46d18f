/* By tracing the calls: engine/io_trace.h with a log and a report. */
#include "core/buf.h"
#include "engine/io_trace.h"
#include "engine/iostats.h"
#include "plat/clock.h"
#include "plat/file.h"

#include <errno.h>
#include <string.h>

enum { FLUSH = 1 << 16 };

struct session {
    const struct iostats_want *want;
    struct io_counts *counts;
    int log; /* handle; -1: none */
    uint64_t origin_ns;
    struct buf lines;
};

/* --- the log --- */

/* A full disk: the command goes on. */
static void flush(struct session *s)
{
    if (s->log >= 0 && s->lines.len &&
        file_append(s->log, s->lines.data, s->lines.len, s->want->log, NULL) < 0)
        s->log = -1;
    buf_clear(&s->lines);
}

static void log_line(void *arg, int tid, const struct io_done *done, int file, int64_t result)
{
    struct session *s = arg;
    (void)tid;
    const struct io_log line = {.origin_ns = s->origin_ns,
                                .done = done,
                                .path = file < 0 ? NULL : io_counts_path(s->counts, file),
                                .error = result < 0 ? strerror((int)-result) : NULL};
    io_log_line(&line, &s->lines);
    if (s->lines.len > FLUSH)
        flush(s);
}

/* --- the report --- */

static const char never[] = "pipes, sockets, pages of mapped files, readlink, lseek, locks, "
                            "extended attributes";

static void report(const struct session *s, const struct io_trace_end *end, struct buf *out)
{
    struct buf unseen = BUF_INIT;
    struct io_report_want want = s->want->report;
    io_unseen_text(&end->unseen, &unseen);
    buf_adds(&unseen, unseen.len ? "; never " : "");
    buf_adds(&unseen, never);
    want.way = end->method;
    want.unit = "calls";
    want.uncounted = buf_str(&unseen);
    (s->want->json ? io_report_json : io_report_text)(s->counts, &want, out);
    buf_release(&unseen);
}

static int not_run(const struct iostats_want *want, int err)
{
    enum { CANNOT = 126, NOT_THERE = 127 };
    bool found = err != -ENOENT;
    return !want->command || (found && err != -EACCES && err != -ENOEXEC) ? 0
           : found                                                        ? CANNOT
                                                                          : NOT_THERE;
}

static int watch(struct session *s, struct buf *out, struct iostats_result *result, struct fail *f)
{
    const struct io_trace_want trace = {.argv = s->want->command,
                                        .pid = s->want->pid,
                                        .done = s->log < 0 ? NULL : log_line,
                                        .arg = s};
    struct io_trace_end end;
    int r = io_trace_run(&trace, s->counts, &end, f);
    if (r < 0) {
        result->status = not_run(s->want, r);
        return r;
    }
    flush(s);
    report(s, &end, out);
    result->status = s->want->command ? child_status(&end.end) : 0;
    result->trace = end.trace;
    return 0;
}

static int run(const struct iostats_want *want, struct buf *out, struct iostats_result *result,
               struct fail *f)
{
    struct session s = {.want = want, .log = -1, .origin_ns = clock_mono_ns()};
    if (want->log && (s.log = file_create(want->log, want->force, f)) < 0)
        return s.log;
    s.counts = io_counts_new();
    int r = s.counts ? watch(&s, out, result, f) : fail_set(f, ENOMEM, "the counts");
    if (s.log >= 0)
        file_finish(s.log, want->log, NULL);
    buf_release(&s.lines);
    io_counts_free(s.counts);
    return r;
}

void iostats_leave(struct iostats_result *result, int status)
{
    if (result->trace)
        io_trace_leave(result->trace, status);
    result->trace = NULL;
}

const struct iostats_way iostats_ptrace = {"ptrace", run};
