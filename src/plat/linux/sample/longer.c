/* Events that copy longer slices of the stack, beside those of the short ones that small rings
 * begin with. One of each thread and CPU's is enabled at a time: what threads start inherits it. */
#include "perf.h"

#include "core/base/grow.h"
#include "perf/perf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Each twice the one before. */
void perf_longer_plan(struct perf_longer *l, uint32_t first, uint32_t most)
{
    *l = (struct perf_longer){.bytes = {first}, .sizes = 1};
    while (l->sizes < PERF_SLICE_SIZES && l->bytes[l->sizes - 1] < most) {
        uint32_t twice = 2 * l->bytes[l->sizes - 1];
        l->bytes[l->sizes++] = twice < most ? twice : most;
    }
}

static int *row_of(struct perf_longer *l, size_t i)
{
    return l->fd + i * PERF_SLICE_SIZES;
}

void perf_longer_close(struct perf_longer *l)
{
    for (size_t i = 0; i < l->rows; i++)
        for (size_t k = 1; k < l->sizes; k++)
            if (row_of(l, i)[k] >= 0)
                close(row_of(l, i)[k]);
    free(l->fd);
    *l = (struct perf_longer){.sizes = 0};
}

static int open_longer(const struct perf_event_attr *attr, uint32_t bytes, int tid, int cpu,
                       int ring_fd)
{
    struct perf_event_attr a = *attr;
    a.sample_stack_user = bytes;
    a.disabled = 1;
    a.enable_on_exec = 0;
    int fd = perf_open(&a, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool add_row(struct perf_longer *l, size_t max_events)
{
    size_t cap = l->cap * PERF_SLICE_SIZES;
    if ((l->rows + 1) * PERF_SLICE_SIZES > max_events ||
        !grow(&l->fd, &cap, (l->rows + 1) * PERF_SLICE_SIZES, sizeof *l->fd))
        return false;
    l->cap = cap / PERF_SLICE_SIZES;
    memset(row_of(l, l->rows++), 0xff, PERF_SLICE_SIZES * sizeof *l->fd);
    return true;
}

void perf_longer_follow(struct perf_sampler *s, int tid, int i, int fd)
{
    struct perf_longer *l = &s->longer;
    bool opened = l->sizes > 1 && add_row(l, s->max_events / 2);
    int *row = opened ? row_of(l, l->rows - 1) : NULL;
    for (size_t k = 1; opened && k < l->sizes; k++) {
        row[k] = open_longer(&s->attr, l->bytes[k], tid, s->cpu[i], s->ring[i].fd);
        opened = row[k] >= 0;
    }
    if (opened)
        row[0] = fd;
    else if (l->sizes > 1)
        perf_longer_close(l);
}

uint32_t perf_longer_bytes(const struct perf_longer *l)
{
    return l->sizes > 1 ? l->bytes[l->used] : 0;
}

/* The new ones first, so that no mapping is missed. */
bool perf_longer_scale(struct perf_longer *l, bool up)
{
    size_t to = up ? l->used + 1 : l->used - 1;
    if (l->sizes < 2 || to >= l->sizes)
        return false;
    for (size_t i = 0; i < l->rows; i++) {
        ioctl(row_of(l, i)[to], PERF_EVENT_IOC_ENABLE, 0);
        ioctl(row_of(l, i)[l->used], PERF_EVENT_IOC_DISABLE, 0);
    }
    l->used = to;
    return true;
}

void perf_longer_stop(const struct perf_longer *l)
{
    for (size_t i = 0; i < l->rows; i++)
        ioctl(l->fd[i * PERF_SLICE_SIZES + l->used], PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t perf_longer_lost(const struct perf_longer *l)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < l->rows; i++)
        for (size_t k = 1; k < l->sizes; k++)
            sum += perf_event_lost(l->fd[i * PERF_SLICE_SIZES + k]);
    return sum;
}
