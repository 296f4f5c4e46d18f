/* A tracing, or a recording, as a timeline in the terminal. */
#include "trace_request.h"

#include "engine/trace/view.h"

int trace_view(struct trace_request *q)
{
    SCOPED(tracing_release) struct tracing t;
    struct fail f = {0};
    struct tracing_view view = {.path = q->file,
                                .source = q->file           ? q->file
                                          : q->want.command ? q->want.command[0]
                                                            : "live",
                                .trigger = q->trigger,
                                .opens_at = q->at_s >= 0,
                                .at_ns = q->at_s > 0 ? (uint64_t)(q->at_s * 1e9 + 0.5) : 0,
                                .keep = q->keep};
    int r = tracing_view(&q->want, &view, &t, &f);
    return r < 0 ? applet_fail(&applet_trace, &f) : t.command.executed ? t.command.status : DONE;
}
