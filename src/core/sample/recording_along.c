/* A record as bytes; those that are given along, so that nothing else is needed to read a
 * recording. */
#include "core/base/varint.h"
#include "recording_writing.h"

#include <string.h>

/* Its type and length come before it. */
void recording_close_record(struct buf *out, size_t start, enum recording_type type)
{
    SCOPED_BUF head = BUF_INIT;
    size_t len = out->len - start;
    put_varints(&head, type, len);
    if (buf_reserve(out, head.len)) {
        memmove(out->data + start + head.len, out->data + start, len);
        memcpy(out->data + start, head.data, head.len);
        buf_commit(out, head.len);
    }
}

void recording_symbol(struct buf *out, size_t module, uint64_t start, uint64_t end,
                      const char *name)
{
    size_t at = out->len;
    put_varints(out, module, start, end - start);
    put_string(out, name ? name : "");
    recording_close_record(out, at, RECORD_SYMBOL);
}

bool recording_function(const struct module *m, uint64_t vaddr, struct symbol *out)
{
    if (module_symbol(m, vaddr, out))
        return true;
    *out = (struct symbol){.name = NULL};
    if (!module_function_start(m, vaddr, &out->start))
        return false;
    out->end = out->start;
    return true;
}

void recording_symbol_once(struct buf *out, const struct module *m, const struct symbol *s,
                           struct intern *written)
{
    size_t before = written->count;
    intern(written, (uint64_t[]){m->id, s->start});
    if (written->count > before)
        recording_symbol(out, m->id, s->start, s->end, s->name);
}

void recording_symbol_at(struct buf *out, const struct module *m, uint64_t vaddr,
                         struct intern *written)
{
    struct symbol s;
    if (recording_function(m, vaddr, &s))
        recording_symbol_once(out, m, &s, written);
}

void recording_place(struct buf *out, size_t module, uint64_t vaddr, const struct frames *f)
{
    size_t at = out->len;
    put_varints(out, module, vaddr, f->count);
    for (size_t i = 0; i < f->count; i++) {
        const struct frame *one = &f->frame[i];
        put_string(out, one->function ? one->function : "");
        put_string(out, one->file ? one->file : "");
        put_varints(out, one->line, one->column, one->discriminator);
    }
    recording_close_record(out, at, RECORD_PLACE);
}

void recording_text(struct buf *out, size_t module, uint64_t start)
{
    size_t at = out->len;
    put_varints(out, module, start);
    recording_close_record(out, at, RECORD_TEXT);
}
