#include "core/ktrace/decode.h"

#include "core/base/bytes.h"
#include "core/base/grow.h"

#include <errno.h>

/* include/linux/trace_events.h, of common_flags */
enum { IN_HARDIRQ = 0x08, IN_SOFTIRQ = 0x10, IN_NMI = 0x40 };

/* What the kernel has in the place of a text that it could not read (kernel/trace/trace_probe.h).
 */
#define FAULT        "(fault)"
#define END_OF_STACK UINT64_MAX

void ktrace_decoder_release(struct ktrace_decoder *d)
{
    imap_release(&d->ids);
    free(d->event);
    d->event = NULL;
    d->events = d->event_cap = 0;
}

/* --- formats --- */

static bool copy_common(const struct trace_format *f, struct ktrace_decoder *d)
{
    return trace_format_copy(f, "common_type", &d->type) &&
           trace_format_copy(f, "common_flags", &d->flags) &&
           trace_format_copy(f, "common_pid", &d->pid);
}

static struct ktrace_field place_of(const struct trace_field *field)
{
    if (!field || field->size > 8 || field->offset > UINT16_MAX)
        return (struct ktrace_field){.bytes = 0};
    return (struct ktrace_field){(uint16_t)field->offset, (uint8_t)field->size, field->is_signed};
}

static struct ktrace_field find_field(const struct trace_format *f, const char *name)
{
    return place_of(trace_format_field(f, name));
}

static void copy_values(const struct trace_format *f, struct ktrace_fields *out)
{
    char value[3] = "a1", text[3] = "s1";
    for (int i = 0; i < KTRACE_MAX_ARGS; i++, value[1]++, text[1]++) {
        out->value[i] = find_field(f, value);
        out->text[i] = find_field(f, text);
    }
    if (out->exit)
        out->value[0] = find_field(f, "r");
}

static int add_event(struct ktrace_decoder *d, uint32_t id, const struct ktrace_fields *fields)
{
    uint64_t *at =
        grow(&d->event, &d->event_cap, d->events, sizeof *d->event) ? imap_at(&d->ids, id) : NULL;
    if (!at)
        return -ENOMEM;
    d->event[d->events++] = *fields;
    *at = d->events;
    return 0;
}

int ktrace_decoder_learn(struct ktrace_decoder *d, uint32_t function, bool exit, const char *format,
                         size_t len)
{
    struct trace_format f;
    struct ktrace_fields fields = {.function = function, .exit = exit};
    if (trace_format_read(format, len, &f) < 0 || !copy_common(&f, d))
        return -EINVAL;
    copy_values(&f, &fields);
    return exit && !fields.value[0].bytes ? -EINVAL : add_event(d, f.id, &fields);
}

int ktrace_decoder_learn_texts(struct ktrace_decoder *d, const char *format, size_t len)
{
    struct trace_format f;
    struct ktrace_fields fields = {.what = KTRACE_TEXTS};
    if (trace_format_read(format, len, &f) < 0 || !copy_common(&f, d))
        return -EINVAL;
    copy_values(&f, &fields);
    return add_event(d, f.id, &fields);
}

int ktrace_decoder_map(struct ktrace_decoder *d, uint32_t function, bool exit,
                       const struct trace_format *f,
                       const struct trace_field *const value[KTRACE_MAX_ARGS])
{
    struct ktrace_fields fields = {.function = function, .exit = exit};
    if (!copy_common(f, d))
        return -EINVAL;
    for (int i = 0; i < KTRACE_MAX_ARGS; i++)
        fields.value[i] = place_of(value[i]);
    return add_event(d, f->id, &fields);
}

int ktrace_decoder_learn_stack(struct ktrace_decoder *d, const char *format, size_t len)
{
    struct trace_format f;
    if (trace_format_read(format, len, &f) < 0 || !copy_common(&f, d) ||
        !trace_format_copy(&f, "caller", &d->stack))
        return -EINVAL;
    d->stack_id = f.id;
    return 0;
}

/* --- records --- */

static uint64_t pid_of(const struct ktrace_decoder *d, const struct trace_record *r)
{
    int64_t pid = trace_field_number(&d->pid, r->bytes, r->len);
    return pid > 0 ? (uint64_t)pid : KTRACE_NO_PID;
}

static uint64_t value_of(const struct ktrace_field *f, const struct trace_record *r)
{
    struct trace_field whole = {.offset = f->offset, .size = f->bytes, .is_signed = f->is_signed};
    return f->bytes ? (uint64_t)trace_field_number(&whole, r->bytes, r->len) : 0;
}

/* The field has where the bytes are (the lower half), and how many, with the NUL. */
static struct ktrace_text text_of(const struct ktrace_field *f, const struct trace_record *r)
{
    uint64_t loc = value_of(f, r);
    size_t at = loc & 0xffff, bytes = loc >> 16 & 0xffff;
    if (!bytes || at > r->len || bytes > r->len - at)
        return (struct ktrace_text){.at = NULL};
    struct ktrace_text text = {(const char *)r->bytes + at, 0};
    text.len = strnlen(text.at, bytes < KTRACE_TEXT_BYTES ? bytes : KTRACE_TEXT_BYTES);
    if (text.len == sizeof FAULT - 1 && memcmp(text.at, FAULT, text.len) == 0)
        text.at = NULL;
    return text;
}

static void decode_common(const struct ktrace_decoder *d, const struct trace_record *r,
                          struct ktrace_event *e)
{
    int64_t flags = trace_field_number(&d->flags, r->bytes, r->len);
    e->time = r->time_ns;
    e->pid = pid_of(d, r);
    e->interrupt = (flags & (IN_HARDIRQ | IN_SOFTIRQ | IN_NMI)) != 0;
}

static void decode_values(const struct ktrace_fields *f, const struct trace_record *r,
                          struct ktrace_event *e, struct ktrace_more *m)
{
    for (int i = 0; i < KTRACE_MAX_ARGS; i++) {
        *(i < KTRACE_ARGS ? &e->arg[i] : &m->arg[i - KTRACE_ARGS]) = value_of(&f->value[i], r);
        m->text[i] = text_of(&f->text[i], r);
    }
}

/* The addresses are the rest of the record, in the kernel's long, as the page's commit is. */
static void decode_stack(const struct ktrace_decoder *d, const struct trace_record *r,
                         struct ktrace_more *m)
{
    size_t at = d->stack.offset, bytes = at < r->len ? r->len - at : 0;
    m->what = KTRACE_STACK;
    while (bytes >= d->layout.commit_size && m->frame_count < KTRACE_MAX_FRAMES) {
        const uint8_t *frame = r->bytes + at;
        uint64_t address = d->layout.commit_size == 8 ? get_le64(frame) : get_le32(frame);
        if (address == 0 || address == END_OF_STACK)
            return;
        m->frame[m->frame_count++] = address;
        at += d->layout.commit_size;
        bytes -= d->layout.commit_size;
    }
}

/* The number of an event is at the same place in all records. */
static bool decode_record(const struct ktrace_decoder *d, const struct trace_record *r,
                          struct ktrace_event *e, struct ktrace_more *m)
{
    uint64_t id = (uint64_t)trace_field_number(&d->type, r->bytes, r->len) & UINT16_MAX;
    uint64_t which = imap_get(&d->ids, id);
    *e = (struct ktrace_event){.function = 0};
    m->what = KTRACE_EDGE; /* not all of its bytes: they are many */
    m->frame_count = 0;
    if (which) {
        const struct ktrace_fields *f = &d->event[which - 1];
        e->function = f->function;
        e->exit = f->exit;
        m->what = f->what;
        decode_values(f, r, e, m);
    } else if (id == d->stack_id && id) {
        decode_stack(d, r, m);
    } else {
        return false;
    }
    decode_common(d, r, e);
    return true;
}

static void count_loss(struct ktrace_decoder *d, uint64_t missed)
{
    d->losses += missed != 0;
    d->lost += missed == TRACE_MISSED_MANY ? 0 : missed;
}

void ktrace_decode_page(struct ktrace_decoder *d, const uint8_t *bytes, size_t len,
                        ktrace_emit_fn *emit, void *arg)
{
    struct trace_page page;
    struct trace_record r;
    if (trace_page_open(&page, &d->layout, bytes, len) < 0) {
        d->damaged++;
        return;
    }
    count_loss(d, page.missed);
    while (trace_page_next(&page, &r)) {
        struct ktrace_event e;
        struct ktrace_more m;
        if (decode_record(d, &r, &e, &m))
            emit(arg, &e, &m);
        else
            d->unknown++;
    }
    d->damaged += page.damaged;
}
