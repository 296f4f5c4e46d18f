#include "perf_ring.h"

#include "core/base/bytes.h"
#include "core/perf/perfrec.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t perf_ring_size(size_t want)
{
    size_t bytes = page_bytes();
    while (bytes < want && bytes <= SIZE_MAX / 4)
        bytes *= 2;
    return bytes;
}

int perf_ring_map(struct perf_ring *r, int fd, size_t bytes)
{
    size_t page = page_bytes();
    void *at = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (at == MAP_FAILED)
        return errno == EPERM ? -ENOBUFS : -errno;
    *r = (struct perf_ring){fd, at, (const uint8_t *)at + page, bytes};
    return 0;
}

void perf_ring_unmap(struct perf_ring *r)
{
    if (r->page)
        munmap(r->page, page_bytes() + r->bytes);
    r->page = NULL;
}

static void copy_out(const struct perf_ring *r, uint64_t at, void *to, size_t n)
{
    size_t i = (size_t)(at & (r->bytes - 1)), first = r->bytes - i < n ? r->bytes - i : n;
    memcpy(to, r->data + i, first);
    memcpy((uint8_t *)to + first, r->data, n - first);
}

static uint64_t load_data_head(const struct perf_ring *r)
{
    return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
}

void perf_ring_read(struct perf_ring *r, uint8_t *spare, sample_record_fn *emit, void *arg)
{
    if (!r->page)
        return;
    uint64_t at = r->page->data_tail, end = load_data_head(r);
    while (at < end) {
        size_t i = (size_t)(at & (r->bytes - 1)), size;
        size = get_le16(r->data + i + 6); /* records are 8-byte aligned: a header never wraps */
        if (size < PERFREC_HEADER_BYTES || size > end - at)
            break;
        const void *record = r->data + i;
        if (size > r->bytes - i) {
            copy_out(r, at, spare, size);
            record = spare;
        }
        emit(arg, record, size);
        at += size;
    }
    __atomic_store_n(&r->page->data_tail, end, __ATOMIC_RELEASE);
}

bool perf_ring_has_fork(const struct perf_ring *r, uint32_t tid)
{
    uint8_t head[24]; /* of a FORK, up to the new thread's id */
    uint64_t at = r->page ? r->page->data_tail : 0, end = r->page ? load_data_head(r) : 0;
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
    return false;
}
