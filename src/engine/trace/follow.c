/* A stream of events that is read while it grows: Plan 9's /proc/trace, a pipe. */
#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/trace/plan9.h"
#include "plat/clock.h"
#include "plat/file_stream.h"
#include "private.h"

#include <errno.h>

enum { ROUND_MS = 50, CHUNK = 65536, CHUNKS_A_ROUND = 64 };

struct source {
    struct tracing *t;
    const char *path;
    struct file_stream stream;
    struct buf bytes; /* not yet events */
    int kind;         /* TRACING_..., -1: not known yet */
    bool big;
    bool waits; /* it has said that there is nothing yet: its 0 is the end */
    bool ended;
};

static uint8_t *bytes_of(const struct source *s)
{
    return (uint8_t *)s->bytes.data;
}

/* How many bytes came; 0: none now, or none any more. */
static long read_chunk(struct source *s, struct fail *f)
{
    char *to = buf_reserve(&s->bytes, CHUNK);
    long n = to ? file_stream_read(&s->stream, to, CHUNK) : -ENOMEM;
    if (n > 0)
        buf_commit(&s->bytes, (size_t)n);
    s->waits |= n == -EAGAIN;
    s->ended = n == 0 && (s->stream.kind == FILE_PIPE || s->waits);
    return n >= 0 ? n : n == -EAGAIN ? 0 : fail_set(f, (int)-n, "%s", s->path);
}

/* Another read of a pipe could wait. */
static long read_round(struct source *s, struct fail *f)
{
    long n = 1;
    int chunks = s->stream.kind == FILE_PIPE ? 1 : CHUNKS_A_ROUND;
    for (int i = 0; i < chunks && n > 0; i++)
        n = read_chunk(s, f);
    return n;
}

static int learn_kind(struct source *s, struct fail *f)
{
    bool served = s->stream.kind == FILE_SERVED;
    bool enough = s->bytes.len >= SCHED_PLAN9_BYTES || (s->ended && (s->bytes.len || !served));
    if (s->kind >= 0 || !enough)
        return 0;
    int kind = tracing_read_kind(bytes_of(s), s->bytes.len, s->path, f);
    if (kind < 0)
        return kind;
    s->kind = kind;
    s->big = sched_plan9_big(bytes_of(s), s->bytes.len);
    return 0;
}

/* A recording is read when it has ended. */
static int parse_bytes(struct source *s, struct fail *f)
{
    int r = learn_kind(s, f);
    if (r < 0 || s->kind < 0)
        return r;
    if (s->kind == TRACING_RECORDING)
        return s->ended ? tracing_read_recording(s->t, bytes_of(s), s->bytes.len, f) : 0;
    size_t used = tracing_read_plan9(s->t, bytes_of(s), s->bytes.len, s->big);
    buf_drop(&s->bytes, used);
    s->t->file.cut = s->ended && s->bytes.len;
    return 0;
}

static int read_on(struct source *s, struct fail *f)
{
    const struct tracing_want *want = s->t->want;
    bool pipe = s->stream.kind == FILE_PIPE, go = true;
    struct wait_on on[WAITED_ON] = {{.handle = interrupt_open()},
                                    {.handle = pipe ? s->stream.handle : -1}};
    uint64_t end_ns = clock_mono_ns() + (uint64_t)(want->seconds * NS_PER_S);
    int timeout_ms;
    long r = 0;
    while (r >= 0 && go && !s->ended &&
           (timeout_ms = tracing_ms_left(want, end_ns, ROUND_MS)) > 0) {
        go = tracing_wait_round(want, on, timeout_ms);
        if (!pipe || on[TARGET].ready)
            r = read_round(s, f);
        if (r >= 0)
            r = parse_bytes(s, f);
        if (want->round)
            want->round(want->arg, s->t);
        if (on[INTERRUPT].ready && (s->t->command.interrupted = interrupt_read(NULL)) != 0)
            go = false;
    }
    return r < 0 ? (int)r : 0;
}

int tracing_read_stream(struct tracing *t, const char *path, struct fail *f)
{
    struct source s = {.t = t, .path = path, .kind = -1};
    int r = file_stream_open(path, &s.stream, f);
    if (r < 0)
        return r;
    r = read_on(&s, f);
    if (r == 0 && s.kind == TRACING_RECORDING && !s.ended)
        r = tracing_read_recording(t, bytes_of(&s), s.bytes.len, f);
    file_stream_close(&s.stream);
    buf_release(&s.bytes);
    return r;
}
