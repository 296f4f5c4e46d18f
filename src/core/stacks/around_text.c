/* A function with its callers and callees as lines. */
#include "core/stacks/around.h"

#include "core/stacks/format.h"

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/text/report_fit.h"

#include <errno.h>

struct lines {
    const struct stacks_around *around;
    struct call_scale scale;
    const struct stacks_around_options *options;
    struct buf *out;
};

static void print_amount(const struct lines *l, uint64_t part, const char *arrow)
{
    call_amount(&l->scale, l->scale.width, (double)part, l->out);
    buf_printf(l->out, "  %5.1f  %5.1f  %s", share_pct(part, l->around->total),
               share_pct(part, l->around->cumulative), arrow);
}

static void print_line(const struct lines *l, uint64_t part, const char *arrow, const char *name,
                       const char *module)
{
    print_amount(l, part, arrow);
    call_name(l->out, name, module, l->options->width);
    buf_addc(l->out, '\n');
}

static void print_neighbours(const struct lines *l, const struct stacks_neighbour *all,
                             size_t count, const char *arrow)
{
    size_t shown = report_shown(count, l->options->max_rows, l->options->fitted);
    uint64_t rest = 0;
    for (size_t i = 0; i < shown; i++)
        print_line(l, all[i].amount, arrow, all[i].name ? all[i].name : "(outermost)",
                   all[i].module);
    for (size_t i = shown; i < count; i++)
        rest += all[i].amount;
    if (shown == count)
        return;
    print_amount(l, rest, arrow);
    report_rest(l->out, count - shown, l->options->fitted);
    buf_addc(l->out, '\n');
}

int stacks_around_text(const struct stacks *s, const char *asked,
                       const struct stacks_around_options *options, struct buf *out,
                       struct fail *fail)
{
    SCOPED(stacks_around_release) struct stacks_around a;
    int r = stacks_around_make(s, asked, &a, fail);
    if (r == 0) {
        struct lines l = {&a, call_scale_of(&s->value[a.value], a.total), options, out};
        call_summary(s, a.value, a.total, out);
        buf_printf(out, "%*s      %%  of it  function\n", l.scale.width, l.scale.unit);
        print_neighbours(&l, a.caller, a.callers, "<- ");
        print_line(&l, a.cumulative, "", a.name, a.module);
        print_line(&l, a.self, "", "(self)", "");
        print_neighbours(&l, a.callee, a.callees, "-> ");
    }
    if (r == 0 && buf_error(out))
        r = fail_set(fail, ENOMEM, "%s", asked);
    return r;
}
