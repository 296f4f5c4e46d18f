#include "core/coverage/covered.h"

#include "core/base/grow.h"
#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/coverage/code.h"
#include "core/symbol/frames.h"
#include "functions.h"
#include "marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void covered_release(struct covered *c)
{
    free(c->function);
    free(c->line);
    *c = (struct covered){0};
}

/* --- order --- */

/* NULL first. */
static int compare_names(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_lines(const void *a, const void *b)
{
    const struct covered_line *x = a, *y = b;
    return compare_names(x->file, y->file) ?: ORDER(x->line, y->line);
}

static int compare_functions(const void *a, const void *b)
{
    const struct covered_function *x = a, *y = b;
    return compare_names(x->file, y->file) ?:
           ORDER(x->line, y->line) ?:
           ORDER(x->module->id, y->module->id) ?:
           ORDER(x->start, y->start);
}

/* --- one function --- */

struct walk {
    struct covered *covered;
    const struct covered_from *from;
    struct coverage_marks marks;
    struct frames frames;
    size_t first_line;   /* of this function, among those of all */
    uint32_t entry_line; /* of its first instruction */
};

static int add_line(struct walk *w, const struct frame *at, uint64_t count)
{
    struct covered *c = w->covered;
    struct covered_line *last = c->lines > w->first_line ? &c->line[c->lines - 1] : NULL;
    if (last && last->line == at->line && last->file == at->file) {
        last->count = count > last->count ? count : last->count;
        return 0;
    }
    return GROW_ADD(c->line, c->line_cap, c->lines,
                    (struct covered_line){at->file, at->line, count})
               ? 0
               : -ENOMEM;
}

/* Where it is declared, as gcov has it; its first instruction may be of the brace's line. Where
 * nothing has to be done before the first statement, it is the statement's own. */
static void place_function(struct walk *w, struct covered_function *f)
{
    const struct frame *own = w->frames.count ? &w->frames.frame[w->frames.count - 1] : NULL;
    w->entry_line = 0;
    if (!own || !own->line)
        return;
    bool declared = own->start_line && own->start_line <= own->line &&
                    (!own->start_file || !own->file || strcmp(own->start_file, own->file) == 0);
    f->file = own->file;
    f->line = declared ? own->start_line : own->line;
    w->entry_line = w->frames.count == 1 && !own->shares_start ? own->line : 0;
}

static void find_frames(struct walk *w, struct covered_function *f, uint64_t vaddr)
{
    frames_clear(&w->frames);
    w->frames.want.declarations = vaddr == f->start;
    w->from->frames_at(w->from->arg, w->from->module, vaddr, &w->frames);
    if (vaddr == f->start)
        place_function(w, f);
}

/* The line of the declaration, of a function whose first instruction is a statement's. */
static int add_declaration(struct walk *w, const struct covered_function *f)
{
    const struct frame at = {.file = f->file, .line = f->line};
    bool has_none = w->frames.count == 1 && w->frames.frame[0].shares_start;
    return has_none && f->file && f->line ? add_line(w, &at, f->calls) : 0;
}

static int add_instruction(struct walk *w, struct covered_function *f, uint64_t vaddr)
{
    uint64_t count = coverage_count(w->from->counts, vaddr);
    f->instructions++;
    f->executed += count > 0;
    if (vaddr == f->start)
        f->calls = count;
    find_frames(w, f, vaddr);
    struct frame at = w->frames.count ? w->frames.frame[0] : (struct frame){0};
    int r = vaddr == f->start ? add_declaration(w, f) : 0;
    if (r < 0 || !at.file || !at.line)
        return r;
    if (w->frames.count == 1 && at.line == w->entry_line && f->file &&
        strcmp(at.file, f->file) == 0)
        at.line = f->line;
    return add_line(w, &at, count);
}

/* Of several runs of instructions for one line, the highest count. */
static void merge_lines(struct covered *c, size_t first, bool sum)
{
    size_t kept = first;
    if (c->lines > first)
        sort_array(c->line + first, c->lines - first, sizeof *c->line, compare_lines);
    for (size_t i = first; i < c->lines; i++) {
        struct covered_line *to = kept > first ? &c->line[kept - 1] : NULL;
        if (!to || compare_lines(to, &c->line[i]) != 0)
            c->line[kept++] = c->line[i];
        else if (sum)
            to->count += c->line[i].count;
        else if (to->count < c->line[i].count)
            to->count = c->line[i].count;
    }
    c->lines = kept;
}

static int walk_function(struct walk *w, struct covered_function *f)
{
    struct coverage_insn insn;
    int r = 0;
    w->first_line = w->covered->lines;
    for (uint64_t at = f->start; r == 0 && (at = coverage_marks_skip(&w->marks, at)) < f->end;
         at += insn.len) {
        uint64_t code = coverage_marks_mode(&w->marks, at);
        if (!coverage_insn_read(w->from->module->elf, code, &insn) && insn.len == 1 &&
            !coverage_count(w->from->counts, at))
            continue;
        r = add_instruction(w, f, at);
    }
    merge_lines(w->covered, w->first_line, false);
    return r;
}

/* --- */

static int add_function(struct walk *w, const struct coverage_range *range)
{
    struct covered *c = w->covered;
    struct covered_function f = {
        .module = w->from->module, .name = range->name, .start = range->start, .end = range->end};
    int r = walk_function(w, &f);
    if (r == 0 && !GROW_ADD(c->function, c->function_cap, c->functions, f))
        r = -ENOMEM;
    return r;
}

int covered_add(struct covered *c, const struct covered_from *from)
{
    SCOPED(coverage_functions_release) struct coverage_functions functions;
    struct walk w = {.covered = c, .from = from};
    struct module *m = from->module;
    int r = coverage_functions_make(m, &functions);
    if (r == 0 && m->elf)
        r = coverage_marks_make(m->debug ? m->debug : m->elf, &w.marks);
    for (size_t i = 0; r == 0 && i < functions.count; i++)
        r = add_function(&w, &functions.range[i]);
    frames_release(&w.frames);
    coverage_marks_release(&w.marks);
    return r;
}

void covered_settle(struct covered *c)
{
    sort_array(c->function, c->functions, sizeof *c->function, compare_functions);
    merge_lines(c, 0, true);
}

void covered_count(const struct covered *c, struct covered_totals *out)
{
    *out = (struct covered_totals){.functions = c->functions, .lines = c->lines};
    for (size_t i = 0; i < c->functions; i++) {
        out->called += c->function[i].executed > 0;
        out->instructions += c->function[i].instructions;
        out->executed += c->function[i].executed;
    }
    for (size_t i = 0; i < c->lines; i++)
        out->executed_lines += c->line[i].count > 0;
}
