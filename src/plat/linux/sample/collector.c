#include "collector.h"

#include "plat/memory.h"
#include "process/descriptors.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREAD_STACK_BYTES = 256 << 10, HIGHEST_NICE = -20 };
enum { SLICE_NS = 100000, GONE_MS = 20, LEAST_BYTES = 1 << 18, STEP_BYTES = 1 << 15 };

static void signal_event(int fd)
{
    const uint64_t one = 1;
    ssize_t full = write(fd, &one, sizeof one); /* then it is signalled already */
    (void)full;
}

static void clear_event(int fd)
{
    uint64_t count;
    ssize_t none = read(fd, &count, sizeof count);
    (void)none;
}

/* --- collecting, with the lock held --- */

static size_t trim(const struct collector *c, const void *record, size_t len, void *out)
{
    struct perfrec r;
    if (!(c->format.fields & PERFREC_STACK_USER) || !perfrec_decode(record, len, &c->format, &r))
        return len;
    return perfrec_trim(record, len, &r, out);
}

/* Where page faults are sampled, those of the collector would be, too, and each brings a record
 * that takes more memory. */
static void populate(struct collector *c, size_t len)
{
    const struct buf *b = &c->filling;
    size_t end = b->len + len;
    if (end <= c->populated)
        return;
    size_t left = b->cap - end, more = left < STEP_BYTES ? left : STEP_BYTES;
    memory_populate(b->data + c->populated, end + more - c->populated);
    c->populated = end + more;
}

static void add_record(void *arg, const void *record, size_t len)
{
    struct collector *c = arg;
    void *to = buf_reserve(&c->filling, len);
    if (!to) {
        c->lost++;
        c->filling.err = 0; /* the next one may find memory */
        return;
    }
    populate(c, len);
    size_t trimmed = trim(c, record, len, to);
    if (trimmed == len)
        memcpy(to, record, len);
    buf_commit(&c->filling, trimmed);
}

/* All rings or none: what is collected is whole up to one time. */
static void collect(struct collector *c)
{
    size_t before = c->filling.len;
    if (before >= c->max_bytes)
        return;
    for (int i = 0; i < c->rings; i++)
        perf_ring_read(&c->ring[i], c->spare, add_record, c);
    if (before < c->max_bytes / 2 && c->filling.len >= c->max_bytes / 2)
        signal_event(c->ready);
}

/* --- the thread --- */

/* The ring of a thread that has ended is ready for ever. */
static bool skip_gone(struct pollfd *on, int n)
{
    bool gone = false;
    for (int i = 0; i < n; i++) {
        if (on[i].revents & (POLLHUP | POLLERR | POLLNVAL))
            on[i].fd = -1;
        gone |= on[i].fd < 0;
    }
    return gone;
}

/* Of sched_setattr(2), which the C library has only since glibc 2.41. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
};

/* Of CPU time it takes little, and that at once: a short slice comes earlier than a long one, with
 * privileges or without (Linux 6.12). */
static void raise_priority(void)
{
    struct scheduling a = {.size = sizeof a, .runtime_ns = SLICE_NS, .nice = HIGHEST_NICE};
    if (syscall(SYS_sched_setattr, 0, &a, 0) == 0)
        return;
    a.nice = 0;
    syscall(SYS_sched_setattr, 0, &a, 0);
}

static void *collector_main(void *arg)
{
    struct collector *c = arg;
    struct pollfd *on = c->on;
    bool gone = false;
    raise_priority();
    while (!on[c->rings].revents) {
        poll(on, (nfds_t)c->rings + 1, gone ? GONE_MS : -1);
        gone = skip_gone(on, c->rings);
        pthread_mutex_lock(&c->lock);
        collect(c);
        pthread_mutex_unlock(&c->lock);
    }
    return NULL;
}

/* It has no signals: they are for the thread that was there before. */
static bool start_thread(struct collector *c)
{
    sigset_t all, before;
    pthread_attr_t a;
    if (pthread_attr_init(&a) != 0)
        return false;
    pthread_attr_setstacksize(&a, THREAD_STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(&c->thread, &a, collector_main, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&a);
    return err == 0;
}

/* --- the collector --- */

static bool init_waiting(struct collector *c)
{
    c->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    c->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    c->on = calloc((size_t)c->rings + 1, sizeof *c->on);
    if (c->ready < 0 || c->stop < 0 || !c->on)
        return false;
    for (int i = 0; i < c->rings; i++)
        c->on[i] = (struct pollfd){.fd = c->ring[i].page ? c->ring[i].fd : -1, .events = POLLIN};
    c->on[c->rings] = (struct pollfd){.fd = c->stop, .events = POLLIN};
    return true;
}

struct collector *collector_new(struct perf_ring *ring, int rings,
                                const struct perfrec_format *format, size_t max_bytes)
{
    struct collector *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->ring = ring;
    c->rings = rings;
    c->format = *format;
    c->max_bytes = max_bytes;
    pthread_mutex_init(&c->lock, NULL);
    c->runs = init_waiting(c) && start_thread(c);
    return c;
}

void collector_free(struct collector *c)
{
    if (!c)
        return;
    if (c->runs) {
        signal_event(c->stop);
        pthread_join(c->thread, NULL);
    }
    descriptor_close(&c->ready);
    descriptor_close(&c->stop);
    buf_release(&c->filling);
    buf_release(&c->reading);
    pthread_mutex_destroy(&c->lock);
    free(c->on);
    free(c);
}

/* What full memory left in the rings is collected at once. */
void collector_take(struct collector *c, struct buf *bytes)
{
    clear_event(c->ready);
    pthread_mutex_lock(&c->lock);
    collect(c);
    struct buf filled = c->filling;
    c->filling = *bytes;
    c->populated = 0;
    *bytes = filled;
    collect(c);
    pthread_mutex_unlock(&c->lock);
}

void collector_read(struct collector *c, sample_record_fn *emit, void *arg)
{
    collector_take(c, &c->reading);
    const struct buf *full = &c->reading;
    for (size_t at = 0, size; at < full->len; at += size) {
        size = perfrec_size(full->data + at, full->len - at);
        emit(arg, full->data + at, size);
    }
    buf_recycle(&c->reading, LEAST_BYTES);
}

uint64_t collector_lost(struct collector *c)
{
    pthread_mutex_lock(&c->lock);
    uint64_t lost = c->lost;
    pthread_mutex_unlock(&c->lock);
    return lost;
}
