#include "core/trace/page.h"

#include "core/base/bytes.h"

#include <errno.h>

enum { COMMITTED = 0xfffff, MISSED_STORED = 1 << 30 };
#define MISSED_EVENTS (1u << 31)

/* type_len: the words of an event that is not longer; or */
enum { LONG = 0, PADDING = 29, TIME_EXTEND = 30, TIME_STAMP = 31 };
enum { DELTA_BITS = 27 };
#define STAMP_HIGH (UINT64_C(0xf8) << 56) /* what an set_absolute_time time leaves out */

/* The number of missed events follows the data, if it fitted. */
static uint64_t read_missed(const struct trace_page_layout *l, uint32_t commit, const uint8_t *data,
                            size_t used, size_t cap)
{
    if (!(commit & MISSED_EVENTS))
        return 0;
    if (!(commit & MISSED_STORED) || cap - used < l->commit_size)
        return TRACE_MISSED_MANY;
    return l->commit_size == 8 ? get_le64(data + used) : get_le32(data + used);
}

int trace_page_open(struct trace_page *p, const struct trace_page_layout *l, const uint8_t *bytes,
                    size_t len)
{
    if (len < l->data_at)
        return -EINVAL;
    size_t cap = (len < l->page_size ? len : l->page_size) - l->data_at;
    uint32_t commit = get_le32(bytes + l->commit_at);
    size_t used = commit & COMMITTED;
    if (used > cap)
        return -EINVAL;
    const uint8_t *data = bytes + l->data_at;
    *p = (struct trace_page){.at = data,
                             .end = data + used,
                             .time_ns = get_le64(bytes),
                             .missed = read_missed(l, commit, data, used, cap)};
    if (len >= l->page_size + TRACE_PAGE_MISSED)
        p->missed = get_le64(bytes + l->page_size);
    return 0;
}

static bool mark_damaged(struct trace_page *p)
{
    p->damaged = p->at != p->end;
    p->at = p->end;
    return false;
}

/* Bytes after the event's header; 0: invalid. */
static size_t payload_bytes(unsigned type, uint32_t first)
{
    if (type != LONG && type != PADDING)
        return (size_t)type * 4;
    return first < 4 || first > TRACE_PAGE_MAX ? 0 : (first + 3) & ~(size_t)3;
}

static void set_absolute_time(struct trace_page *p, uint64_t stamp)
{
    p->time_ns = stamp | (p->time_ns & STAMP_HIGH);
}

/* What is no event but tells of time; false: it is an event, or nonsense. */
static bool only_time(struct trace_page *p, unsigned type, uint32_t delta, uint32_t first)
{
    uint64_t whole = (uint64_t)first << DELTA_BITS | delta;
    if (type == TIME_EXTEND)
        p->time_ns += whole;
    else if (type == TIME_STAMP)
        set_absolute_time(p, whole);
    else
        return false;
    p->at += 8;
    return true;
}

bool trace_page_next(struct trace_page *p, struct trace_record *out)
{
    while (p->end - p->at >= 4) {
        uint32_t head = get_le32(p->at), delta = head >> 5;
        unsigned type = head & 31;
        size_t left = (size_t)(p->end - p->at) - 4;
        if (type == PADDING && !delta) {
            p->at = p->end; /* nothing follows */
            return false;
        }
        if (left < 4)
            return mark_damaged(p);
        uint32_t first = get_le32(p->at + 4);
        if (only_time(p, type, delta, first))
            continue;
        size_t bytes = payload_bytes(type, first), skip = type == LONG ? 4 : 0;
        if (!bytes || bytes > left)
            return mark_damaged(p);
        *out = (struct trace_record){p->time_ns + delta, p->at + 4 + skip, bytes - skip};
        p->at += 4 + bytes;
        if (type != PADDING || delta != 1) /* a discarded event's least delta is none */
            p->time_ns += delta;
        if (type != PADDING)
            return true;
    }
    return mark_damaged(p);
}
