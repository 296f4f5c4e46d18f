#include "core/base/scope.h"
#include "lines_module.h"

static uint32_t id_of(size_t index)
{
    return UINT32_MAX - 1 - (uint32_t)index;
}

/* What the root entries say. */
static void add_roots(struct lines *l, struct spans *s)
{
    for (size_t i = 0; i < l->file.units; i++) {
        struct dwarf_unit *u = &l->file.unit[i];
        struct dwarf_die root;
        size_t before = s->count;
        if (!dwarf_unit_ready(u))
            continue;
        if (dwarf_die_at(u, u->die, &root))
            dwarf_die_ranges(&root, s, id_of(i));
        l->bare[i] = s->count == before;
    }
}

struct taking {
    struct lines *l;
    struct spans *spans;
};

static bool add_arange(void *arg, uint64_t unit, uint64_t start, uint64_t end)
{
    struct taking *t = arg;
    const struct dwarf_unit *u = dwarf_unit_holding(&t->l->file, unit);
    return !u || spans_add(t->spans, start, end, id_of((size_t)(u - t->l->file.unit)));
}

/* Marks as found those that have a span. */
static void unmark_bare(struct lines *l, const struct spans *s)
{
    for (size_t i = 0; i < s->count; i++)
        l->bare[UINT32_MAX - 1 - s->span[i].id] = false;
}

static size_t max_spans(const struct lines *l)
{
    const struct dwarf_bytes *s = l->file.image.section;
    return l->file.units + s[DWARF_RNGLISTS].len / 2 + s[DWARF_RANGES].len / 4 +
           s[DWARF_ARANGES].len / 8;
}

bool lines_map_make(struct lines *l)
{
    SCOPED(spans_release) struct spans s = {.max = max_spans(l), .budget = l->budget};
    struct taking t = {l, &s};
    add_roots(l, &s);
    dwarf_aranges(&l->file.image, add_arange, &t);
    unmark_bare(l, &s);
    return span_map_make(&l->map, &s);
}

/* The map as spans again, with the functions of units that say nothing of themselves. */
static void search_bare(struct lines *l)
{
    SCOPED(spans_release)
    struct spans s = {.max = l->map.count + l->file.image.section[DWARF_INFO].len + max_spans(l),
                      .budget = l->budget};
    struct span_map map;
    l->searched = true;
    for (size_t i = 0; i + 1 < l->map.count; i++)
        if (l->map.at[i].id != (uint32_t)SPAN_NONE)
            spans_add(&s, l->map.at[i].start, l->map.at[i + 1].start, l->map.at[i].id);
    size_t before = s.count;
    bool more = true;
    for (size_t i = 0; i < l->file.units && more; i++)
        if (l->bare[i])
            more = lines_scopes_ranges(&l->file.unit[i], &s, id_of(i));
    if (s.count > before && span_map_make(&map, &s)) {
        span_map_release(&l->map);
        l->map = map;
    }
}

size_t lines_map_find(struct lines *l, uint64_t vaddr)
{
    uint32_t id = span_map_find(&l->map, vaddr);
    if (id == (uint32_t)SPAN_NONE && !l->searched) {
        search_bare(l);
        id = span_map_find(&l->map, vaddr);
    }
    return id == (uint32_t)SPAN_NONE ? SIZE_MAX : UINT32_MAX - 1 - id;
}
