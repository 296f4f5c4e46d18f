/* psuite whose samplings all go by ptrace: `psuite-ptrace tprof -x ...'. What the tracer did is
 * written to the file $PTRACE_COUNTS names. $PTRACE_WANT has `c' for call chains. */
#include "sample_ptrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int sample_open(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    struct sample_want w = *want;
    const char *more = getenv("PTRACE_WANT");
    w.chains |= more && strchr(more, 'c');
    return ptrace_sampler_open(&w, out, f);
}

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
            c.ticks, c.missed, c.asked, c.looks);
    fprintf(to, "in_call %" PRIu64 "\nagain %" PRIu64 "\nkept %" PRIu64 "\nrest %" PRIu64 "\n",
            c.in_call, c.again, c.kept, c.rest);
    fprintf(to, "user_us %ld\nsys_us %ld\n", u.ru_utime.tv_sec * 1000000L + u.ru_utime.tv_usec,
            u.ru_stime.tv_sec * 1000000L + u.ru_stime.tv_usec);
    fclose(to);
}

void sample_close(struct sampler *s)
{
    if (s)
        s->ops->close(s);
}

const char *sample_method(const struct sampler *s)
{
    return s->ops->method(s);
}

uint64_t sample_hz(const struct sampler *s)
{
    return s->ops->hz(s);
}

void sample_format(const struct sampler *s, struct perfrec_format *out)
{
    s->ops->format(s, out);
}

size_t sample_handles(const struct sampler *s, const int **handles)
{
    return s->ops->handles(s, handles);
}

void sample_stop(struct sampler *s)
{
    s->ops->stop(s);
    tell(s);
}

void sample_read(struct sampler *s, void (*take)(void *arg, const void *record, size_t len),
                 void *arg)
{
    s->ops->read(s, take, arg);
}
