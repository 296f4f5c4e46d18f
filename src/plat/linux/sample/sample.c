/* Selects the sampling backend: perf events, else ptrace if it can do what is wanted. */
#include "perf/sampler.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Perf events are not there, or not for us. */
static bool is_perf_unavailable(int e)
{
    return e == -EACCES || e == -EPERM || e == -ENOSYS || e == -ENOENT || e == -ENOBUFS;
}

static int fail_by_ptrace(const char *what, const char *option, struct fail *f)
{
    fail_set(f, EOPNOTSUPP, "%s by ptrace", what);
    fail_hint(f, "%s needs perf events: `psuite doctor tprof' shows whether they are available",
              option);
    return -EOPNOTSUPP;
}

/* A tracer follows one process and what it starts. */
static int fail_several_by_ptrace(struct fail *f)
{
    fail_set(f, EOPNOTSUPP, "several processes by ptrace");
    fail_hint(f, "name one process, or use perf events (`psuite doctor tprof')");
    return -EOPNOTSUPP;
}

/* What ptrace cannot do is no news where perf was asked. */
static void add_ptrace_failure(const struct fail *ptrace, struct fail *f)
{
    char hint[sizeof f->hint];
    if (!f || ptrace->err == EOPNOTSUPP)
        return;
    snprintf(hint, sizeof hint, "%s", f->hint);
    fail_hint(f, "%s%sptrace cannot sample it either: %s%s%s", hint, hint[0] ? "; " : "",
              ptrace->what, ptrace->err ? ": " : "", ptrace->err ? strerror(ptrace->err) : "");
}

static bool needs_perf(const struct sample_want *want)
{
    return want->waits || want->others || want->cpus || want->period || want->mores;
}

int sample_open(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    const struct sampler_backends *backends = &sampler_backends;
    if (want->backend == SAMPLE_PTRACE && want->waits)
        return fail_by_ptrace("waits", "-w", f);
    if (want->backend == SAMPLE_PTRACE && want->cpus)
        return fail_by_ptrace("chosen CPUs", "--cpus", f);
    if (want->backend == SAMPLE_PTRACE && want->period)
        return fail_by_ptrace("a fixed period", "--period", f);
    if (want->backend == SAMPLE_PTRACE && want->mores)
        return fail_by_ptrace("several events", "-e", f);
    if (want->backend == SAMPLE_PTRACE && want->others)
        return fail_several_by_ptrace(f);
    if (want->backend == SAMPLE_PTRACE)
        return backends->ptrace(want, out, f);
    int e = backends->perf(want, out, f);
    if (want->backend != SAMPLE_ANY || !is_perf_unavailable(e) || needs_perf(want))
        return e;
    struct fail by_ptrace;
    if (backends->ptrace(want, out, &by_ptrace) == 0)
        return 0;
    add_ptrace_failure(&by_ptrace, f);
    return e;
}

void sample_close(struct sampler *s)
{
    if (s)
        s->ops->close(s);
}

const char *sample_method(const struct sampler *s)
{
    return s->method;
}

uint64_t sample_hz(const struct sampler *s)
{
    return s->hz;
}

void sample_format(const struct sampler *s, struct perfrec_format *out)
{
    *out = s->format;
}

uint64_t sample_event_hz(const struct sampler *s, size_t event)
{
    return s->ops->event_hz ? s->ops->event_hz(s, event) : s->hz;
}

size_t sample_event_of(const struct sampler *s, uint64_t id)
{
    return s->ops->event_of ? s->ops->event_of(s, id) : 0;
}

size_t sample_handles(const struct sampler *s, const int **handles)
{
    return s->ops->handles(s, handles);
}

uint64_t sample_lost(const struct sampler *s)
{
    return s->ops->lost ? s->ops->lost(s) : 0;
}

uint32_t sample_short_stack(const struct sampler *s)
{
    return s->ops->short_stack ? s->ops->short_stack(s) : 0;
}

void sample_shorten_stack(struct sampler *s, bool to_short)
{
    if (s->ops->shorten_stack)
        s->ops->shorten_stack(s, to_short);
}

void sample_stop(struct sampler *s)
{
    s->ops->stop(s);
}

void sample_read(struct sampler *s, sample_record_fn *emit, void *arg)
{
    s->ops->read(s, emit, arg);
}

static void copy_record(void *arg, const void *record, size_t len)
{
    buf_add(arg, record, len);
}

void sample_take(struct sampler *s, struct buf *bytes)
{
    if (!s->ops->take || !s->ops->take(s, bytes))
        s->ops->read(s, copy_record, bytes);
}
