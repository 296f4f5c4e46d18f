/* Recordings: written while tracing, and read. */
#include "plat/file.h"
#include "core/text/shell_words.h"
#include "core/trace/plan9.h"
#include "plat/clock.h"
#include "plat/file_stream.h"
#include "plat/host.h"
#include "private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --- */

static const char *record_name(const struct tracing *t)
{
    return strcmp(t->want->record, "-") == 0 ? "standard output" : t->want->record;
}

static void fact_number(struct tracing *t, enum sched_recording_key key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    sched_recording_fact(&t->record.writer, key, text);
}

static void fact_command(struct tracing *t)
{
    SCOPED_BUF words = BUF_INIT;
    if (t->want->command)
        shell_words_add(&words, t->want->command);
    if (words.len)
        sched_recording_fact(&t->record.writer, SCHED_RECORDING_COMMAND, buf_str(&words));
}

int tracing_record_open(struct tracing *t, struct fail *f)
{
    const char *path = t->want->record;
    if (!path)
        return 0;
    int handle = strcmp(path, "-") == 0 ? file_redirect_stdout(f)
                                        : file_create_private(path, t->want->force, f);
    if (handle < 0)
        return handle;
    t->record.handle = handle;
    sched_recording_start(&t->record.writer);
    return 0;
}

void tracing_record_facts(struct tracing *t)
{
    struct host host;
    if (t->record.handle < 0)
        return;
    host_describe(&host);
    sched_recording_fact(&t->record.writer, SCHED_RECORDING_HOST, host.name);
    sched_recording_fact(&t->record.writer, SCHED_RECORDING_MACHINE, host.machine);
    sched_recording_fact(&t->record.writer, SCHED_RECORDING_KERNEL, host.kernel);
    fact_number(t, SCHED_RECORDING_CPUS, host.cpus);
    fact_command(t);
    if (t->tasks.follows)
        sched_recording_fact(&t->record.writer, SCHED_RECORDING_TASKS, "some");
    sched_recording_fact(&t->record.writer, SCHED_RECORDING_METHOD, t->method);
    fact_number(t, SCHED_RECORDING_BEGIN, t->begin_ns);
    fact_number(t, SCHED_RECORDING_START, clock_real_ns());
}

void tracing_record_event(struct tracing *t, const struct sched_event *e)
{
    if (t->record.handle >= 0 && !t->record.err)
        sched_recording_event(&t->record.writer, &t->names, e);
}

bool tracing_record_round(struct tracing *t)
{
    struct buf *out = &t->record.writer.out;
    if (t->record.handle < 0 || t->record.err)
        return !t->record.err;
    sched_recording_flush(&t->record.writer);
    int err = sched_recording_error(&t->record.writer);
    t->record.err =
        err ? fail_set(&t->record.fail, -err, "%s", record_name(t))
            : file_append(t->record.handle, out->data, out->len, record_name(t), &t->record.fail);
    buf_clear(out);
    return !t->record.err;
}

int tracing_record_close(struct tracing *t, struct fail *f)
{
    if (t->record.handle < 0)
        return 0;
    fact_number(t, SCHED_RECORDING_FINISH, t->end_ns);
    sched_recording_end(&t->record.writer);
    tracing_record_round(t);
    int r = file_finish(t->record.handle, record_name(t), t->record.err ? NULL : &t->record.fail);
    t->record.handle = -1;
    if (!t->record.err)
        t->record.err = r;
    sched_recording_release(&t->record.writer);
    if (t->record.err && f)
        *f = t->record.fail;
    return t->record.err;
}

/* --- reading --- */

static void emit_event(struct tracing *t, const struct sched_event *e)
{
    if (!tracing_is_wanted(t, e)) {
        tracing_pass_other(t, e);
        return;
    }
    tracing_count(t, e);
    if (e->kind != SCHED_DEADLINE && e->time_ns > t->end_ns)
        t->end_ns = e->time_ns;
    if (t->want->event)
        t->want->event(t->want->arg, t, e);
}

enum { EVENTS_IN_MEMORY = 1 << 20 }; /* of a recording's pages: some 10 MB */

struct reading {
    struct tracing *t;
    struct sched_recording rec;
    uint64_t events;
};

static void begin_recording(struct tracing *t, const struct sched_recording *rec)
{
    t->begin_ns = strtoull(buf_str(&rec->fact[SCHED_RECORDING_BEGIN]), NULL, 10);
    t->file.some_tasks = rec->fact[SCHED_RECORDING_TASKS].len > 0;
    t->names.machine = syscall_machine_by_name(buf_str(&rec->fact[SCHED_RECORDING_MACHINE]));
}

/* Facts precede the events. */
static void handle_recorded(void *arg, const struct sched_event *e)
{
    struct reading *g = arg;
    if (!g->t->begin_ns)
        begin_recording(g->t, &g->rec);
    emit_event(g->t, e);
    if (++g->events % EVENTS_IN_MEMORY == 0 && g->t->file.image)
        file_drop_pages(g->t->file.image);
}

int tracing_read_recording(struct tracing *t, const uint8_t *bytes, size_t len, struct fail *f)
{
    struct reading g = {.t = t};
    snprintf(t->method, sizeof t->method, "recording");
    int r = sched_recording_read(bytes, len, &t->names, &g.rec, handle_recorded, &g, f);
    t->file.cut = g.rec.truncated;
    t->file.ended = g.rec.ended;
    uint64_t finish_ns = strtoull(buf_str(&g.rec.fact[SCHED_RECORDING_FINISH]), NULL, 10);
    t->end_ns = finish_ns > t->end_ns ? finish_ns : t->end_ns;
    sched_recording_close(&g.rec);
    return r;
}

size_t tracing_read_plan9(struct tracing *t, const uint8_t *bytes, size_t len, bool big)
{
    size_t at = 0;
    snprintf(t->method, sizeof t->method, "/proc/trace");
    t->file.plan9 = t->file.ended = true;
    for (; at + SCHED_PLAN9_BYTES <= len; at += SCHED_PLAN9_BYTES) {
        struct sched_event e;
        sched_plan9_read(bytes + at, big, &e);
        if (!t->begin_ns)
            t->begin_ns = e.time_ns;
        emit_event(t, &e);
    }
    return at;
}

/* Nearly every word of Plan 9's stream has a type that there is. */
static bool looks_plan9(const uint8_t *bytes, size_t len)
{
    size_t events = len / SCHED_PLAN9_BYTES, known = 0;
    size_t look = events < 256 ? events : 256;
    bool big = sched_plan9_big(bytes, len);
    for (size_t i = 0; i < look; i++) {
        struct sched_event e;
        sched_plan9_read(bytes + i * SCHED_PLAN9_BYTES, big, &e);
        known += e.kind < SCHED_PLAN9;
    }
    return look && known * 4 >= look * 3;
}

int tracing_read_kind(const uint8_t *bytes, size_t len, const char *path, struct fail *f)
{
    if (sched_recording_detect(bytes, len))
        return TRACING_RECORDING;
    if (looks_plan9(bytes, len))
        return TRACING_PLAN9;
    const char *there = sched_recording_head_words(bytes, len);
    fail_set(f, 0, "%s: %s", path,
             there ? there : "neither a recording of trace nor Plan 9's events");
    return -EINVAL;
}

static int read_whole(struct tracing *t, const char *path, struct fail *f)
{
    struct image file;
    int r = file_input(path, SIZE_MAX / 2, &file, f);
    if (r < 0)
        return r;
    int kind = tracing_read_kind(file.data, file.len, path, f);
    r = kind < 0 ? kind : 0;
    t->file.image = &file;
    if (kind == TRACING_RECORDING) {
        r = tracing_read_recording(t, file.data, file.len, f);
    } else if (kind == TRACING_PLAN9) {
        bool big = sched_plan9_big(file.data, file.len);
        t->file.cut = tracing_read_plan9(t, file.data, file.len, big) != file.len;
    }
    t->file.image = NULL;
    file_unmap(&file);
    return r;
}

int tracing_read_bytes(const struct tracing_want *want, const uint8_t *bytes, size_t len,
                       struct tracing *t, struct fail *f)
{
    *t = (struct tracing){.want = want, .record.handle = -1};
    return tracing_read_recording(t, bytes, len, f);
}

int tracing_read(const struct tracing_want *want, const char *path, struct tracing *t,
                 struct fail *f)
{
    enum file_stream_kind kind = file_stream_kind(path);
    *t = (struct tracing){.want = want, .record.handle = -1};
    t->tasks.follows = want->pids && kind != FILE_SERVED;
    for (size_t i = 0; i < want->pids; i++)
        tracing_follow(t, want->pid[i]);
    return kind == FILE_WHOLE ? read_whole(t, path, f) : tracing_read_stream(t, path, f);
}
