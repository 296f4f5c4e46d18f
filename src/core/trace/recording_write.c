#include "core/trace/recording.h"

#include "core/base/grow.h"
#include "core/base/varint.h"
#include "recording_format.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16384 };

void sched_recording_start(struct sched_recording_writer *w)
{
    *w = (struct sched_recording_writer){.last = before_the_first()};
    buf_add(&w->out, SCHED_RECORDING_MAGIC, MAGIC_BYTES);
}

void sched_recording_release(struct sched_recording_writer *w)
{
    buf_release(&w->out);
    buf_release(&w->block);
    free(w->written);
    *w = (struct sched_recording_writer){0};
}

int sched_recording_error(const struct sched_recording_writer *w)
{
    return buf_error(&w->out) ? buf_error(&w->out) : buf_error(&w->block);
}

static void write_record(struct sched_recording_writer *w, unsigned type, const struct buf *body)
{
    put_varint(&w->out, type);
    put_text(&w->out, buf_str(body), body->len);
}

void sched_recording_flush(struct sched_recording_writer *w)
{
    if (w->block.len)
        write_record(w, RECORD_EVENTS, &w->block);
    w->block.len = 0;
}

void sched_recording_fact(struct sched_recording_writer *w, enum sched_recording_key key,
                          const char *value)
{
    SCOPED_BUF body = BUF_INIT;
    put_string(&body, sched_recording_keys[key]);
    put_string(&body, value);
    sched_recording_flush(w);
    write_record(w, RECORD_FACT, &body);
}

void sched_recording_end(struct sched_recording_writer *w)
{
    struct buf none = BUF_INIT;
    sched_recording_flush(w);
    write_record(w, RECORD_END, &none);
}

/* --- names and texts --- */

static uint32_t *written_at(struct sched_recording_writer *w, size_t i)
{
    return grow_zeroed(&w->written, &w->written_cap, i + 1, sizeof *w->written) ? &w->written[i]
                                                                                : NULL;
}

static void write_name(struct sched_recording_writer *w, const struct sched_name *n)
{
    SCOPED_BUF body = BUF_INIT;
    put_varints(&body, zigzag(n->pid), zigzag(n->parent));
    put_string(&body, n->name);
    sched_recording_flush(w);
    write_record(w, RECORD_NAME, &body);
}

static void write_name_once(struct sched_recording_writer *w, const struct sched_names *names,
                            int32_t pid)
{
    uint32_t number = pid > 0 ? sched_names_number(names, pid) : 0;
    const struct sched_name *n = number ? &names->name[number - 1] : NULL;
    uint32_t *written = n ? written_at(w, number - 1) : NULL;
    if (!written || *written == n->changes + 1)
        return;
    write_name(w, n);
    *written = n->changes + 1;
}

static void write_texts(struct sched_recording_writer *w, const struct sched_names *names,
                        size_t upto)
{
    for (; w->texts < upto && w->texts < names->texts; w->texts++) {
        SCOPED_BUF body = BUF_INIT;
        put_string(&body, names->text[w->texts]);
        sched_recording_flush(w);
        write_record(w, RECORD_TEXT, &body);
    }
}

/* --- events --- */

static unsigned more_of(const struct sched_event *e, const struct sched_event *last)
{
    return (e->cpu != last->cpu ? MORE_CPU : 0) |
           (e->priority != last->priority ? MORE_PRIORITY : 0) |
           (e->policy != last->policy ? MORE_POLICY : 0) | (e->state ? MORE_STATE : 0) |
           (e->flags ? MORE_FLAGS : 0);
}

enum { EVENT_BYTES = 64 }; /* more than the longest has: 2 + 10 + 4 x 5 + 2 x 3 + 3 */

static uint8_t *write_number(uint8_t *at, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *at++ = (uint8_t)(v | 0x80);
    *at++ = (uint8_t)v;
    return at;
}

static uint8_t *write_more(uint8_t *at, const struct sched_event *e, unsigned more)
{
    if (more & MORE_CPU)
        at = write_number(at, zigzag(e->cpu));
    if (more & MORE_PRIORITY)
        at = write_number(at, zigzag(e->priority));
    if (more & MORE_POLICY)
        *at++ = e->policy;
    if (more & MORE_STATE)
        *at++ = e->state;
    if (more & MORE_FLAGS)
        *at++ = e->flags;
    return at;
}

static void write_event(struct sched_recording_writer *w, const struct sched_event *e)
{
    uint8_t *bytes = buf_reserve(&w->block, EVENT_BYTES), *at = bytes;
    bool other = e->other != -1;
    unsigned more = more_of(e, &w->last);
    if (!bytes)
        return;
    *at++ = (uint8_t)(e->kind | (other ? HAS_OTHER : 0) | (e->arg ? HAS_ARG : 0) |
                      (more ? HAS_MORE : 0));
    if (more)
        *at++ = (uint8_t)more;
    at = write_number(at, zigzag((int64_t)(e->time_ns - w->last.time_ns)));
    at = write_number(at, zigzag(e->pid));
    if (other)
        at = write_number(at, zigzag(e->other));
    if (e->arg)
        at = write_number(at, e->arg);
    at = write_more(at, e, more);
    buf_commit(&w->block, (size_t)(at - bytes));
}

void sched_recording_event(struct sched_recording_writer *w, const struct sched_names *names,
                           const struct sched_event *e)
{
    if (e->kind >= SCHED_KINDS)
        return;
    write_name_once(w, names, e->pid);
    if (e->kind == SCHED_READY || e->kind == SCHED_SLICE || e->kind == SCHED_FORK)
        write_name_once(w, names, e->other);
    if (e->kind == SCHED_USER)
        write_texts(w, names, e->arg);
    if ((e->kind == SCHED_CALL || e->kind == SCHED_RETURN) && e->arg >= SCHED_FUNCTIONS)
        write_texts(w, names, e->arg - SCHED_FUNCTIONS);
    write_event(w, e);
    w->last = *e;
    if (w->block.len >= BLOCK_BYTES)
        sched_recording_flush(w);
}
