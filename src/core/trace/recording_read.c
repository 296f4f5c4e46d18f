#include "core/trace/recording.h"

#include "core/base/head_words.h"
#include "core/base/varint.h"
#include "recording_format.h"

#include <errno.h>

const char *const sched_recording_keys[SCHED_RECORDING_FACTS] = {
    "host", "machine", "kernel", "cpus", "command", "method", "begin", "start", "finish", "tasks"};

struct reading {
    struct sched_names *names;
    struct sched_recording *out;
    struct sched_event last;
    sched_emit_fn *emit;
    void *arg;
};

bool sched_recording_detect(const uint8_t *bytes, size_t len)
{
    return len >= MAGIC_BYTES && memcmp(bytes, SCHED_RECORDING_MAGIC, MAGIC_BYTES - 1) == 0;
}

const char *sched_recording_head_words(const uint8_t *bytes, size_t len)
{
    return head_words(bytes, len, SCHED_RECORDING_MAGIC, MAGIC_BYTES - 1);
}

void sched_recording_close(struct sched_recording *r)
{
    for (size_t i = 0; i < SCHED_RECORDING_FACTS; i++)
        buf_release(&r->fact[i]);
    *r = (struct sched_recording){0};
}

static void read_fact(struct reading *g, struct varints *c)
{
    size_t key_len, len;
    const char *key = get_text(c, &key_len), *value = get_text(c, &len);
    for (size_t i = 0; !c->bad && i < SCHED_RECORDING_FACTS; i++) {
        const char *name = sched_recording_keys[i];
        if (strlen(name) != key_len || memcmp(name, key, key_len) != 0)
            continue;
        buf_clear(&g->out->fact[i]);
        buf_add(&g->out->fact[i], value, len);
    }
}

static int32_t get_i32(struct varints *c)
{
    int64_t v = unzigzag(get_varint(c));
    c->bad |= v != (int32_t)v;
    return (int32_t)v;
}

static void read_name(struct reading *g, struct varints *c)
{
    size_t len;
    int32_t pid = get_i32(c), parent = get_i32(c);
    const char *name = get_text(c, &len);
    if (c->bad)
        return;
    sched_names_set(g->names, pid, 0, name, len);
    if (parent)
        sched_names_fork(g->names, parent, pid);
}

static void read_text(struct reading *g, struct varints *c)
{
    size_t len;
    const char *text = get_text(c, &len);
    if (!c->bad)
        sched_names_add_text(g->names, text, len);
}

/* --- events --- */

static uint8_t get_byte(struct varints *c)
{
    c->bad |= c->at == c->end;
    return c->bad ? 0 : *c->at++;
}

static void read_more(struct varints *c, unsigned more, struct sched_event *e)
{
    if (more & MORE_CPU)
        e->cpu = (int16_t)get_i32(c);
    if (more & MORE_PRIORITY)
        e->priority = (int16_t)get_i32(c);
    if (more & MORE_POLICY)
        e->policy = get_byte(c);
    if (more & MORE_STATE)
        e->state = get_byte(c);
    if (more & MORE_FLAGS)
        e->flags = get_byte(c);
}

/* A kind that is none of ours is another version's. */
static void read_event(struct reading *g, struct varints *c)
{
    uint8_t head = get_byte(c), more = head & HAS_MORE ? get_byte(c) : 0;
    const struct sched_event *last = &g->last;
    struct sched_event e = {.kind = head & KIND_MASK,
                            .other = -1,
                            .cpu = last->cpu,
                            .priority = last->priority,
                            .policy = last->policy};
    e.time_ns = last->time_ns + (uint64_t)unzigzag(get_varint(c));
    e.pid = get_i32(c);
    if (head & HAS_OTHER)
        e.other = get_i32(c);
    if (head & HAS_ARG)
        e.arg = (uint32_t)get_varint(c);
    read_more(c, more, &e);
    if (c->bad)
        return;
    g->last = e;
    if (e.kind < SCHED_KINDS)
        g->emit(g->arg, &e);
}

static void read_record(struct reading *g, uint64_t type, struct varints c, bool *bad)
{
    if (type == RECORD_FACT)
        read_fact(g, &c);
    else if (type == RECORD_NAME)
        read_name(g, &c);
    else if (type == RECORD_TEXT)
        read_text(g, &c);
    else if (type == RECORD_END)
        g->out->ended = true;
    while (type == RECORD_EVENTS && c.at < c.end && !c.bad)
        read_event(g, &c);
    *bad = c.bad;
}

static bool next_record(struct reading *g, struct varints *c)
{
    bool bad = false;
    uint64_t type = get_varint(c), len = get_varint(c);
    if (c->bad || len > (uint64_t)(c->end - c->at))
        return false;
    struct varints body = {c->at, c->at + len, false};
    c->at += len;
    read_record(g, type, body, &bad);
    return !bad;
}

int sched_recording_read(const uint8_t *bytes, size_t len, struct sched_names *names,
                         struct sched_recording *out, sched_emit_fn *emit, void *arg,
                         struct fail *f)
{
    struct reading g = {names, out, before_the_first(), emit, arg};
    *out = (struct sched_recording){0};
    if (!sched_recording_detect(bytes, len)) {
        fail_set(f, 0, "not a recording of a trace");
        return -EINVAL;
    }
    if (bytes[MAGIC_BYTES - 1] != SCHED_RECORDING_MAGIC[MAGIC_BYTES - 1]) {
        fail_set(f, 0, "recording of version %d; this psuite reads version %d",
                 bytes[MAGIC_BYTES - 1], SCHED_RECORDING_MAGIC[MAGIC_BYTES - 1]);
        return -EINVAL;
    }
    struct varints c = {bytes + MAGIC_BYTES, bytes + len, false};
    while (c.at < c.end && !out->truncated)
        out->truncated = !next_record(&g, &c);
    return 0;
}
