/* Two stacks compared, as lines. */
#include "core/stacks/diff.h"

#include "core/stacks/format.h"

#include "core/base/buf.h"
#include "core/text/report_fit.h"
#include "core/text/shown.h"

#include <stdio.h>
#include <string.h>

struct lines {
    const struct stacks_diff *diff;
    const struct stacks_diff_options *options;
    struct call_scale scale;
    int width;
    struct buf *out;
};

/* Rows that share a line. */
struct folded {
    size_t count;
    uint64_t before, after;
};

static struct call_scale scale_of(const struct stacks_diff *d)
{
    uint64_t total = d->before.total > d->after.total ? d->before.total : d->after.total;
    return call_scale_of(&d->to->value[d->value], total);
}

static void print_amounts(const struct lines *l, uint64_t before, uint64_t after, char share,
                          char amount)
{
    double old_pct = share_pct(before, l->diff->before.total);
    double new_pct = share_pct(after, l->diff->after.total);
    buf_printf(l->out, "%5.1f  %5.1f  %+6.1f%c  %+*.*f%c  ", old_pct, new_pct, new_pct - old_pct,
               share, l->width, l->scale.decimals, ((double)after - (double)before) / l->scale.size,
               amount);
}

static void print_row(const struct lines *l, const struct stacks_diff_row *r)
{
    print_amounts(l, r->before, r->after, r->share_significant ? '*' : ' ',
                  r->amount_significant ? '*' : ' ');
    const char *state = !r->before ? " (new)" : !r->after ? " (gone)" : "";
    size_t width = l->options->width, taken = strlen(state);
    call_name(l->out, r->name, r->module, width > taken ? width - taken : width);
    buf_printf(l->out, "%s\n", state);
}

static void fold_row(struct folded *f, const struct stacks_diff_row *r)
{
    f->count++;
    f->before += r->before;
    f->after += r->after;
}

/* word NULL: more rows. Cumulative amounts hold each other and have no sum. */
static void print_folded(const struct lines *l, const struct folded *f, const char *word)
{
    if (!f->count)
        return;
    if (l->options->cumulative)
        buf_printf(l->out, "%*s", 27 + l->width, "");
    else
        print_amounts(l, f->before, f->after, ' ', ' ');
    if (word)
        buf_printf(l->out, "(%zu %s)", f->count, word);
    else
        report_rest(l->out, f->count, l->options->fitted);
    buf_addc(l->out, '\n');
}

/* Of nothing there are no shares to hold against each other: all is shown. */
static bool is_folded(const struct lines *l, const struct stacks_diff_row *r)
{
    return !r->share_significant && !r->amount_significant && !l->options->noise &&
           l->diff->before.total && l->diff->after.total;
}

static bool both_exact(const struct stacks_diff *d)
{
    return d->before.exact && d->after.exact;
}

static void print_rows(const struct lines *l)
{
    struct folded noise = {0}, more = {0};
    size_t shown = 0;
    for (size_t i = 0; i < l->diff->rows; i++) {
        const struct stacks_diff_row *r = &l->diff->row[i];
        if (is_folded(l, r)) {
            fold_row(&noise, r);
        } else if (l->options->max_rows && shown == l->options->max_rows) {
            fold_row(&more, r);
        } else {
            print_row(l, r);
            shown++;
        }
    }
    print_folded(l, &more, NULL);
    print_folded(l, &noise, both_exact(l->diff) ? "the same" : "within noise");
}

static void print_legend(const struct stacks_diff *d, struct buf *out)
{
    if (both_exact(d) || !d->before.total || !d->after.total)
        return;
    buf_printf(out, "*: changed by more than %d sigma of the samples\n", STACKS_DIFF_SIGMAS);
}

static void print_renames(const struct stacks_diff *d, struct buf *out)
{
    for (size_t i = 0; i < d->renames; i++) {
        const struct stacks_rename *r = &d->rename[i];
        shown_printf(out, "[%s] of the old profile matches [%s] of the new: ", r->before, r->after);
        buf_printf(out, "%zu function%s of the same name%s\n", r->functions,
                   r->functions == 1 ? "" : "s", r->functions == 1 ? "" : "s");
    }
}

void stacks_diff_text(const struct stacks_diff *d, const struct stacks_diff_options *options,
                      struct buf *out)
{
    struct lines l = {.diff = d, .options = options, .scale = scale_of(d), .out = out};
    l.width = l.scale.width + 1;
    buf_adds(out, "old: ");
    call_summary(d->from, d->value_before, d->before.total, out);
    buf_adds(out, "new: ");
    call_summary(d->to, d->value, d->after.total, out);
    buf_printf(out, "old %%  new %%  points  %*s   function\n", l.width + 2, l.scale.unit);
    print_rows(&l);
    print_renames(d, out);
    print_legend(d, out);
}
