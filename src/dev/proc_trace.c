#include "proc_trace.h"

#include "engine/trace/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct proc_trace {
    struct tracing_stream *stream;
    bool open;
};

struct proc_trace *proc_trace_new(void)
{
    struct proc_trace *t = calloc(1, sizeof *t);
    if (t && !(t->stream = tracing_stream_new())) {
        free(t);
        return NULL;
    }
    return t;
}

void proc_trace_free(struct proc_trace *t)
{
    tracing_stream_free(t->stream);
    free(t);
}

int proc_trace_tend(struct proc_trace *t)
{
    return tracing_stream_tend(t->stream);
}

/* --- ctl --- */

static const char *const messages[] = {"trace", "trace 1", "trace 0", "event", NULL};

bool proc_trace_is_message(const char *message)
{
    size_t i = 0;
    while (messages[i] && strcmp(message, messages[i]) != 0)
        i++;
    return messages[i] != NULL;
}

int proc_trace_message(struct proc_trace *t, int pid, const char *message, struct fail *f)
{
    bool on = tracing_stream_has(t->stream, pid);
    bool wanted = strcmp(message, "trace") == 0 ? !on : strcmp(message, "trace 1") == 0;
    if (strcmp(message, "event") == 0)
        tracing_stream_mark(t->stream, pid);
    else if (wanted)
        return tracing_stream_add(t->stream, pid, f);
    else
        tracing_stream_drop(t->stream, pid);
    return 0;
}

/* --- trace --- */

int proc_trace_open(struct proc_trace *t, struct fail *f)
{
    if (t->open)
        return fail_set(f, 0, "already open");
    t->open = true;
    tracing_stream_tend(t->stream);
    return 0;
}

long proc_trace_read(struct proc_trace *t, void *bytes, size_t len, struct fail *f)
{
    return tracing_stream_read(t->stream, bytes, len, f);
}

void proc_trace_close(struct proc_trace *t)
{
    t->open = false;
}

/* --- tracing --- */

void proc_trace_text(const struct proc_trace *t, struct buf *out)
{
    struct tracing_stream_state s = tracing_stream_state(t->stream);
    buf_printf(out, "%zu tasks\n%" PRIu64 " waiting\n%" PRIu64 " dropped\n", s.tasks, s.waiting,
               s.dropped);
    buf_printf(out, "%" PRIu64 " lost\n%" PRIu64 " losses\n", s.lost, s.losses);
}
