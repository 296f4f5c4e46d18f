#include "snapshot.h"

#include "core/base/grow.h"

#include "private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1000, WRITE_EVENTS = 4096 };

void tracing_snapshot_release(struct tracing_snapshot *k)
{
    free(k->event);
    *k = (struct tracing_snapshot){0};
}

void tracing_snapshot_add(struct tracing_snapshot *k, const struct sched_event *e)
{
    /* Only a ring that never was full grows: its first is at 0. */
    if (k->count < k->cap || (!k->first && grow_within(&k->event, &k->cap, k->count,
                                                       TRACING_SNAPSHOT_MAX, sizeof *k->event)))
        k->event[k->count++] = *e;
    else if (k->cap) {
        k->event[k->first] = *e;
        k->first = (k->first + 1) % k->cap;
    }
}

static const struct sched_event *kept_at(const struct tracing_snapshot *k, size_t i)
{
    return &k->event[(k->first + i) % k->cap];
}

/* --- into a file --- */

static int open_next(struct tracing *out, struct tracing_want *want,
                     char name[TRACING_SNAPSHOT_NAME], struct fail *f)
{
    int r = -EEXIST;
    for (int n = 1; r == -EEXIST && n < MAX_FILES; n++) {
        snprintf(name, TRACING_SNAPSHOT_NAME, "psuite-trace-%d.rec", n);
        want->record = name;
        r = tracing_record_open(out, f);
    }
    return r;
}

int tracing_snapshot_save(const struct tracing_snapshot *k, const struct tracing *t,
                          char name[TRACING_SNAPSHOT_NAME], struct fail *f)
{
    if (!k->count)
        return fail_set(f, ENODATA, "no events");
    struct tracing_want want = {.command = t->want->command};
    struct tracing out = {.want = &want,
                          .names = t->names, /* lent */
                          .begin_ns = k->first ? kept_at(k, 0)->time_ns : t->begin_ns,
                          .end_ns = kept_at(k, k->count - 1)->time_ns,
                          .record.handle = -1};
    memcpy(out.method, t->method, sizeof out.method);
    int r = open_next(&out, &want, name, f);
    if (r < 0)
        return r;
    tracing_record_facts(&out);
    for (size_t i = 0; i < k->count; i++) {
        tracing_record_event(&out, kept_at(k, i));
        if (i % WRITE_EVENTS == 0 && !tracing_record_round(&out))
            break;
    }
    return tracing_record_close(&out, f);
}
