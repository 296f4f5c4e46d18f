#include "engine/sampling/held.h"

#include "core/report/kpdata.h"
#include "engine/sampling/report.h"
#include "engine/sampling/sampling.h"
#include "plat/proc.h"

#include <errno.h>
#include <stdlib.h>

enum { HZ = 997, ROUND_MS = 250 };

struct profiling {
    int pid;
    bool runs;
    struct sampling sampling; /* while it runs */
    struct buf past;          /* the file of what ran before */
};

static int begin_sampling(struct profiling *p, struct fail *f)
{
    struct sampling_want process = {.pid = p->pid, .children = true, .same_text = true, .hz = HZ};
    struct sampling_want kernel = {
        .everything = true, .kernel = true, .no_user = true, .user_apart = true, .hz = HZ};
    int r = sampling_begin(p->pid ? &process : &kernel, &p->sampling, f);
    if (r < 0)
        sampling_release(&p->sampling);
    p->runs = r == 0;
    return r;
}

int profiling_start(int pid, struct profiling **out, struct fail *f)
{
    struct profiling *p = calloc(1, sizeof *p);
    if (!p)
        return fail_set(f, ENOMEM, "profiling");
    p->pid = pid;
    int r = begin_sampling(p, f);
    if (r < 0)
        free(p);
    else
        *out = p;
    return r;
}

/* What the sampling that runs has counted. */
static int write_counted(struct profiling *p, struct buf *out, struct fail *f)
{
    uint64_t modules;
    return p->pid ? sampling_profile(&p->sampling, out, f)
                  : sampling_kpdata(&p->sampling, out, &modules, f);
}

/* Both kinds of file are sums; one whose head says otherwise is of another program (an exec). */
static void add_past(struct profiling *p, struct buf *now)
{
    if (p->past.len && !p->pid)
        kpdata_add(now, &p->past);
}

int profiling_text(struct profiling *p, struct buf *out, struct fail *f)
{
    SCOPED_BUF now = BUF_INIT;
    int r = 0;
    if (!p->runs) {
        buf_add(out, p->past.data, p->past.len);
        return 0;
    }
    sampling_poll(&p->sampling);
    r = write_counted(p, &now, f);
    if (r == 0) {
        add_past(p, &now);
        buf_add(out, now.data, now.len);
    }
    return r;
}

size_t profiling_length(struct profiling *p)
{
    if (!p->runs)
        return p->past.len;
    return p->pid ? sampling_profile_length(&p->sampling) : sampling_kpdata_length(&p->sampling);
}

int profiling_pause(struct profiling *p, struct fail *f)
{
    struct buf now = BUF_INIT;
    if (!p->runs)
        return 0;
    int r = sampling_stop(&p->sampling, f);
    if (r == 0)
        r = write_counted(p, &now, f);
    if (r == 0) {
        add_past(p, &now);
        buf_release(&p->past);
        p->past = now;
    } else {
        buf_release(&now);
    }
    sampling_release(&p->sampling);
    p->runs = false;
    return r;
}

int profiling_resume(struct profiling *p, struct fail *f)
{
    return p->runs ? 0 : begin_sampling(p, f);
}

int profiling_tend(struct profiling *p)
{
    if (!p->runs)
        return -1;
    sampling_poll(&p->sampling);
    if (p->pid && !proc_alive(p->pid)) {
        profiling_pause(p, NULL);
        return -1;
    }
    return ROUND_MS;
}

void profiling_free(struct profiling *p)
{
    if (!p)
        return;
    if (p->runs)
        sampling_release(&p->sampling);
    buf_release(&p->past);
    free(p);
}
