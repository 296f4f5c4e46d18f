/*
 * perfdata_parts: what the files of perfdata share. perfdata.c opens, perfdata_attr.c reads
 * events, perfdata_feature.c facts, perfdata_walk.c finds the records, perfdata_read.c hands them
 * on through perfdata_runs.c (order) and perfdata_unpack.c (compressed ones).
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/cursor.h"
#include "core/containers/imap.h"
#include "core/perf/perfdata.h"

/* Kinds of record that perf itself writes. */
enum perfdata_user_type {
    PERFDATA_USER_TYPES = 64, /* the first; below are the kernel's */
    PERFDATA_ATTR = 64,
    PERFDATA_TRACING_DATA = 66, /* followed by bytes that are no record */
    PERFDATA_BUILD_ID = 67,
    PERFDATA_FINISHED_ROUND = 68,
    PERFDATA_AUXTRACE = 71, /* the same */
    PERFDATA_EVENT_UPDATE = 78,
    PERFDATA_FEATURE = 80,
    PERFDATA_COMPRESSED = 81,
    PERFDATA_COMPRESSED2 = 83,
};

/* What was read since the last release. */
struct perfdata_window {
    struct perfdata_release release; /* range may be NULL */
    const uint8_t *low, *high;
    size_t bytes;
};

/* Where an event's records hold what is wanted before they are decoded. 0: nowhere. */
struct perfdata_layout {
    struct perfrec_layout sample;
    uint32_t trailer_time; /* from the end of any other record */
};

/* Where samples of every event have their id and their time; least 0: it is not the same place. */
struct perfdata_quick {
    uint32_t least; /* bytes of a sample that has both */
    uint32_t id;    /* 0: there is one event */
    uint32_t time;
};

enum { PERFDATA_FOUND = 64 };

struct perfdata {
    const uint8_t *bytes;
    size_t len;
    size_t records, records_end; /* of the records, in bytes */
    struct perfdata_window window;
    struct perfdata_event *event;
    struct perfdata_layout *layouts;  /* an event */
    struct perfrec_id_place id_place; /* of all events' ids */
    struct perfdata_quick quick;
    size_t events, event_cap, layout_cap;
    struct imap of_id;               /* event's id -> its index + 1 */
    bool several;                    /* events, which their records' ids tell apart */
    bool names_events, names_builds; /* the file has tables of them */
    struct perfdata_found {
        uint64_t id; /* 0: none */
        long event;
    } found[PERFDATA_FOUND]; /* that were looked for last */
    struct perfdata_build_id *build_id;
    size_t build_ids, build_id_cap;
    struct perfdata_facts facts;
    struct buf command; /* facts.command */
    struct buf names;   /* names made here: NUL-terminated, one behind the other */
    struct perfdata_counts counts;
    char warning[256];
};

/* The first warning stays: what follows follows from it. */
void perfdata_warn(struct perfdata *pd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- events --- */

/* Adds the event of a perf_event_attr, whose own size says where it ends; left at what follows. 0,
 * -EINVAL (too short, or too many), -ENOMEM. */
int perfdata_add_event(struct perfdata *pd, struct cursor *attr);
/* Ids of an event, to the end of the bytes. */
int perfdata_add_ids(struct perfdata *pd, size_t event, struct cursor *ids);
/* The event of an id, -1 for none. */
long perfdata_event_of_id(const struct perfdata *pd, uint64_t id);
/* What is known once all events are: their places, and names for those that have none. */
int perfdata_finish_events(struct perfdata *pd);
/* Appends perf's name of an event by its numbers. */
void perfdata_event_name(uint32_t type, uint64_t config, struct buf *out);

/* --- features --- */

/* Reads one, by its number; unknown ones and those not wanted are passed over. 0 or -ENOMEM. */
int perfdata_feature(struct perfdata *pd, unsigned number, struct cursor b);
/* A complete build-id record. 0 or -ENOMEM. */
int perfdata_add_build_id(struct perfdata *pd, const uint8_t *record, size_t len);

/* --- records --- */

enum perfdata_end { PERFDATA_MORE, PERFDATA_WHOLE, PERFDATA_CUT, PERFDATA_DAMAGED };

struct perfdata_walk {
    const uint8_t *at, *end;
    enum perfdata_end state;
};

struct perfdata_record {
    const uint8_t *bytes;
    size_t len;
    uint32_t type;
};

/* The next record, past the bytes that follow some. False at the end; state says which. */
bool perfdata_next(struct perfdata_walk *w, struct perfdata_record *out);

static inline struct perfdata_walk perfdata_records(const struct perfdata *pd)
{
    return (struct perfdata_walk){pd->bytes + pd->records, pd->bytes + pd->records_end,
                                  PERFDATA_MORE};
}

void perfdata_window_end(struct perfdata_window *w);

/* A record of the file, not an unpacked one, was read. */
static inline void perfdata_window_read(struct perfdata_window *w, const uint8_t *at, size_t len)
{
    if (!w->bytes || at < w->low)
        w->low = at;
    if (!w->bytes || at + len > w->high)
        w->high = at + len;
    w->bytes += len;
    if (w->bytes >= PERFDATA_WINDOW_BYTES)
        perfdata_window_end(w);
}

/* Reads what perf says among the kernel's records about events, programs and itself. 0 or -ENOMEM.
 */
int perfdata_survey(struct perfdata *pd);
