/* perfdata_make: perf.data by hand, as a stream, which is made of records alone; and what is read
 * of one. */
#pragma once

#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/perf/perfdata.h"

#include <errno.h>
#include <stdlib.h>

static inline void u32(struct buf *b, uint32_t v)
{
    uint8_t le[4];
    put_le32(le, v);
    buf_add(b, le, 4);
}

static inline void u64(struct buf *b, uint64_t v)
{
    u32(b, (uint32_t)v);
    u32(b, (uint32_t)(v >> 32));
}

static inline void header(struct buf *b, uint32_t type, unsigned misc, size_t body)
{
    u32(b, type);
    u32(b, (uint32_t)(misc | (8 + body) << 16));
}

enum {
    IP = 1,
    TID = 2,
    TIME = 4,
    IDENTIFIER = 1 << 16,
    FREQ = 1 << 10,
    ID_ALL = 1 << 18,
    USE_CLOCK = 1 << 25,
    MOST_TAKEN = 64,
};

static inline void attr_sized(struct buf *b, uint32_t size, uint64_t config, uint64_t fields,
                              uint64_t flags)
{
    u32(b, 1);
    u32(b, size);
    u64(b, config);
    u64(b, 4000);
    u64(b, fields);
    u64(b, 0);
    u64(b, flags);
    for (size_t i = 48; i < (size ? size : 64); i += 4)
        u32(b, i == 92 ? 7 : 0);
}

static inline void attr(struct buf *b, uint64_t config, uint64_t fields, uint64_t flags)
{
    attr_sized(b, 64, config, fields, flags);
}

static inline void stream(struct buf *b)
{
    buf_add(b, "PERFILE2", 8);
    u64(b, 16);
}

/* An event of the stream, with ids. */
static inline void event(struct buf *b, uint64_t config, uint64_t fields, uint64_t first_id,
                         unsigned ids)
{
    header(b, 64, 0, 64 + 8 * ids);
    attr(b, config, fields, ID_ALL);
    for (unsigned i = 0; i < ids; i++)
        u64(b, first_id + i);
}

/* A stream of one event, whose samples have a place, a thread and a time. */
static inline void plain_stream(struct buf *b)
{
    stream(b);
    event(b, 0, IP | TID | TIME, 0, 0);
}

static inline void sample(struct buf *b, uint64_t time, uint64_t pc)
{
    header(b, 9, 2, 24);
    u64(b, pc);
    u32(b, 1), u32(b, 2);
    u64(b, time);
}

static inline void sample_of(struct buf *b, uint64_t id, uint64_t time, uint64_t pc)
{
    header(b, 9, 2, 32);
    u64(b, id);
    u64(b, pc);
    u32(b, 1), u32(b, 2);
    u64(b, time);
}

static inline void comm(struct buf *b, const char *name, uint64_t time)
{
    char padded[8] = {0};
    strncpy(padded, name, 7);
    header(b, 3, 0, 32);
    u32(b, 1), u32(b, 1);
    buf_add(b, padded, 8);
    u32(b, 1), u32(b, 1);
    u64(b, time);
}

static inline void round_ends(struct buf *b)
{
    header(b, 68, 0, 0);
}

struct taken {
    char text[2048]; /* "TIME:PC" or "TIME=NAME", a blank behind each */
    char event[MOST_TAKEN][24];
    uint64_t period;
    size_t count;
    char warning[256];
    struct perfdata_counts counts;
};

static inline void take_record(void *arg, const struct perfdata_event *e, const struct perfrec *r)
{
    struct taken *t = arg;
    size_t at = strlen(t->text);
    if (r->type == PERFREC_SAMPLE)
        snprintf(t->text + at, sizeof t->text - at, "%" PRIu64 ":%" PRIx64 " ", r->time,
                 r->sample.pc);
    else
        snprintf(t->text + at, sizeof t->text - at, "%" PRIu64 "=%s ", r->time,
                 r->name ? r->name : "?");
    if (t->count < MOST_TAKEN)
        snprintf(t->event[t->count++], sizeof *t->event, "%s", e->name);
    t->period = r->sample.period;
}

static inline int read_all(const struct buf *b, struct taken *t)
{
    struct perfdata *pd;
    struct fail f;
    *t = (struct taken){.text = ""};
    int err = perfdata_open(b->data, b->len, NULL, &pd, &f);
    if (err)
        return err;
    err = perfdata_read(pd, take_record, t, &f);
    if (perfdata_warning(pd))
        snprintf(t->warning, sizeof t->warning, "%s", perfdata_warning(pd));
    t->counts = *perfdata_counts(pd);
    perfdata_free(pd);
    return err;
}

static inline struct perfdata *opened(const struct buf *b)
{
    struct perfdata *pd = NULL;
    struct fail f;
    CHECK_INT(perfdata_open(b->data, b->len, NULL, &pd, &f), 0);
    if (!pd)
        abort();
    return pd;
}
