/* Sampling by perf events: one event a thread and CPU, inherited by what it starts; one ring a CPU,
 * shared. */
#include "plat/sample.h"

#include "core/bytes.h"
#include "core/perfrec.h"
#include "perf.h"
#include "plat/proc.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_RING = 256 * 1024, MOST_THREADS = 8192, RECORD_MAX = 65536 };

struct ring {
    int fd;
    struct perf_event_mmap_page *page;
    const uint8_t *data;
    size_t bytes; /* of data: a power of two */
};

struct sampler {
    struct perf_event_attr attr;
    bool pid_children;
    int cpus;
    int *cpu;          /* their numbers */
    struct ring *ring; /* one a CPU */
    int *handle;
    int *event; /* every descriptor, the rings' own among them */
    size_t events;
    size_t ring_bytes;
    uint8_t record[RECORD_MAX]; /* a record that wraps around the ring's end, made whole */
};

/* --- what is asked of the kernel --- */

static void fill_attr(struct perf_event_attr *a, const struct sample_want *want)
{
    *a = (struct perf_event_attr){
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof *a,
        .config = PERF_COUNT_SW_CPU_CLOCK,
        .sample_period = 1000000000u / want->hz,
        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .inherit = 1,
        .mmap = 1,
        .mmap2 = 1,
        .comm = 1,
        .comm_exec = 1,
        .task = 1,
        .sample_id_all = 1,
        .build_id = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        .watermark = 1,
        .disabled = want->on_exec,
        .enable_on_exec = want->on_exec,
        .inherit_thread = !want->children,
    };
}

/* Takes back the newest request that is still made. False when nothing is left to do without. */
static bool ask_less(struct perf_event_attr *a)
{
    if (a->inherit_thread) /* Linux 5.13 */
        a->inherit_thread = 0;
    else if (a->build_id) /* 5.12 */
        a->build_id = 0;
    else if (a->use_clockid) /* 4.1 */
        a->use_clockid = 0, a->clockid = 0;
    else if (a->comm_exec) /* 3.16 */
        a->comm_exec = a->mmap2 = 0;
    else
        return false;
    return true;
}

static int open_on(struct sampler *s, int tid, int cpu)
{
    for (;;) {
        int fd = perf_open(&s->attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
        if (fd >= 0)
            return fd;
        if ((errno != EINVAL && errno != E2BIG) || !ask_less(&s->attr))
            return -errno;
    }
}

static int keep_event(struct sampler *s, int fd)
{
    int *grown = realloc(s->event, (s->events + 1) * sizeof *grown);
    if (!grown) {
        close(fd);
        return -ENOMEM;
    }
    s->event = grown;
    s->event[s->events++] = fd;
    return 0;
}

/* --- rings --- */

static int map_ring(struct ring *r, int fd, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *at = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return -errno;
    *r = (struct ring){.fd = fd, .page = at, .data = (const uint8_t *)at + page, .bytes = bytes};
    return 0;
}

/* The kernel limits what a user may lock: halve until it fits. */
static int make_ring(struct sampler *s, struct ring *r, int fd)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (;;) {
        int e = map_ring(r, fd, s->ring_bytes);
        if (e != -EPERM || s->ring_bytes <= page)
            return e;
        s->ring_bytes /= 2;
    }
}

static size_t ring_size(size_t want)
{
    size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    while (bytes < (want ? want : DEFAULT_RING))
        bytes *= 2;
    return bytes;
}

/* The first event on a CPU brings the ring, the others write to it. */
static int connect_ring(struct sampler *s, int i, int fd)
{
    if (!s->ring[i].page) {
        int e = make_ring(s, &s->ring[i], fd);
        s->handle[i] = fd;
        return e;
    }
    return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->ring[i].fd) < 0 ? -errno : 0;
}

/* One thread on every CPU. A CPU that went offline meanwhile is none of ours. */
static int follow(struct sampler *s, int tid)
{
    for (int i = 0; i < s->cpus; i++) {
        int fd = open_on(s, tid, s->cpu[i]);
        if (fd == -ENODEV)
            continue;
        if (fd < 0)
            return fd;
        int e = keep_event(s, fd);
        if (e == 0)
            e = connect_ring(s, i, fd);
        if (e < 0)
            return e;
    }
    return 0;
}

/* --- the threads of a running process --- */

static void copy_out(const struct ring *r, uint64_t at, void *to, size_t n)
{
    size_t i = (size_t)(at & (r->bytes - 1)), first = r->bytes - i < n ? r->bytes - i : n;
    memcpy(to, r->data + i, first);
    memcpy((uint8_t *)to + first, r->data, n - first);
}

/* Whether a followed thread started this one meanwhile: then it is followed already. */
static bool inherited(const struct sampler *s, uint32_t tid)
{
    uint8_t head[24];
    for (int i = 0; i < s->cpus; i++) {
        const struct ring *r = &s->ring[i];
        uint64_t at = r->page ? r->page->data_tail : 0;
        uint64_t end = r->page ? __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE) : 0;
        while (at < end) {
            copy_out(r, at, head, PERFREC_HEADER_BYTES);
            size_t size = get_le16(head + 6);
            if (size < PERFREC_HEADER_BYTES)
                break;
            if (get_le32(head) == PERFREC_FORK && size >= sizeof head) {
                copy_out(r, at, head, sizeof head);
                if (get_le32(head + 16) == tid)
                    return true;
            }
            at += size;
        }
    }
    return false;
}

static bool among(const int *list, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

/* Threads come and go while we attach: look again until nothing new is there. */
static int follow_process(struct sampler *s, int pid, struct fail *f)
{
    int *seen = malloc(2 * MOST_THREADS * sizeof *seen), *now = seen + MOST_THREADS;
    int known = 0, fresh, e = seen ? 0 : -ENOMEM;
    do {
        int n = e < 0 ? e : proc_threads(pid, now, MOST_THREADS, f);
        fresh = 0;
        for (int i = 0; i < n && i < MOST_THREADS && e == 0; i++) {
            if (among(seen, known, now[i]) || known == MOST_THREADS)
                continue;
            if (!inherited(s, (uint32_t)now[i]))
                e = follow(s, now[i]);
            if (e == -ESRCH && now[i] != pid)
                e = 0; /* it has ended */
            seen[known++] = now[i];
            fresh++;
        }
        if (n < 0)
            e = n;
    } while (e == 0 && fresh);
    free(seen);
    return e;
}

/* --- opening and closing --- */

static void raise_descriptor_limit(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
        r.rlim_cur = r.rlim_max;
        setrlimit(RLIMIT_NOFILE, &r);
    }
}

static int explain(int e, const struct sample_want *want, struct fail *f)
{
    fail_set(f, -e, "sampling process %d", want->pid);
    if (e == -EACCES || e == -EPERM)
        perf_denied_hint(f);
    else if (e == -ENOSYS || e == -ENOENT)
        fail_hint(f, "this kernel was built without CONFIG_PERF_EVENTS");
    else if (e == -EMFILE)
        fail_hint(f, "one descriptor a thread and CPU is needed: raise `ulimit -n'");
    else if (e == -ENOMEM)
        fail_hint(f, "kernel.perf_event_mlock_kb and `ulimit -l' bound the rings");
    return e;
}

static int start(struct sampler *s, const struct sample_want *want, struct fail *f)
{
    s->cpus = perf_cpus(&s->cpu);
    if (s->cpus < 0)
        return s->cpus;
    s->ring = calloc((size_t)s->cpus, sizeof *s->ring);
    s->handle = malloc((size_t)s->cpus * sizeof *s->handle);
    if (!s->ring || !s->handle)
        return -ENOMEM;
    for (int i = 0; i < s->cpus; i++)
        s->handle[i] = -1;
    s->ring_bytes = ring_size(want->ring_bytes);
    fill_attr(&s->attr, want);
    s->attr.wakeup_watermark = (uint32_t)(s->ring_bytes / 2);
    return want->on_exec ? follow(s, want->pid) : follow_process(s, want->pid, f);
}

int sample_open(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    struct sampler *s = calloc(1, sizeof *s);
    if (!s)
        return fail_set(f, ENOMEM, "sampler");
    struct sample_want w = *want;
    uint64_t most = perf_most_hz();
    if (w.hz > most)
        w.hz = most;
    raise_descriptor_limit();
    int e = start(s, &w, f);
    if (e < 0) {
        sample_close(s);
        return explain(e, want, f);
    }
    *out = s;
    return 0;
}

void sample_close(struct sampler *s)
{
    if (!s)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; s->ring && i < s->cpus; i++)
        if (s->ring[i].page)
            munmap(s->ring[i].page, page + s->ring[i].bytes);
    for (size_t i = 0; i < s->events; i++)
        close(s->event[i]);
    free(s->event);
    free(s->handle);
    free(s->ring);
    free(s->cpu);
    free(s);
}

const char *sample_method(const struct sampler *s)
{
    (void)s;
    return "perf cpu-clock";
}

uint64_t sample_hz(const struct sampler *s)
{
    return (1000000000u + s->attr.sample_period / 2) / s->attr.sample_period;
}

void sample_format(const struct sampler *s, struct perfrec_format *out)
{
    (void)s;
    *out = (struct perfrec_format){.fields = PERFREC_IP | PERFREC_TID | PERFREC_TIME,
                                   .sample_id_all = true};
}

size_t sample_handles(const struct sampler *s, const int **handles)
{
    *handles = s->handle;
    return (size_t)s->cpus;
}

void sample_stop(struct sampler *s)
{
    for (size_t i = 0; i < s->events; i++)
        ioctl(s->event[i], PERF_EVENT_IOC_DISABLE, 0);
}

static void read_ring(struct sampler *s, struct ring *r, void (*take)(void *, const void *, size_t),
                      void *arg)
{
    uint64_t at = r->page->data_tail, end = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
    while (at < end) {
        size_t i = (size_t)(at & (r->bytes - 1)), size;
        size = get_le16(r->data + i + 6); /* records are 8-byte aligned: a header never wraps */
        if (size < PERFREC_HEADER_BYTES || size > end - at)
            break;
        const void *record = r->data + i;
        if (size > r->bytes - i) {
            copy_out(r, at, s->record, size);
            record = s->record;
        }
        take(arg, record, size);
        at += size;
    }
    __atomic_store_n(&r->page->data_tail, end, __ATOMIC_RELEASE);
}

void sample_read(struct sampler *s, void (*take)(void *arg, const void *record, size_t len),
                 void *arg)
{
    for (int i = 0; i < s->cpus; i++)
        if (s->ring[i].page)
            read_ring(s, &s->ring[i], take, arg);
}

int sample_event_find(const char *name, struct sample_event *out, struct fail *f)
{
    (void)out;
    return fail_set(f, ENOENT, "event %s", name);
}
