/* One event a thread and CPU, inherited by what it starts; one ring a CPU, shared. */
#include "perf.h"

#include "core/base/grow.h"
#include "perf/perf.h"
#include "plat/proc.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MAX_THREADS = 32768 };

/* --- events --- */

static int open_with_fallback(struct perf_event_attr *a, int tid, int cpu)
{
    for (;;) {
        int fd = perf_open(a, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
        if (fd >= 0)
            return fd;
        if ((errno != EINVAL && errno != E2BIG) || !perf_attr_downgrade(a))
            return -errno;
    }
}

/* An event that never happens: its ring has records of tasks and mappings, laid out like all. */
static int open_dummy_event(struct perf_sampler *s, int tid, int cpu)
{
    struct perf_event_attr a = s->attr;
    a.type = PERF_TYPE_SOFTWARE;
    a.config = PERF_COUNT_SW_DUMMY;
    a.config1 = a.config2 = 0;
    return open_with_fallback(&a, tid, cpu);
}

/* CPUs of several kinds each have their own counters (big.LITTLE): one that lacks this event still
 * tells what is mapped there. */
static int open_on_cpu(struct perf_sampler *s, int tid, int cpu, bool unwanted)
{
    if (unwanted)
        return open_dummy_event(s, tid, cpu);
    int fd = open_with_fallback(&s->attr, tid, cpu);
    if (fd >= 0)
        s->sampling_events++;
    if (fd != -ENOENT)
        return fd;
    s->refused = -ENOENT;
    int silent = open_dummy_event(s, tid, cpu);
    return silent >= 0 ? silent : fd;
}

static int keep_event(struct perf_sampler *s, int fd)
{
    bool fits = s->events < s->max_events;
    if (!fits || !grow(&s->event, &s->event_cap, s->events, sizeof *s->event)) {
        close(fd);
        return fits ? -ENOMEM : -EMFILE;
    }
    s->event[s->events++] = fd;
    if (s->events > s->max_opened)
        s->max_opened = s->events;
    return 0;
}

/* The first event on a CPU brings the ring, the others write to it. */
static int connect_ring(struct perf_sampler *s, int i, int fd)
{
    if (!s->ring[i].page) {
        int e = perf_ring_map(&s->ring[i], fd, s->ring_bytes);
        s->handle[i] = e < 0 ? -1 : fd;
        return e;
    }
    return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->ring[i].fd) < 0 ? -errno : 0;
}

/* On a CPU that has its ring. */
static int follow_switches(struct perf_sampler *s, int tid, int i)
{
    int fd = open_with_fallback(&s->switches, tid, s->cpu[i]);
    if (fd < 0)
        return fd;
    int e = keep_event(s, fd);
    return e < 0 ? e : connect_ring(s, i, fd);
}

/* As much as the first event was granted: records are laid out alike. */
static struct perf_event_attr more_attr(const struct perf_sampler *s, size_t i)
{
    struct perf_event_attr a = s->more[i];
    a.use_clockid = s->attr.use_clockid;
    a.clockid = s->attr.clockid;
    a.inherit_thread = s->attr.inherit_thread;
    a.read_format = s->attr.read_format;
    a.sample_stack_user = s->attr.sample_stack_user;
    a.wakeup_watermark = s->attr.wakeup_watermark;
    return a;
}

/* What is inherited has the id of what it was inherited from. */
static int remember_id(struct perf_sampler *s, int fd, size_t event)
{
    uint64_t id;
    if (ioctl(fd, PERF_EVENT_IOC_ID, &id) < 0)
        return -errno;
    uint64_t *to = imap_at(&s->event_of, id);
    if (!to)
        return -ENOMEM;
    *to = event;
    return 0;
}

static int follow_more(struct perf_sampler *s, int tid, int i, size_t n)
{
    struct perf_event_attr a = more_attr(s, n);
    int fd = perf_open(&a, tid, s->cpu[i], -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0) {
        s->refused_more = n + 1;
        return -errno;
    }
    int e = keep_event(s, fd);
    if (e == 0)
        e = connect_ring(s, i, fd);
    return e == 0 ? remember_id(s, fd, n + 1) : e;
}

static int follow_others(struct perf_sampler *s, int tid, int i)
{
    int e = s->waits ? follow_switches(s, tid, i) : 0;
    for (size_t n = 0; e == 0 && n < s->mores && !s->unwanted[i]; n++)
        e = follow_more(s, tid, i, n);
    return e;
}

int perf_follow(struct perf_sampler *s, int tid)
{
    for (int i = 0; i < s->cpus; i++) {
        int fd = open_on_cpu(s, tid, s->cpu[i], s->unwanted[i]);
        if (fd == -ENODEV)
            continue;
        if (fd < 0)
            return fd;
        int e = keep_event(s, fd);
        if (e == 0)
            e = connect_ring(s, i, fd);
        if (e == 0)
            perf_slices_follow(s, tid, i, fd);
        if (e == 0)
            e = follow_others(s, tid, i);
        if (e < 0)
            return e;
    }
    return s->sampling_events ? 0 : s->refused ? s->refused : -ENODEV;
}

/* --- the threads of a running process --- */

/* Whether a followed thread started this one meanwhile: then it is followed already. */
static bool is_inherited(const struct perf_sampler *s, int tid)
{
    for (int i = 0; i < s->cpus; i++)
        if (perf_ring_has_fork(&s->ring[i], (uint32_t)tid))
            return true;
    return false;
}

/* 1: it is followed from now on, or has ended; 0: it was seen before. */
static int follow_if_new(struct perf_sampler *s, struct imap *seen, int tid, bool main)
{
    uint64_t *mark = imap_at(seen, (uint64_t)tid);
    if (!mark)
        return -ENOMEM;
    if (*mark)
        return 0;
    *mark = 1;
    int e = is_inherited(s, tid) ? 0 : perf_follow(s, tid);
    return e == 0 || (e == -ESRCH && !main) ? 1 : e;
}

static int follow_new_threads(struct perf_sampler *s, struct imap *seen, int pid, const int *tid,
                              int n)
{
    int added = 0, e = 0;
    for (int i = 0; i < n && i < MAX_THREADS && e >= 0; i++) {
        e = follow_if_new(s, seen, tid[i], tid[i] == pid);
        added += e > 0;
    }
    return e < 0 ? e : added;
}

/* Threads come and go while we attach: look again until nothing new is there. */
int perf_follow_process(struct perf_sampler *s, int pid, struct fail *f)
{
    struct imap seen = {0};
    int *tid = malloc(MAX_THREADS * sizeof *tid), added = tid ? 1 : -ENOMEM;
    while (added > 0) {
        int n = proc_threads(pid, tid, MAX_THREADS, f);
        added = n < 0 ? n : follow_new_threads(s, &seen, pid, tid, n);
    }
    imap_release(&seen);
    free(tid);
    return added;
}
