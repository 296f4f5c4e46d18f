/* Events with short copies of the stack beside those with long ones: an event's size cannot be
 * changed, and one that is opened later would miss what threads have started, which both of a pair
 * follow by inheritance. */
#include "perf.h"

#include "core/base/grow.h"
#include "perf/perf.h"
#include "process/descriptors.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LONG, SHORT, SIZES };

enum { WANTED_KB = 64 };

void perf_slices_init(struct perf_slices *p, uint32_t short_bytes)
{
    *p = (struct perf_slices){.bytes = short_bytes};
}

/* The other one is the sampler's. */
void perf_slices_release(struct perf_slices *p)
{
    for (size_t i = 0; i < p->pairs; i++)
        close(p->pair[SIZES * i + SHORT]);
    free(p->pair);
    perf_slices_init(p, 0);
}

static int open_short(const struct perf_sampler *s, int tid, int i)
{
    struct perf_event_attr a = s->attr;
    a.sample_stack_user = s->slices.bytes;
    a.disabled = 1;
    a.enable_on_exec = 0;
    int fd = perf_open(&a, tid, s->cpu[i], -1, PERF_FLAG_FD_CLOEXEC);
    if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->ring[i].fd) == 0)
        return fd;
    descriptor_close(&fd);
    return -1;
}

void perf_slices_follow(struct perf_sampler *s, int tid, int i, int fd)
{
    struct perf_slices *p = &s->slices;
    size_t used = SIZES * p->pairs;
    if (!p->bytes)
        return;
    bool fits = s->events + p->pairs < s->max_events / 2 &&
                grow(&p->pair, &p->cap, used + LONG, sizeof *p->pair) &&
                grow(&p->pair, &p->cap, used + SHORT, sizeof *p->pair);
    int added = fits ? open_short(s, tid, i) : -1;
    if (added < 0) {
        perf_slices_release(p);
        return;
    }
    p->pair[used + LONG] = fd;
    p->pair[used + SHORT] = added;
    p->pairs++;
}

void perf_slices_shorten(struct perf_sampler *s, bool to_short)
{
    struct perf_slices *p = &s->slices;
    if (to_short == p->is_short)
        return;
    for (size_t i = 0; i < p->pairs; i++) {
        ioctl(p->pair[SIZES * i + (to_short ? SHORT : LONG)], PERF_EVENT_IOC_ENABLE, 0);
        ioctl(p->pair[SIZES * i + (to_short ? LONG : SHORT)], PERF_EVENT_IOC_DISABLE, 0);
    }
    p->is_short = to_short;
    p->changes++;
    perf_describe(s);
}

void perf_slices_stop(const struct perf_slices *p)
{
    for (size_t i = 0; i < p->pairs; i++)
        ioctl(p->pair[SIZES * i + SHORT], PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t perf_slices_lost(const struct perf_slices *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->pairs; i++)
        sum += perf_event_lost(p->pair[SIZES * i + SHORT]);
    return sum;
}

static unsigned kb(uint32_t bytes)
{
    return (bytes + 1023) / 1024;
}

void perf_describe(struct perf_sampler *s)
{
    const struct perf_slices *p = &s->slices;
    unsigned of_long = kb(s->attr.sample_stack_user), of_short = kb(p->bytes);
    unsigned now = p->is_short ? of_short : of_long, before = p->is_short ? of_long : of_short;
    char text[64] = "";
    if (p->changes == 1)
        snprintf(text, sizeof text, ", %u KB of stack (%u KB before)", now, before);
    else if (p->changes > 1)
        snprintf(text, sizeof text, ", %u KB of stack (%u KB at times, %u changes)", now, before,
                 p->changes);
    else if (s->attr.sample_stack_user && (p->bytes || now < WANTED_KB))
        snprintf(text, sizeof text, ", %u KB of stack", now);
    snprintf(s->described, sizeof s->described, "%s%s", s->method, text);
}
