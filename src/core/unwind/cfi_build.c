/*
 * Rows of entries. All entries of all sections are put in the order of their addresses first; where
 * two are about one address, .eh_frame outranks .debug_frame, and the file its debug file.
 */
#include "cfi_table.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <errno.h>

enum { COMMONS = 64, SECTIONS = 4 };

struct worked_out { /* a CIE, and the state its program leaves */
    struct cfi_common common;
    struct cfi_state state;
    uint32_t section;
    bool there;
};

struct builder {
    struct cfi *c;
    const struct cfi_file *file[SECTIONS];
    struct cfi_section section[SECTIONS];
    uint32_t sections;
    struct cfi_entry *entry;
    size_t entries, room;
    struct worked_out *commons; /* COMMONS of them, by where they are */
    uint64_t budget;            /* bytes that may still be read, each more than once */
    uint64_t end;               /* of the entry whose rows are made */
    uint32_t last;              /* rule of the last row */
    bool no_memory;
};

static bool spend(struct builder *b, size_t bytes)
{
    bool enough = bytes <= b->budget;
    b->budget = enough ? b->budget - bytes : 0;
    return enough;
}

static void work_out(struct builder *b, struct worked_out *w, uint32_t section, size_t at)
{
    w->there = true;
    w->section = section;
    w->state = (struct cfi_state){.cfa_lost = true};
    cfi_read_common(&b->section[section], at, &w->common);
    if (!spend(b, w->common.end - w->common.at))
        w->common.bad = true;
    if (w->common.bad)
        return;
    struct cfi_run run = {.section = &b->section[section],
                          .common = &w->common,
                          .pool = &b->c->pool,
                          .registers = b->c->registers,
                          .state = w->state};
    w->common.bad = !cfi_run(&run, w->common.program, w->common.end);
    w->state = run.state;
}

/* Never NULL; its common.bad when the CIE is of no use. */
static const struct worked_out *common_at(struct builder *b, uint32_t section, size_t at)
{
    struct worked_out *w = &b->commons[(at >> 2 ^ at >> 8) % COMMONS];
    if (!w->there || w->section != section || w->common.at != at)
        work_out(b, w, section, at);
    return w;
}

/* --- entries --- */

static void add_entry(struct builder *b, uint32_t section, const struct cfi_head *h)
{
    struct cfi_entry e = {.section = section};
    const struct worked_out *w = common_at(b, section, h->common);
    if (w->common.bad || !cfi_read_entry(&b->section[section], h, &w->common, &e)) {
        b->c->refused++;
        return;
    }
    if (!cfi_file_has_code(b->file[section], e.start, e.end)) /* of a function that was dropped */
        return;
    if (e.start < b->c->base || e.end > b->c->end)
        return;
    if (grow(&b->entry, &b->room, b->entries, sizeof *b->entry))
        b->entry[b->entries++] = e;
    else
        b->no_memory = true;
}

static void add_entries(struct builder *b, uint32_t section)
{
    const struct cfi_section *s = &b->section[section];
    struct dwarf_cursor c = {s->bytes, 0, s->len, s->big, false};
    struct cfi_head h;
    while (c.at < c.end && cfi_next_head(s, &c, &h) && !b->no_memory)
        if (!h.is_common)
            add_entry(b, section, &h);
}

static int by_address(const void *a, const void *b)
{
    const struct cfi_entry *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->section > y->section) - (x->section < y->section);
}

/* --- rows --- */

static void put_row(struct builder *b, uint64_t at, uint32_t rule)
{
    struct cfi *c = b->c;
    uint32_t from_base = (uint32_t)(at - c->base);
    if (c->rows && c->row[c->rows - 1].at == from_base)
        c->rows--;
    b->last = c->rows ? c->row[c->rows - 1].rule : 0;
    if (rule == b->last)
        return;
    if (!grow(&c->row, &c->room, c->rows, sizeof *c->row)) {
        b->no_memory = true;
        return;
    }
    c->row[c->rows++] = (struct cfi_row){from_base, rule};
    b->last = rule;
}

static bool take_row(struct cfi_run *run, uint64_t next)
{
    struct builder *b = run->arg;
    (void)next;
    if (run->at >= b->end)
        return false;
    put_row(b, run->at, cfi_state_rule(&run->state, run->common, run->pool));
    return !b->no_memory;
}

static void put_start(struct builder *b, uint64_t at)
{
    struct cfi *c = b->c;
    if (grow(&c->start, &c->start_room, c->starts, sizeof *c->start))
        c->start[c->starts++] = (uint32_t)(at - c->base);
    else
        b->no_memory = true;
}

/* An entry that reaches into the next: the next one's word counts from where it begins. */
static void run_entry(struct builder *b, const struct cfi_entry *e, uint64_t end)
{
    const struct worked_out *w = common_at(b, e->section, e->common);
    struct cfi_run run = {.section = &b->section[e->section],
                          .common = &w->common,
                          .initial = &w->state,
                          .pool = &b->c->pool,
                          .registers = b->c->registers,
                          .at = e->start,
                          .state = w->state,
                          .row = take_row,
                          .arg = b};
    b->end = end;
    bool understood = !w->common.bad && spend(b, e->program_end - e->program) &&
                      cfi_run(&run, e->program, e->program_end);
    if (understood && run.at < end)
        take_row(&run, end);
    else if (!understood && run.at < end) {
        b->c->refused++;
        put_row(b, run.at, 0);
    }
    b->c->functions++;
    put_row(b, end, 0);
    put_start(b, e->start);
}

static void run_entries(struct builder *b)
{
    for (size_t i = 0; i < b->entries && !b->no_memory; i++) {
        struct cfi_entry *e = &b->entry[i];
        while (i + 1 < b->entries && e[1].start == e->start)
            e[1] = *e, e = &b->entry[++i];
        uint64_t end = i + 1 < b->entries && e[1].start < e->end ? e[1].start : e->end;
        run_entry(b, e, end);
    }
}

/* --- all --- */

static bool start(struct builder *b, const struct cfi_file *const *file, size_t files)
{
    for (size_t i = 0; i < files; i++)
        for (size_t s = 0; s < file[i]->frames && b->sections < SECTIONS; s++) {
            b->file[b->sections] = file[0];
            b->section[b->sections++] = file[i]->frame[s];
            b->budget += 4 * (uint64_t)file[i]->frame[s].len;
        }
    b->commons = calloc(COMMONS, sizeof *b->commons);
    return b->commons;
}

int cfi_build(struct cfi *c, const struct cfi_file *const *file, size_t files, struct fail *f)
{
    struct builder b = {.c = c, .no_memory = true};
    if (start(&b, file, files)) {
        b.no_memory = false;
        for (uint32_t i = 0; i < b.sections; i++)
            add_entries(&b, i);
        if (b.entries)
            sort_array(b.entry, b.entries, sizeof *b.entry, by_address);
        run_entries(&b);
    }
    free(b.entry);
    free(b.commons);
    return b.no_memory || c->pool.no_memory ? fail_set(f, ENOMEM, "call frame information") : 0;
}
