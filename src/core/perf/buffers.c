#include "core/perf/buffers.h"

#include <errno.h>
#include <stdio.h>

enum { KB = 1 << 10, MB = 1 << 20, MAX_COUNTED_CPUS = 1 << 16 };

struct sizes {
    size_t usual, smallest;
    bool per_cpu, instance;
};

/* A ring for slices of the stack has to hold eight of 8 KB. */
static const struct sizes sizes[BUFFERS_USES] = {
    [BUFFERS_SAMPLES] = {256 * KB, 8 * KB, true, false},
    [BUFFERS_CHAINS] = {512 * KB, 16 * KB, true, false},
    [BUFFERS_EACH] = {4 * MB, 64 * KB, true, false},
    [BUFFERS_STACKS] = {16 * MB, 64 * KB, true, false},
    [BUFFERS_PTRACE] = {1 * MB, 64 * KB, false, false},
    [BUFFERS_PTRACE_STACKS] = {8 * MB, 512 * KB, false, false},
    [BUFFERS_TRACEFS] = {8 * MB, 64 * KB, true, true},
    [BUFFERS_TRACEPOINTS] = {8 * MB, 64 * KB, true, false},
};

size_t buffers_usual_bytes(enum buffers_use use)
{
    return sizes[use].usual;
}

static unsigned count_rings(const struct buffers_request *r)
{
    unsigned cpus = r->cpus < MAX_COUNTED_CPUS ? r->cpus : MAX_COUNTED_CPUS;
    return sizes[r->use].per_cpu && cpus ? cpus : 1;
}

/* An instance has the kernel's default rings before it has ours. */
static uint64_t total_bytes(const struct buffers_request *r, size_t ring)
{
    uint64_t rings = (uint64_t)ring * count_rings(r) * BUFFERS_COPIES;
    uint64_t at_first = (uint64_t)BUFFERS_INSTANCE_RING_BYTES * count_rings(r);
    if (!sizes[r->use].instance)
        return rings;
    return BUFFERS_INSTANCE_BYTES + (rings > at_first ? rings : at_first);
}

static unsigned share_of(const struct buffers_request *r)
{
    return r->asked_bytes ? BUFFERS_ASKED_SHARE : BUFFERS_SHARE;
}

static bool fits(const struct buffers_request *r, size_t ring, uint64_t free_bytes)
{
    return free_bytes == UINT64_MAX || total_bytes(r, ring) <= free_bytes / share_of(r);
}

/* When its memory is in pieces, Linux raises what it keeps free by up to 8 MB
 * (vm.watermark_boost_factor): memory that is called free before. It makes rings smaller, but
 * nothing is refused for it. */
static uint64_t lasting_bytes(uint64_t free_bytes)
{
    uint64_t half = free_bytes / 2, boost = half < BUFFERS_BOOST_BYTES ? half : BUFFERS_BOOST_BYTES;
    return free_bytes == UINT64_MAX ? free_bytes : free_bytes - boost;
}

/* What the rings leave of the share, within bounds. */
static size_t held_bytes(const struct buffers_request *r, size_t ring)
{
    uint64_t rings = (uint64_t)ring * count_rings(r);
    uint64_t left = lasting_bytes(r->free_bytes) / share_of(r);
    uint64_t min = rings * (BUFFERS_COPIES - 1), max = rings * BUFFERS_MAX_HELD;
    left = left > rings ? left - rings : 0;
    return left < min ? min : left > max ? max : left;
}

static size_t smallest_bytes(const struct buffers_request *r)
{
    size_t smallest = sizes[r->use].smallest;
    return r->page_bytes > smallest ? r->page_bytes : smallest;
}

int buffers_decide(const struct buffers_request *r, struct buffers *out)
{
    size_t usual = sizes[r->use].usual, smallest = smallest_bytes(r);
    size_t ring = r->asked_bytes ? r->asked_bytes : usual;
    while (!r->asked_bytes && ring > smallest && !fits(r, ring, lasting_bytes(r->free_bytes)))
        ring /= 2;
    if (!r->asked_bytes && ring < smallest)
        ring = smallest;
    *out = (struct buffers){.ring_bytes = ring,
                            .held_bytes = held_bytes(r, ring),
                            .total_bytes = total_bytes(r, ring),
                            .reduced = !r->asked_bytes && ring < usual};
    return fits(r, ring, r->free_bytes) ? 0 : -ENOMEM;
}

/* --- in words --- */

struct amount {
    char text[24];
};

/* What is needed is rounded up, what is there down. */
static struct amount amount_of(uint64_t bytes, bool up)
{
    struct amount a;
    uint64_t unit = bytes < MB ? KB : MB;
    uint64_t n = bytes / unit + (up && bytes % unit);
    snprintf(a.text, sizeof a.text, "%llu %s", (unsigned long long)n, unit == MB ? "MB" : "KB");
    return a;
}

void buffers_note(const struct buffers_request *r, const struct buffers *b, char *out, size_t size)
{
    snprintf(out, size, "%s", "");
    if (b->reduced)
        snprintf(out, size, "%s of %s (%s of memory are free)",
                 sizes[r->use].per_cpu ? "rings" : "a buffer", amount_of(b->ring_bytes, true).text,
                 amount_of(r->free_bytes, false).text);
}

int buffers_refuse(const struct buffers_request *r, const struct buffers *b, struct fail *f)
{
    uint64_t needed = b->total_bytes * share_of(r);
    fail_set(f, 0, "not enough memory: buffers for %u CPU%s take %s%s, and %s of memory are free",
             r->cpus, r->cpus == 1 ? "" : "s", amount_of(b->total_bytes, true).text,
             r->asked_bytes ? "" : " or more", amount_of(r->free_bytes, false).text);
    fail_hint(f, "buffers take at most %s of the free memory: free %s more%s",
              r->asked_bytes ? "half" : "a quarter",
              amount_of(needed > r->free_bytes ? needed - r->free_bytes : 0, true).text,
              r->asked_bytes ? ", or ask for less" : "");
    return -ENOMEM;
}
