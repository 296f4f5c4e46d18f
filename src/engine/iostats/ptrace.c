/* By tracing the calls: engine/iostats/io_trace.h with a log and a report. */
#include "engine/hostfs/journal.h"
#include "engine/iostats/iostats.h"

#include "failed_call.h"
#include "io_trace.h"

#include <errno.h>

struct session {
    const struct iostats_want *want;
    struct journal *journal;
    struct io_counts *counts;
    struct io_failed *failed;       /* NULL: not wanted */
    struct io_processes *processes; /* likewise */
    uint64_t calls;
};

static void log_operation(void *arg, int tid, const struct io_done *done, int file, int64_t result)
{
    struct session *s = arg;
    s->calls++;
    if (s->want->traced)
        s->want->traced(s->want->arg, s->calls);
    if (!journal_wanted(s->journal))
        return;
    journal_add(s->journal, tid, done, file < 0 ? NULL : io_counts_path(s->counts, file),
                result < 0 ? (int)-result : 0);
}

static void add_failed(void *arg, int tid, const struct io_called *c)
{
    failed_call_add(((struct session *)arg)->failed, tid, c);
}

static void report_progress(void *arg)
{
    struct session *s = arg;
    s->want->traced(s->want->arg, s->calls);
}

static const char never[] = "sockets, pipes except the standard descriptors, pages of mapped "
                            "files, readlink, lseek, locks, extended attributes";

static void add_failed_report(const struct session *s, const struct io_report_options *want,
                              struct buf *out)
{
    uint64_t calls = io_counts_operations(s->counts);
    (s->want->json ? io_failed_json : io_failed_text)(s->failed, calls, want, out);
}

static bool add_report(const struct session *s, const struct io_trace_end *end, struct buf *out)
{
    struct buf unseen = BUF_INIT;
    struct io_report_options want = s->want->report;
    io_uncounted_text(&end->unseen, &unseen);
    buf_adds(&unseen, unseen.len ? "; never " : "");
    buf_adds(&unseen, never);
    want.backend = end->method;
    want.unit = "calls";
    want.calls = true;
    want.truncated = journal_end(s->journal);
    want.uncounted = buf_str(&unseen);
    if (s->failed)
        add_failed_report(s, &want, out);
    else if (s->processes)
        (s->want->json ? io_processes_json : io_processes_text)(s->processes, &want, out);
    else
        (s->want->json ? io_report_json : io_report_text)(s->counts, &want, out);
    buf_release(&unseen);
    return want.truncated == NULL;
}

static int not_run(const struct iostats_want *want, int err)
{
    enum { CANNOT = 126, NOT_THERE = 127 };
    bool found = err != -ENOENT;
    return !want->command || (found && err != -EACCES && err != -ENOEXEC) ? 0
           : found                                                        ? CANNOT
                                                                          : NOT_THERE;
}

static int trace_command(struct session *s, struct buf *out, struct iostats_result *result,
                         struct fail *f)
{
    bool each = journal_wanted(s->journal) || s->want->traced;
    const struct io_trace_want trace = {.argv = s->want->command,
                                        .pid = s->want->pid,
                                        .seconds = s->want->seconds,
                                        .done = each ? log_operation : NULL,
                                        .failed = s->failed ? add_failed : NULL,
                                        .processes = s->processes,
                                        .begun = s->want->traced ? report_progress : NULL,
                                        .second_passed = s->want->traced ? report_progress : NULL,
                                        .arg = s};
    struct io_trace_end end;
    journal_start(s->journal, "calls by ptrace");
    int r = io_trace_run(&trace, s->counts, &end, f);
    if (r < 0) {
        result->status = not_run(s->want, r);
        return r;
    }
    result->cut = !add_report(s, &end, out);
    result->status = s->want->command ? child_status(&end.end) : 0;
    result->trace = end.trace;
    return 0;
}

static int run_ptrace(const struct iostats_want *want, struct journal *journal, struct buf *out,
                      struct iostats_result *result, struct fail *f)
{
    struct session s = {.want = want, .journal = journal, .counts = io_counts_new()};
    s.failed = want->failed ? io_failed_new() : NULL;
    s.processes = want->by_process ? io_processes_new() : NULL;
    bool enough = s.counts && (s.failed || !want->failed) && (s.processes || !want->by_process);
    int r = enough ? trace_command(&s, out, result, f) : fail_set(f, ENOMEM, "the counts");
    io_counts_free(s.counts);
    io_failed_free(s.failed);
    io_processes_free(s.processes);
    return r;
}

void iostats_exit(struct iostats_result *result, int status)
{
    if (result->trace)
        io_trace_exit(result->trace, status);
    result->trace = NULL;
}

const struct iostats_backend iostats_ptrace = {"ptrace", run_ptrace};
