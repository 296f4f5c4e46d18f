#include "core/perf/reorder.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BYTES = 1 << 18, LEAST_ENTRIES = 4096 };

struct order_entry {
    uint64_t time;
    size_t at, len; /* in bytes */
    bool older;     /* of the bytes of the round before */
};

void order_release(struct order *o)
{
    buf_release(&o->bytes);
    buf_release(&o->older);
    free(o->entry);
    *o = (struct order){0};
}

size_t order_held(const struct order *o)
{
    return o->bytes.cap + o->older.cap + o->cap * sizeof *o->entry;
}

void order_add(struct order *o, size_t at, size_t len, uint64_t time)
{
    if (!GROW_ADD(o->entry, o->cap, o->entries, (struct order_entry){time, at, len, false})) {
        o->err = -ENOMEM;
        return;
    }
    if (time > o->latest)
        o->latest = time;
}

static int compare_times(const void *pa, const void *pb)
{
    const struct order_entry *a = pa, *b = pb;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->older != b->older) /* as they came */
        return a->older ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static const char *bytes_of(const struct order *o, const struct order_entry *e)
{
    return (e->older ? o->older.data : o->bytes.data) + e->at;
}

/* Of what is left nothing is older: its times were known when the last round ended. */
static void begin_round(struct order *o)
{
    struct buf spare = o->older;
    o->older = o->bytes;
    o->bytes = spare;
    buf_recycle(&o->bytes, LEAST_BYTES);
    for (size_t i = 0; i < o->entries; i++)
        o->entry[i].older = true;
}

/* Hands on what is not later than limit. */
static void emit_until(struct order *o, uint64_t limit, order_emit_fn *emit, void *arg)
{
    size_t i = 0;
    sort_array(o->entry, o->entries, sizeof *o->entry, compare_times);
    for (; i < o->entries && o->entry[i].time <= limit; i++)
        emit(arg, bytes_of(o, &o->entry[i]), o->entry[i].len);
    size_t before = o->entries;
    o->entries -= i;
    if (i)
        memmove(o->entry, o->entry + i, o->entries * sizeof *o->entry);
    shrink(&o->entry, &o->cap, before, LEAST_ENTRIES, sizeof *o->entry);
    begin_round(o);
}

static void end_bytes(struct order *o)
{
    if (buf_error(&o->bytes))
        o->err = -ENOMEM;
    if (!o->entries)
        buf_recycle(&o->bytes, LEAST_BYTES);
}

void order_round(struct order *o, order_emit_fn *emit, void *arg)
{
    end_bytes(o);
    if (o->entries)
        emit_until(o, o->previous, emit, arg);
    o->previous = o->latest;
}

int order_flush(struct order *o, order_emit_fn *emit, void *arg)
{
    end_bytes(o);
    if (o->entries)
        emit_until(o, UINT64_MAX, emit, arg);
    return o->err;
}
