/*
 * sched_export: writes a timeline in formats of other programs.
 *
 * Each writes what spans keeps of [from_ns, to_ns). Bytes go to `out`, and whenever some have come
 * together to flush, which takes them and empties the buffer: memory stays small however long the
 * trace. 0, -ENOMEM, or what flush returned.
 */
#pragma once

#include "core/base/buf.h"
#include "core/timeline/delays.h"
#include "core/timeline/timeline_model.h"
#include "core/timeline/trigger.h"
#include "core/trace/task_names.h"

#include <stdint.h>

struct sched_export {
    const struct sched_spans *spans;
    const struct sched_names *names;
    const char *title;       /* the command, the recording */
    uint64_t from_ns, to_ns; /* to_ns 0: all */
    bool plan9; /* runs as Plan 9's trace draws them: none that a death ends, as that removes the
                   task's row */
    const struct sched_hit *hit;       /* sched_page opens there; NULL: on all of it */
    const struct sched_delays *delays; /* sched_page lists them; NULL: it does not */
    struct buf *out;
    int (*flush)(void *arg, struct buf *out); /* NULL: all stays in out */
    void *arg;
};

/* Chrome's Trace Event Format, as Perfetto and chrome://tracing read it (JSON object form): a track
 * a CPU with tasks, a track a task with runs and waits, arrows from who woke to who ran. Only here
 * plan9 counts: the other two are documents of the whole trace. */
int sched_chrome(const struct sched_export *w);

/* The same while events come: all runs and marks, though spans keeps none, in memory that does not
 * depend on how many there are. w->spans is initialized and has no event yet; it, w and what they
 * refer to live until the end. At the end w->to_ns counts, and 0 or the first error is returned. */
struct sched_chrome_stream;
struct sched_chrome_stream *sched_chrome_begin(const struct sched_export *w,
                                               struct sched_spans *spans); /* NULL: no memory */
int sched_chrome_end(struct sched_chrome_stream *c);

/* One page of HTML that needs nothing else: zoom, search, measure; a million events. */
int sched_page(const struct sched_export *w);

/* One image, as wide as a page; tasks that did nothing in it are left out, and of more than
 * SCHED_SVG_ROWS those that ran least, which it says. */
enum { SCHED_SVG_ROWS = 100 };
int sched_svg(const struct sched_export *w);
