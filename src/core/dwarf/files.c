#include "line.h"
#include "names.h"

enum { MAX_ENTRIES = 1 << 20 };

typedef bool name_handler(void *arg, const struct dwarf_line_name *name);

/* --- versions 2 to 4: strings, until an empty one --- */

static struct dwarf_value read_string(struct dwarf_cursor *c)
{
    struct dwarf_value text = {DW_FORM_string, c->at};
    dwarf_skip_string(c);
    return text;
}

/* Also steps over the empty string that ends a table. */
static bool at_end(struct dwarf_cursor *c)
{
    if (!dwarf_fits(c, 1))
        return true;
    bool end = !c->base[c->at];
    c->at += end;
    return end;
}

static bool read_dirs(struct dwarf_cursor *c, const struct dwarf_line_handler *handler)
{
    for (unsigned i = 0; i < MAX_ENTRIES && !at_end(c); i++) {
        struct dwarf_line_name dir = {.text = read_string(c)};
        if (c->bad || !handler->dir(handler->arg, &dir))
            return false;
    }
    return !c->bad;
}

bool dwarf_files_entry(struct dwarf_cursor *c, struct dwarf_line_name *out)
{
    out->text = read_string(c);
    out->dir = dwarf_uleb(c);
    dwarf_skip_leb(c); /* time of its last change */
    dwarf_skip_leb(c); /* length */
    return !c->bad;
}

static void read_files(struct dwarf_cursor *c, const struct dwarf_line_handler *handler)
{
    struct dwarf_line_name file;
    for (unsigned i = 0; i < MAX_ENTRIES && !at_end(c); i++)
        if (!dwarf_files_entry(c, &file) || !handler->file(handler->arg, &file))
            return;
}

/* --- version 5: entries that say how they are laid out --- */

struct layout {
    unsigned fields;
    struct {
        uint64_t content, form;
    } field[UINT8_MAX];
};

static void read_layout(struct dwarf_cursor *c, struct layout *l)
{
    l->fields = (unsigned)dwarf_number(c, 1);
    for (unsigned i = 0; i < l->fields; i++) {
        l->field[i].content = dwarf_uleb(c);
        l->field[i].form = dwarf_uleb(c);
    }
}

static void read_entry(struct dwarf_cursor *c, const struct dwarf_unit *sizes,
                       const struct layout *l, struct dwarf_line_name *out)
{
    *out = (struct dwarf_line_name){0};
    for (unsigned i = 0; i < l->fields; i++) {
        struct dwarf_value v = dwarf_form_value(sizes, c, l->field[i].form);
        if (l->field[i].content == DW_LNCT_path)
            out->text = v;
        else if (l->field[i].content == DW_LNCT_directory_index)
            out->dir = v.n;
    }
}

/* An entry of no bytes could be there any number of times. */
static bool read_table(struct dwarf_cursor *c, const struct dwarf_unit *sizes,
                       name_handler *handler, void *arg)
{
    struct layout l;
    struct dwarf_line_name name;
    read_layout(c, &l);
    uint64_t count = dwarf_uleb(c);
    if (count > MAX_ENTRIES)
        return false;
    for (uint64_t i = 0; i < count && !c->bad; i++) {
        size_t before = c->at;
        read_entry(c, sizes, &l, &name);
        if (c->bad || c->at == before || !handler(arg, &name))
            return false;
    }
    return !c->bad;
}

void dwarf_files_read(const struct dwarf_line_head *h, struct dwarf_cursor c,
                      const struct dwarf_line_handler *handler)
{
    const struct dwarf_unit sizes = {.version = (uint8_t)h->version,
                                     .addr_size = (uint8_t)h->addr_size,
                                     .offset_size = (uint8_t)h->offset_size};
    if (h->version < 5) {
        if (read_dirs(&c, handler))
            read_files(&c, handler);
    } else if (read_table(&c, &sizes, handler->dir, handler->arg)) {
        read_table(&c, &sizes, handler->file, handler->arg);
    }
}
