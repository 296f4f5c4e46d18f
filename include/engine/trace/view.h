/*
 * tracing_view: shows a running trace, or a recording, as a timeline in the terminal.
 *
 * A command is traced to its end first, as it has the terminal meanwhile. What was traced stays to
 * be looked at until the key q. While the timeline is frozen events are passed over, and shown as
 * lost where it goes on.
 */
#pragma once

#include "core/timeline/timeline_model.h"
#include "core/timeline/trigger.h"
#include "engine/trace/trace.h"

struct tracing_view {
    const char *path;             /* a recording or a stream; NULL: this machine's events */
    const char *source;           /* what the view calls it: "live", or the file */
    struct sched_trigger trigger; /* on which to freeze: its first three */
    struct sched_limits keep;
    bool opens_at;  /* of what has ended: at this time */
    uint64_t at_ns; /* from the beginning */
};

/* want's callbacks are its own. t as after tracing_run or tracing_read: to be released; a command
 * was waited for. */
int tracing_view(const struct tracing_want *want, const struct tracing_view *view,
                 struct tracing *t, struct fail *f);
