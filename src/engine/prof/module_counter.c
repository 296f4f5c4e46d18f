/* The process that traces programs, and answers what it has counted. */
#include "module_counter.h"

#include "plat/apart.h"
#include "plat/guard.h"
#include "plat/limits.h"
#include "plat/proc.h"

#include <errno.h>

struct counter {
    int end;
    struct breaks *breaks;
    const struct module_kind *kind;
    void *counts;
};

bool module_wants_program(const struct profdev *p, int pid)
{
    SCOPED_BUF path = BUF_INIT;
    proc_program(pid, &path);
    return !p->pid && profdev_wants_program(p, buf_str(&path));
}

static int answer_record(const struct counter *c, struct buf *text, struct fail *f)
{
    struct coverage_record record = {.module = NULL};
    int r = c->kind->count(c->counts, &record);
    if (r == 0)
        coverage_record_write(&record, text);
    coverage_record_release(&record);
    if (r == 0)
        r = buf_error(text);
    if (r == 0 && text->len > MODULE_MAX_RECORD)
        r = -EFBIG;
    return r < 0 ? fail_set(f, -r, "counts") : 0;
}

static int answer_request(const struct counter *c, const struct module_request *q)
{
    SCOPED_BUF text = BUF_INIT;
    struct module_answer a = {.err = 0};
    if (q->question == MODULE_PROGRAM) {
        a.err = breaks_add(c->breaks, q->pid, &a.why);
    } else if (q->question == MODULE_PROCESS) {
        a.err = breaks_attach(c->breaks, q->pid, &a.why);
    } else {
        if (q->question == MODULE_END)
            breaks_leave(c->breaks);
        a.err = answer_record(c, &text, &a.why);
    }
    a.len = a.err < 0 ? 0 : text.len;
    int r = apart_send(c->end, &a, sizeof a);
    if (r == 0 && a.len)
        r = apart_send(c->end, text.data, a.len);
    return r;
}

static int trace_and_answer(void *arg)
{
    struct counter *c = arg;
    struct module_request q = {MODULE_COUNT, 0};
    while (q.question != MODULE_END) {
        breaks_attend(c->breaks, c->end);
        if (apart_receive(c->end, &q, sizeof q) < 0 || answer_request(c, &q) < 0)
            break;
    }
    apart_close(c->end);
    if (q.question != MODULE_END)
        breaks_leave(c->breaks);
    breaks_outlast(c->breaks);
    return 0;
}

/* Files of code that shrink meanwhile end it, and the programs that have breakpoints. */
void module_counter_run(const struct profdev *p, int end)
{
    struct counter c = {.end = end};
    c.kind = p->running == PROFDEV_MEMORY ? &module_memory : &module_coverage;
    struct breaks_callbacks to = {.arg = NULL};
    limits_first_victim();
    c.counts = c.kind->start(p, &to);
    if (c.counts && breaks_follow(&to, &c.breaks, NULL) == 0)
        guard_call(trace_and_answer, &c, NULL);
}
