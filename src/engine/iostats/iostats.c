#include "engine/iostats/iostats.h"

#include "engine/hostfs/journal.h"

#include "plat/proc.h"

#include <errno.h>
#include <string.h>

/* The ways, the best first. */
static const struct iostats_backend *const backends[] = {&iostats_9p, &iostats_fuse,
                                                         &iostats_ptrace, NULL};

const struct iostats_backend *iostats_backend_named(const char *name)
{
    for (size_t i = 0; backends[i]; i++)
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
    return NULL;
}

/* Why a backend is not possible, and what is already known of earlier ones. */
static void add_why(struct buf *why, const struct iostats_backend *backend, const struct fail *f)
{
    buf_printf(why, "%s%s (%s%s%s)", why->len ? ", " : "", backend->name, f->what,
               f->err ? ": " : "", f->err ? strerror(f->err) : "");
}

static int run_first(const struct iostats_want *want, struct journal *journal, struct buf *report,
                     struct iostats_result *result, struct fail *f)
{
    struct iostats_want now = *want;
    SCOPED_BUF why = BUF_INIT;
    int r = -1;
    for (size_t i = 0; backends[i]; i++) {
        now.report.failed_backend = why.len ? buf_str(&why) : NULL;
        r = backends[i]->run(&now, journal, report, result, f);
        if (r == 0 || result->status)
            break;
        if (backends[i + 1])
            add_why(&why, backends[i], f);
        else if (why.len && !*f->hint)
            fail_hint(f, "the other methods failed, too: %s", buf_str(&why));
    }
    return r;
}

int iostats_run(const struct iostats_backend *backend, const struct iostats_want *want,
                struct buf *report, struct iostats_result *result, struct fail *f)
{
    struct journal journal;
    *result = (struct iostats_result){0};
    if (proc_check(f) < 0) /* files and commands are looked up there */
        return -ENOENT;
    if (!want->command || want->failed ||
        want->by_process) /* nothing else comes behind what runs already, or has these */
        backend = &iostats_ptrace;
    int r = journal_open(&journal, want->log, want->trace, want->force, f);
    if (r < 0)
        return r;
    r = backend ? backend->run(want, &journal, report, result, f)
                : run_first(want, &journal, report, result, f);
    if (r < 0) {
        journal_start(&journal, "nothing");
        journal_end(&journal);
    }
    journal_close(&journal);
    return r;
}
