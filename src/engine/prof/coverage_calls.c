/* Counts the instructions that threads execute: what their tracer calls. */
#include "coverage_parts.h"

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
    return next_at(s);
}

/* An instruction that did not end is none, but for a call of the system that did not return. */
static bool is_executed(const struct breaks_stop *s, const struct coverage_insn *insn)
{
    return s->pc ? s->pc != s->from || !insn->repeats : insn->system_call;
}

static void report_progress(struct coverage_counting *c)
{
    const uint64_t interval = 4096; /* about 0.1 s */
    if (++c->executed % interval == 0 && c->want && c->want->progress)
        c->want->progress(c->want->arg, c->executed, c->different);
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
            c->different += (*count)++ == 0;
        report_progress(c);
    }
    if (insn.call && s->from + insn.len < p->end)
        c->unset += breaks_set(s->image, s->from + insn.len) < 0;
}

/* There is no breakpoint at the loader's function. */
static void look_when_loaded(struct coverage_counting *c, const struct breaks_stop *s)
{
    const struct coverage_image *m = breaks_data(s->image);
    if (m && m->loaded && m->loaded == s->pc)
        coverage_image_look(c, s, false);
}

static enum breaks_next on_stepped(void *arg, const struct breaks_stop *s)
{
    const struct coverage_place *p = coverage_place_at(breaks_data(s->image), s->from);
    if (p)
        count_instruction(arg, s, p);
    if (breaks_is_attached(s->image))
        look_when_loaded(arg, s);
    return next_at(s);
}

struct breaks_callbacks coverage_callbacks(struct coverage_counting *c)
{
    return (struct breaks_callbacks){.arg = c,
                                     .started = on_started,
                                     .ended = on_ended,
                                     .reached = on_reached,
                                     .stepped = on_stepped,
                                     .moved = on_moved};
}
