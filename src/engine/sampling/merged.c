#include "engine/sampling/merged.h"

#include "core/stacks/format.h"
#include "core/stacks/parts.h"
#include "core/text/counted.h"
#include "core/text/shown.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void sampling_merged_init(struct sampling_merged *m, enum stacks_group by)
{
    *m = (struct sampling_merged){.method = ""};
    stacks_merge_init(&m->merge, by, sampled_nodes_for_memory(sysfile_memory_bytes()));
}

void sampling_merged_release(struct sampling_merged *m)
{
    stacks_merge_release(&m->merge);
    intern_release(&m->machines);
}

/* --- adding --- */

/* Machines of one name are told apart by what they are. */
static void name_machine(const struct sampling *s, struct buf *out)
{
    const struct buf *fact = s->source.recording.fact;
    buf_adds(out, fact[RECORDING_HOST].len ? buf_str(&fact[RECORDING_HOST]) : "(unknown)");
    if (fact[RECORDING_MACHINE].len)
        buf_printf(out, " (%s)", buf_str(&fact[RECORDING_MACHINE]));
}

static void note_method(struct sampling_merged *m, const struct sampling *s)
{
    char method[sizeof m->method];
    snprintf(method, sizeof method, "%s, %s", s->method, s->mode);
    if (!m->merge.added)
        memcpy(m->method, method, sizeof method);
    else if (strcmp(m->method, method) != 0)
        snprintf(m->method, sizeof m->method, "different methods");
}

static int refuse(const struct sampling_merged *m, const struct stacks *s, struct fail *f)
{
    const struct stacks *sum = &m->merge.stacks;
    return fail_set(f, 0, "it has samples of %s, those before have %s",
                    s->value[s->values - 1].name, sum->value[sum->values - 1].name);
}

static const char *cgroup_of(const void *arg, uint32_t pid)
{
    return recording_cgroup(arg, pid);
}

int sampling_merged_add(struct sampling_merged *m, struct sampling *s,
                        const struct sampling_view *view, struct fail *f)
{
    SCOPED(stacks_release) struct stacks stacks;
    SCOPED_BUF machine = BUF_INIT;
    struct sampling_view pooled = *view;
    pooled.pooled = true;
    int r = sampling_stacks(s, &pooled, &stacks, f);
    if (r == 0) {
        note_method(m, s);
        name_machine(s, &machine);
        r = intern_string(&m->machines, buf_str(&machine)) == INTERN_NONE ? -ENOMEM : 0;
        m->merge.cgroup_of = s->source.is_recording ? cgroup_of : NULL;
        m->merge.arg = &s->source.recording;
        r = r ? r : stacks_merge_add(&m->merge, &stacks, buf_str(&machine));
        if (r == -EINVAL)
            refuse(m, &stacks, f);
        else if (r < 0)
            fail_set(f, -r, "merging");
    }
    return r;
}

static const char *group_word(enum stacks_group by)
{
    return by == STACKS_GROUP_MACHINE  ? "machine"
           : by == STACKS_GROUP_CGROUP ? "cgroup"
           : by == STACKS_GROUP_BUILD  ? "build-id"
                                       : NULL;
}

int sampling_merged_finish(struct sampling_merged *m, const struct sampling_view *view,
                           struct fail *f)
{
    struct stacks_origin *o = &m->merge.stacks.origin;
    if (m->live)
        snprintf(m->described, sizeof m->described, "%s", m->method);
    else
        snprintf(m->described, sizeof m->described, "%s of %s, %s",
                 counted(m->merge.added, "recording").text,
                 counted(m->machines.count, "machine").text, m->method);
    o->applet = view->applet;
    o->method = m->described;
    o->group = group_word(m->merge.by);
    int r = stacks_merge_finish(&m->merge);
    return r < 0 ? fail_set(f, -r, "merging") : 0;
}

/* --- the report --- */

struct rendering {
    const struct sampling_merged *merged;
    const struct sampling_view *view;
    const struct stacks_parts *parts; /* NULL: no groups */
    struct fail *f;
};

static uint64_t weight_from(const struct stacks_parts *p, size_t from)
{
    uint64_t weight = 0;
    for (size_t i = from; i < p->count; i++)
        weight += p->part[i].weight;
    return weight;
}

static int render_groups(const struct rendering *r, const struct report_part *part, struct buf *out)
{
    const struct stacks *s = &r->merged->merge.stacks;
    const struct stacks_parts *p = r->parts;
    size_t shown = part->tables && part->tables < p->count ? part->tables : p->count;
    int err = 0;
    call_summary(s, s->values - 1, p->weight, out);
    for (size_t i = 0; i < shown && err == 0; i++) {
        shown_printf(out, "\n%s %s: %.1f%%\n", s->origin.group, p->part[i].name,
                     share_pct(p->part[i].weight, p->weight));
        err = sampling_stacks_report(&p->part[i].stacks, r->view, part, out, r->f);
    }
    if (shown < p->count) {
        char noun[32];
        snprintf(noun, sizeof noun, "more %s", s->origin.group);
        buf_printf(out, "\n(%s, %.1f%%: --rows all)\n", counted(p->count - shown, noun).text,
                   share_pct(weight_from(p, shown), p->weight));
    }
    return err;
}

static void add_footer(const struct stacks_merge *m, struct buf *out)
{
    const struct stacks *s = &m->stacks;
    stacks_waits_text(&s->waits, "waits: ", out);
    if (s->waits.sampled)
        buf_addc(out, '\n');
    if (m->shortened)
        buf_printf(out, "callers of %s are left out: over %zu different chains\n",
                   counted(m->shortened, "sample").text, m->max_nodes);
    stacks_ends_text(&s->ends, out);
}

static int render(void *arg, const struct report_part *part, struct buf *out)
{
    struct rendering *r = arg;
    const struct stacks_merge *m = &r->merged->merge;
    int err = r->parts ? render_groups(r, part, out)
                       : sampling_stacks_report(&m->stacks, r->view, part, out, r->f);
    if (err == 0)
        add_footer(m, out);
    return err;
}

int sampling_merged_report(const struct sampling_merged *m, const struct sampling_view *view,
                           struct buf *out, struct fail *f)
{
    struct stacks_parts parts = {0};
    struct rendering r = {.merged = m, .view = view, .f = f};
    if (view->json)
        return sampling_stacks_report(&m->merge.stacks, view, &(struct report_part){0}, out, f);
    int err = 0;
    if (m->merge.by != STACKS_GROUP_NONE) {
        err = stacks_parts_make(&m->merge.stacks, &parts);
        r.parts = &parts;
    }
    err = err < 0 ? fail_set(f, -err, "report") : report_fit(&view->size, render, &r, out);
    stacks_parts_release(&parts);
    return err;
}
