/* psuite whose samplings all go by ptrace: `psuite-ptrace tprof -x ...'. What the tracer did is
 * written to the file $PTRACE_COUNTS names. $PTRACE_WANT has `c' for call chains. */
#include "ptrace/sample_ptrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void tell(const struct sampler *s)
{
    const char *path = getenv("PTRACE_COUNTS");
    FILE *to = path ? fopen(path, "w") : NULL;
    struct ptrace_counts c;
    struct rusage u;
    if (!to)
        return;
    ptrace_sampler_counts(s, &c);
    getrusage(RUSAGE_SELF, &u);
    fprintf(to, "ticks %" PRIu64 "\nmissed %" PRIu64 "\nasked %" PRIu64 "\nlooks %" PRIu64 "\n",
            c.ticks, c.missed, c.interrupts, c.samples);
    fprintf(to, "weights %" PRIu64 "\nweight_squares %" PRIu64 "\n", c.weights, c.weight_squares);
    fprintf(to, "in_call %" PRIu64 "\nagain %" PRIu64 "\nkept %" PRIu64 "\nrest %" PRIu64 "\n",
            c.in_call, c.calls_repeated, c.eintr_kept, c.writes_resumed);
    fprintf(to, "stop_ns %" PRIu64 "\nlook_ns %" PRIu64 "\nstack_bytes %" PRIu64 "\n", c.stop_ns,
            c.sample_ns, c.stack_bytes);
    fprintf(to, "user_us %ld\nsys_us %ld\n", u.ru_utime.tv_sec * 1000000L + u.ru_utime.tv_usec,
            u.ru_stime.tv_sec * 1000000L + u.ru_stime.tv_usec);
    fclose(to);
}

static const struct sampler_ops *ptrace_ops;

static void stop_and_tell(struct sampler *s)
{
    ptrace_ops->stop(s);
    tell(s);
}

static int open_ptrace(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    static struct sampler_ops ops;
    struct sample_want w = *want;
    const char *more = getenv("PTRACE_WANT");
    w.chains |= more && strchr(more, 'c');
    int r = ptrace_sampler_open(&w, out, f);
    if (r < 0)
        return r;
    ptrace_ops = (*out)->ops;
    ops = *ptrace_ops;
    ops.stop = stop_and_tell;
    (*out)->ops = &ops;
    return 0;
}

const struct sampler_backends sampler_backends = {.perf = open_ptrace, .ptrace = open_ptrace};
