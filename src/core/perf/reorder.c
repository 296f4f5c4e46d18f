#include "core/perf/reorder.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct order_entry {
    uint64_t time;
    size_t at, len; /* in bytes */
};

void order_release(struct order *o)
{
    buf_release(&o->bytes);
    free(o->entry);
    *o = (struct order){0};
}

void order_add(struct order *o, const void *record, size_t len, uint64_t time)
{
    if (!grow(&o->entry, &o->cap, o->entries, sizeof *o->entry)) {
        o->err = -ENOMEM;
        return;
    }
    o->entry[o->entries] = (struct order_entry){time, o->bytes.len, len};
    buf_add(&o->bytes, record, len);
    if (buf_error(&o->bytes)) {
        o->err = -ENOMEM;
        return;
    }
    o->entries++;
    if (time > o->latest)
        o->latest = time;
}

static int compare_times(const void *pa, const void *pb)
{
    const struct order_entry *a = pa, *b = pb;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at; /* as they came */
}

/* Hands on what is not later than limit and keeps the rest, moved to the front. */
static void emit_until(struct order *o, uint64_t limit, order_emit_fn *emit, void *arg)
{
    struct buf kept = BUF_INIT;
    size_t i = 0, n = 0;
    sort_array(o->entry, o->entries, sizeof *o->entry, compare_times);
    for (; i < o->entries && o->entry[i].time <= limit; i++)
        emit(arg, o->bytes.data + o->entry[i].at, o->entry[i].len);
    for (; i < o->entries; i++) {
        struct order_entry e = o->entry[i];
        buf_add(&kept, o->bytes.data + e.at, e.len);
        o->entry[n++] = (struct order_entry){e.time, kept.len - e.len, e.len};
    }
    if (buf_error(&kept)) {
        o->err = -ENOMEM;
        n = 0;
    }
    o->entries = n;
    buf_release(&o->bytes);
    o->bytes = kept;
}

void order_round(struct order *o, order_emit_fn *emit, void *arg)
{
    if (o->entries)
        emit_until(o, o->previous, emit, arg);
    o->previous = o->latest;
}

int order_flush(struct order *o, order_emit_fn *emit, void *arg)
{
    if (o->entries)
        emit_until(o, UINT64_MAX, emit, arg);
    return o->err;
}
