/*
 * sched_page_data: a timeline as the bytes that html/data.js reads; and the parts of its page, for
 * pages that have more than the timeline (core/snap).
 */
#pragma once

#include "core/timeline/export.h"

struct sched_page_count {
    size_t tasks, runs;
};

/*
 * LEB128 numbers, signed ones in zigzag, texts behind their length; times in ns, each from the one
 * before it, the first from the window's start:
 *     1 (version)   length   CPUs
 *     kinds:  n, a name each
 *     texts:  n, each (of User marks, by their number less 1)
 *     tasks:  n, each: signed pid, name
 *     runs:   n, by start, each: start, duration, task, CPU + 1, flags | how << 3,
 *             then as the flags say: 1 wait before it, 2 pid that woke it, 4 pid that took its CPU
 *             how: 0 slept, 1 preempted, 2 yielded, 3 died, 4 runs still, 5 not seen
 *     marks:  n, by time, each: signed time, kind, task (the number of tasks: none), CPU + 1,
 *             signed other, what
 *     losses: n, each: CPU + 1, start, duration, events
 * -ENOMEM.
 */
int sched_page_data(const struct sched_export *w, struct buf *bytes,
                    struct sched_page_count *count);

/* The style; the scripts, in the order of a page, behind page_shared_js (core/text/page_shared.h).
 * The last one reads the bytes, in base64, from the element `data', and runs what is in the markup
 * below. */
extern const struct page_text sched_page_css, sched_page_data_js, sched_page_draw_js, sched_page_js;

/* Search, buttons and keys; they stand in the page's header. */
extern const char sched_page_tools[];
/* The overview, the rows, what is told of a place, and the list of keys. A page that has
 * data-drag="select" at an element selects times by dragging, and moves by shift and dragging. The
 * element `picture' has an event `timeline' behind each drawing. */
extern const char sched_page_picture[];
