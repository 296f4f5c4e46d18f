#include "core/ktrace/decode.h"

#include <errno.h>

/* include/linux/trace_events.h, of common_flags */
enum { IN_HARDIRQ = 0x08, IN_SOFTIRQ = 0x10, IN_NMI = 0x40 };

void ktrace_decoder_release(struct ktrace_decoder *d)
{
    imap_release(&d->ids);
}

static bool copy_field(const struct trace_format *f, const char *name, struct trace_field *out)
{
    const struct trace_field *field = trace_format_field(f, name);
    if (field)
        *out = *field;
    return field != NULL;
}

static bool copy_values(const struct trace_format *f, bool exit, struct ktrace_fields *out)
{
    bool whole = true;
    if (exit)
        return copy_field(f, "r", &out->value[0]);
    for (int i = 0; i < KTRACE_ARGS; i++) {
        char name[4] = {'a', (char)('1' + i)};
        whole = copy_field(f, name, &out->value[i]) && whole;
    }
    return whole;
}

int ktrace_decoder_learn(struct ktrace_decoder *d, uint32_t function, bool exit, const char *format,
                         size_t len)
{
    struct trace_format f;
    struct ktrace_fields fields = {.type.size = 0};
    if (trace_format_read(format, len, &f) < 0 || !copy_field(&f, "common_type", &fields.type) ||
        !copy_field(&f, "common_flags", &fields.flags) ||
        !copy_field(&f, "common_pid", &fields.pid) || !copy_values(&f, exit, &fields))
        return -EINVAL;
    uint64_t *at = imap_at(&d->ids, f.id);
    if (!at)
        return -ENOMEM;
    *at = ((uint64_t)function << 1 | exit) + 1;
    *(exit ? &d->exit : &d->entry) = fields;
    return 0;
}

static uint64_t pid_of(const struct ktrace_fields *f, const struct trace_record *r)
{
    int64_t pid = trace_field_number(&f->pid, r->bytes, r->len);
    return pid > 0 ? (uint64_t)pid : KTRACE_NO_PID;
}

static void decode_record(const struct ktrace_fields *f, const struct trace_record *r,
                          struct ktrace_event *e)
{
    int64_t flags = trace_field_number(&f->flags, r->bytes, r->len);
    e->time = r->time_ns;
    e->pid = pid_of(f, r);
    e->interrupt = (flags & (IN_HARDIRQ | IN_SOFTIRQ | IN_NMI)) != 0;
    for (int i = 0; i < (e->exit ? 1 : KTRACE_ARGS); i++)
        e->arg[i] = (uint64_t)trace_field_number(&f->value[i], r->bytes, r->len);
}

/* The number of an event is at the same place in all records. */
static bool identify(struct ktrace_decoder *d, const struct trace_record *r, struct ktrace_event *e)
{
    const struct ktrace_fields *f = d->entry.type.size ? &d->entry : &d->exit;
    uint64_t which =
        imap_get(&d->ids, (uint64_t)trace_field_number(&f->type, r->bytes, r->len) & UINT16_MAX);
    *e = (struct ktrace_event){.function = (uint32_t)((which - 1) >> 1), .exit = (which - 1) & 1};
    return which != 0;
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
        if (identify(d, &r, &e)) {
            decode_record(e.exit ? &d->exit : &d->entry, &r, &e);
            emit(arg, &e);
        } else {
            d->unknown++;
        }
    }
    d->damaged += page.damaged;
}
