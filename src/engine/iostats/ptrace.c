/* By tracing the calls: engine/iostats/io_trace.h with a log and a report. */
#include "engine/hostfs/journal.h"

#include "core/io/call.h"
#include "core/io/failed.h"
#include "engine/iostats/iostats.h"
#include "io_trace.h"
#include "plat/iotrace.h"
#include "plat/proc.h"

#include <errno.h>

struct session {
    const struct iostats_want *want;
    struct journal *journal;
    struct io_counts *counts;
    struct io_failed *failed;       /* NULL: not wanted */
    struct io_processes *processes; /* likewise */
    uint64_t calls;
};

/* --- the file that a failed call named, asked of the thread that called --- */

enum { MAX_PATH = 4096 }; /* the kernel's PATH_MAX */

/* The directory, for a name that begins there; nothing when it is not known. */
static void add_directory(struct buf *out, int tid, const struct io_called *c)
{
    char at[MAX_PATH];
    size_t len = iotrace_path(NULL, tid, io_called_directory(c), at, sizeof at);
    if (len <= sizeof at)
        buf_add(out, at, len);
}

static void add_path(struct buf *out, int tid, const struct io_called *c)
{
    char name[MAX_PATH];
    int len = iotrace_string(tid, io_called_path_addr(c), name, sizeof name);
    if (len < 0)
        return buf_adds(out,
                        len == -ENAMETOOLONG ? "(a name that is too long)" : "(not in memory)");
    if (name[0] != '/')
        add_directory(out, tid, c);
    if (name[0] && name[0] != '/' && out->len && out->data[out->len - 1] != '/')
        buf_addc(out, '/');
    buf_add(out, name, (size_t)len);
}

/* Counts it if it named a file; the thread is still stopped. */
static void add_failed(void *arg, int tid, const struct io_called *c)
{
    const struct session *s = arg;
    SCOPED_BUF path = BUF_INIT, program = BUF_INIT;
    if (!io_called_path_addr(c))
        return;
    add_path(&path, tid, c);
    io_trace_program(tid, &program);
    io_failed_add(s->failed, &(struct io_failure){.call = c->call->name,
                                                  .error = (int)-c->result,
                                                  .program = buf_str(&program),
                                                  .path = buf_str(&path)});
}

/* --- all calls --- */

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
    SCOPED_BUF unseen = BUF_INIT;
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
