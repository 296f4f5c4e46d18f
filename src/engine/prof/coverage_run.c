/* Counts the instructions of a command. */
#include "coverage_parts.h"
#include "guarded_breaks.h"

#include <errno.h>
#include <stdlib.h>

/* Step inside the files that are counted, run outside. */
static enum breaks_next next_at(const struct breaks_stop *s)
{
    return coverage_place_at(breaks_data(s->image), s->pc) ? BREAKS_STEP : BREAKS_RUN;
}

static enum breaks_next on_started(void *arg, const struct breaks_stop *s,
                                   const struct breaks_image *copied)
{
    struct coverage_counting *c = arg;
    struct coverage_image *m = coverage_image_copy(copied ? breaks_data(copied) : NULL);
    c->failed |= !m;
    breaks_set_data(s->image, m);
    if (!m)
        return BREAKS_RUN;
    if (copied)
        c->record->processes += m->places > 0;
    else
        coverage_image_look(c, s, true);
    return next_at(s);
}

static void on_ended(void *arg, struct breaks_image *image)
{
    (void)arg;
    coverage_image_free(breaks_data(image));
}

static enum breaks_next on_reached(void *arg, const struct breaks_stop *s)
{
    const struct coverage_image *m = breaks_data(s->image);
    if (m && m->loaded == s->pc)
        coverage_image_look(arg, s, false);
    if (m && m->landing.start == s->pc)
        coverage_land(arg, s);
    return next_at(s);
}

static enum breaks_next on_moved(void *arg, const struct breaks_stop *s)
{
    (void)arg;
    return next_at(s);
}

/* An instruction that did not end is none, but for a call of the system that did not return. */
static bool is_executed(const struct breaks_stop *s, const struct coverage_insn *insn)
{
    return s->pc ? s->pc != s->from || !insn->repeats : insn->system_call;
}

static void count_instruction(struct coverage_counting *c, const struct breaks_stop *s,
                              const struct coverage_place *p)
{
    struct coverage_insn insn;
    uint64_t vaddr = s->from - p->bias;
    coverage_insn_read(p->file->elf, vaddr, &insn);
    if (is_executed(s, &insn)) {
        uint64_t *count =
            coverage_count_at(&p->file->module->counts, coverage_insn_address(p->file->elf, vaddr));
        c->failed |= !count;
        if (count)
            ++*count;
    }
    if (insn.call && s->from + insn.len < p->end)
        c->unset += breaks_set(s->image, s->from + insn.len) < 0;
}

static enum breaks_next on_stepped(void *arg, const struct breaks_stop *s)
{
    const struct coverage_place *p = coverage_place_at(breaks_data(s->image), s->from);
    if (p)
        count_instruction(arg, s, p);
    return next_at(s);
}

/* --- */

static int check_counting(const struct coverage_counting *c, struct fail *f)
{
    if (c->failed)
        return fail_set(f, ENOMEM, "counts");
    if (!c->record->modules)
        return fail_set(f, 0, "%s: no code of it was executed that could be counted",
                        c->want->modules ? c->want->module[0]
                        : c->program     ? c->program
                                         : "command");
    return 0;
}

static int run_counting(struct coverage_counting *c, struct child_end *end, struct fail *f)
{
    const struct breaks_callbacks to = {.arg = c,
                                        .started = on_started,
                                        .ended = on_ended,
                                        .reached = on_reached,
                                        .stepped = on_stepped,
                                        .moved = on_moved};
    uint64_t lost = 0;
    int r = guarded_breaks(c->want->command, &to, end, &lost, f);
    c->unset += lost;
    return r;
}

int coverage_run(const struct coverage_want *want, struct coverage_record *r, struct child_end *end,
                 struct fail *f)
{
    struct coverage_counting c = {.want = want, .record = r};
    int err = run_counting(&c, end, f);
    if (err == 0)
        err = check_counting(&c, f);
    r->unset += c.unset;
    coverage_files_release(&c);
    free(c.program);
    return err;
}
