/* What is given along in a recording, so that nothing else is needed to read it: symbols, and the
 * functions and lines at places. */
#include "recording_reading.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 1024 };

/* --- symbols --- */

static struct symtab_builder *symbols_of(struct reading *r, size_t module)
{
    if (module >= r->symbol_tables) {
        size_t count = r->sampled->mapped.modules.count;
        if (!grow_zeroed(&r->symbols, &r->symbol_cap, count, sizeof(struct symtab_builder *)))
            return NULL;
        r->symbol_tables = count;
    }
    if (!r->symbols[module])
        r->symbols[module] = symtab_builder_new(NULL);
    return r->symbols[module];
}

void recording_read_symbol(struct reading *r, struct varints *c)
{
    size_t len;
    uint64_t module = get_varint(c), start = get_varint(c), size = get_varint(c);
    const char *name = get_text(c, &len);
    struct module *m = c->bad ? NULL : recording_module(r, module);
    SCOPED_BUF ended = BUF_INIT;
    if (!m || m->wait || size > UINT64_MAX - start)
        return;
    buf_add(&ended, name, strnlen(name, len));
    struct symtab_builder *b = symbols_of(r, m->id);
    if (!b || buf_error(&ended))
        recording_fail(r, -ENOMEM);
    else
        symtab_add(b, &(struct symbol_found){.addr = start,
                                             .size = size,
                                             .name = buf_str(&ended),
                                             .copy_name = true,
                                             .function = true});
}

void recording_attach_symbols(struct reading *r)
{
    for (size_t i = 0; i < r->symbol_tables; i++) {
        struct module *m = r->sampled->mapped.modules.module[i];
        struct symtab *t = r->symbols[i] ? symtab_build(r->symbols[i]) : NULL;
        if (!r->symbols[i])
            continue;
        if (!t)
            return recording_fail(r, -ENOMEM);
        m->external.symbols = m->external.own = t;
        m->external.source = "recording";
        m->why[0] = '\0';
    }
}

/* --- places --- */

static size_t add_string(struct recording_places *p, struct varints *c)
{
    size_t len, at = p->text.len;
    const char *text = get_text(c, &len);
    buf_add(&p->text, text, strnlen(text, len));
    buf_addc(&p->text, '\0');
    return at;
}

void recording_read_place(struct reading *r, struct varints *c)
{
    struct recording_places *p = r->recording->places;
    uint64_t index = get_varint(c), vaddr = get_varint(c), count = get_varint(c);
    struct module *m = c->bad || count > MAX_FRAMES ? NULL : recording_module(r, index);
    if (!m)
        return;
    struct recording_place place = {vaddr, m->id, p->frames, 0};
    for (; place.count < count && !c->bad; place.count++) {
        if (!grow(&p->frame, &p->frame_cap, p->frames, sizeof *p->frame))
            return recording_fail(r, -ENOMEM);
        struct recording_frame *f = &p->frame[p->frames++];
        f->function = add_string(p, c);
        f->file = add_string(p, c);
        f->line = (uint32_t)get_varint(c);
        f->column = (uint32_t)get_varint(c);
        f->discriminator = (uint32_t)get_varint(c);
    }
    if (!c->bad && !GROW_ADD(p->place, p->place_cap, p->places, place))
        recording_fail(r, -ENOMEM);
}

static int by_address(const void *pa, const void *pb)
{
    const struct recording_place *a = pa, *b = pb;
    return ORDER(a->module, b->module) ?: ORDER(a->vaddr, b->vaddr);
}

void recording_sort_places(struct recording_places *p)
{
    if (p->places)
        sort_array(p->place, p->places, sizeof *p->place, by_address);
}

bool recording_frames(const struct recording *r, const struct module *m, uint64_t vaddr,
                      struct frames *out)
{
    const struct recording_places *p = r->places;
    struct recording_place key = {vaddr, m->id, 0, 0};
    const struct recording_place *found =
        p && p->places ? bsearch(&key, p->place, p->places, sizeof key, by_address) : NULL;
    for (size_t i = 0; found && i < found->count; i++) {
        const struct recording_frame *f = &p->frame[found->first + i];
        const char *function = p->text.data + f->function, *file = p->text.data + f->file;
        struct frame one = {.function = *function ? function : NULL,
                            .file = *file ? file : NULL,
                            .line = f->line,
                            .column = f->column,
                            .discriminator = f->discriminator};
        if (frames_add(out, &one) < 0)
            return false;
    }
    return found && found->count;
}
