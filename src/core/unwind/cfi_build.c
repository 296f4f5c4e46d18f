/*
 * Rows of entries. All entries of all sections are put in the order of their addresses first; where
 * two are about one address, .eh_frame outranks .debug_frame, that outranks .ARM.exidx, and the
 * file its debug file.
 */
#include "cfi_table.h"

#include "core/base/budget.h"
#include "core/base/sort.h"

#include <errno.h>

enum { CIES = 64, SECTIONS = 4, EXIDX = SECTIONS /* as the section of an entry */ };

struct worked_out { /* a CIE, and the state its program leaves */
    struct cfi_cie cie;
    struct cfi_state state;
    uint32_t section;
    bool valid;
};

struct builder {
    struct cfi *c;
    const struct cfi_file *file[SECTIONS];
    const struct cfi_file *exidx; /* the file that has .ARM.exidx */
    struct cfi_section section[SECTIONS];
    uint32_t sections;
    struct cfi_entry *entry;
    size_t entries, cap;
    struct worked_out *cies; /* COMMONS of them, by where they are */
    uint64_t budget;         /* bytes that may still be read, each more than once */
    uint64_t end;            /* of the entry whose rows are made */
    bool no_memory;
};

static bool spend_budget(struct builder *b, size_t bytes)
{
    bool enough = bytes <= b->budget;
    b->budget = enough ? b->budget - bytes : 0;
    return enough;
}

static void work_out(struct builder *b, struct worked_out *w, uint32_t section, size_t at)
{
    w->valid = true;
    w->section = section;
    w->state = (struct cfi_state){.cfa_lost = true};
    cfi_read_cie(&b->section[section], at, &w->cie);
    if (!spend_budget(b, w->cie.end - w->cie.at))
        w->cie.bad = true;
    if (w->cie.bad)
        return;
    struct cfi_run run = {.section = &b->section[section],
                          .cie = &w->cie,
                          .pool = &b->c->pool,
                          .registers = b->c->registers,
                          .state = w->state};
    w->cie.bad = !cfi_run(&run, w->cie.program, w->cie.end);
    w->state = run.state;
}

/* Never NULL; its common.bad when the CIE is of no use. */
static const struct worked_out *cie_at(struct builder *b, uint32_t section, size_t at)
{
    struct worked_out *w = &b->cies[(at >> 2 ^ at >> 8) % CIES];
    if (!w->valid || w->section != section || w->cie.at != at)
        work_out(b, w, section, at);
    return w;
}

/* --- entries --- */

static void keep_entry(struct builder *b, const struct cfi_entry *e)
{
    if (e->start < b->c->base || e->end > b->c->end)
        return;
    b->no_memory |= !BUDGET_ADD(b->c->budget, b->entry, b->cap, b->entries, *e);
}

static void add_entry(struct builder *b, uint32_t section, const struct cfi_head *h)
{
    struct cfi_entry e = {.section = section};
    const struct worked_out *w = cie_at(b, section, h->cie);
    if (w->cie.bad || !cfi_read_entry(&b->section[section], h, &w->cie, &e)) {
        b->c->refused++;
        return;
    }
    if (cfi_file_has_code(b->file[section], e.start,
                          e.end)) /* else of a function that was dropped */
        keep_entry(b, &e);
}

static void add_entries(struct builder *b, uint32_t section)
{
    const struct cfi_section *s = &b->section[section];
    struct dwarf_cursor c = {s->bytes, 0, s->len, s->big_endian, false};
    struct cfi_head h;
    while (c.at < c.end && cfi_next_head(s, &c, &h) && !b->no_memory)
        if (!h.is_cie)
            add_entry(b, section, &h);
}

/* Each reaches to the next, the last to the end of the code. */
static void add_exidx_entries(struct builder *b)
{
    const struct cfi_exidx *x = &b->exidx->exidx;
    struct cfi_entry e = {.section = EXIDX};
    uint64_t next;
    for (size_t i = 0; i < x->entries && !b->no_memory; i++) {
        cfi_exidx_entry(x, i, &e.start);
        e.end = i + 1 < x->entries && cfi_exidx_entry(x, i + 1, &next) ? next : b->c->end;
        e.program = i;
        if (e.start < e.end)
            keep_entry(b, &e);
    }
}

static int by_address(const void *a, const void *b)
{
    const struct cfi_entry *x = a, *y = b;
    return ORDER(x->start, y->start) ?: ORDER(x->section, y->section);
}

/* --- rows --- */

static void add_row(struct builder *b, uint64_t at, uint32_t rule)
{
    struct cfi *c = b->c;
    uint32_t from_base = (uint32_t)(at - c->base);
    if (c->rows && c->row[c->rows - 1].at == from_base)
        c->rows--;
    if (rule != (c->rows ? c->row[c->rows - 1].rule : 0))
        b->no_memory |=
            !BUDGET_ADD(c->budget, c->row, c->row_cap, c->rows, (struct cfi_row){from_base, rule});
}

static bool handle_row(struct cfi_run *run, uint64_t next)
{
    struct builder *b = run->arg;
    if (run->at >= b->end)
        return false;
    add_row(b, run->at, cfi_state_rule(&run->state, run->cie, run->pool));
    return !b->no_memory;
}

static void add_start(struct builder *b, uint64_t at)
{
    struct cfi *c = b->c;
    b->no_memory |=
        !BUDGET_ADD(c->budget, c->start, c->start_cap, c->starts, (uint32_t)(at - c->base));
}

static void run_exidx(struct builder *b, const struct cfi_entry *e, uint64_t end)
{
    const struct cfi_exidx *x = &b->exidx->exidx;
    size_t len = cfi_exidx_len(x, e->program);
    uint32_t rule = len && spend_budget(b, len) ? cfi_exidx_rule(x, e->program, &b->c->pool) : 0;
    b->c->functions += rule != 0;
    b->c->refused += !rule && cfi_exidx_unwinds(x, e->program);
    add_row(b, e->start, rule);
    add_row(b, end, 0);
    add_start(b, e->start);
}

/* An entry that reaches into the next: the next one's word counts from where it begins. */
static void run_entry(struct builder *b, const struct cfi_entry *e, uint64_t end)
{
    const struct worked_out *w = cie_at(b, e->section, e->cie);
    struct cfi_run run = {.section = &b->section[e->section],
                          .cie = &w->cie,
                          .initial = &w->state,
                          .pool = &b->c->pool,
                          .registers = b->c->registers,
                          .at = e->start,
                          .state = w->state,
                          .row = handle_row,
                          .arg = b};
    b->end = end;
    bool understood = !w->cie.bad && spend_budget(b, e->program_end - e->program) &&
                      cfi_run(&run, e->program, e->program_end);
    if (understood && run.at < end)
        handle_row(&run, end);
    else if (!understood && run.at < end) {
        b->c->refused++;
        add_row(b, run.at, 0);
    }
    b->c->functions++;
    add_row(b, end, 0);
    add_start(b, e->start);
}

static void run_entries(struct builder *b)
{
    for (size_t i = 0; i < b->entries && !b->no_memory; i++) {
        struct cfi_entry *e = &b->entry[i];
        while (i + 1 < b->entries && e[1].start == e->start)
            e[1] = *e, e = &b->entry[++i];
        uint64_t end = i + 1 < b->entries && e[1].start < e->end ? e[1].start : e->end;
        if (e->section == EXIDX)
            run_exidx(b, e, end);
        else
            run_entry(b, e, end);
    }
}

/* --- all --- */

static void sort_entries(struct builder *b)
{
    size_t copy = b->entries * sizeof *b->entry; /* qsort's */
    b->no_memory |= !budget_take(b->c->budget, copy);
    if (b->no_memory)
        return;
    sort_array(b->entry, b->entries, sizeof *b->entry, by_address);
    budget_give(b->c->budget, copy);
}

static bool init_builder(struct builder *b, const struct cfi_file *const *file, size_t files)
{
    for (size_t i = 0; i < files; i++)
        for (size_t s = 0; s < file[i]->frames && b->sections < SECTIONS; s++) {
            b->file[b->sections] = file[0];
            b->section[b->sections++] = file[i]->frame[s];
            b->budget += 4 * (uint64_t)file[i]->frame[s].len;
        }
    b->exidx = file[0];
    b->budget += 32 * (uint64_t)b->exidx->exidx.entries;
    b->cies = calloc(CIES, sizeof *b->cies);
    return b->cies;
}

int cfi_build(struct cfi *c, const struct cfi_file *const *file, size_t files, struct fail *f)
{
    struct builder b = {.c = c, .no_memory = true};
    if (init_builder(&b, file, files)) {
        b.no_memory = false;
        for (uint32_t i = 0; i < b.sections; i++)
            add_entries(&b, i);
        add_exidx_entries(&b);
        sort_entries(&b);
        run_entries(&b);
    }
    budget_free(c->budget, b.entry, b.cap, sizeof *b.entry);
    free(b.cies);
    if (!b.no_memory && !c->pool.no_memory)
        return 0;
    return fail_set(f, c->budget && c->budget->denied ? EFBIG : ENOMEM, "call frame information");
}
