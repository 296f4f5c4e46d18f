#include "core/text/report_fit.h"

#include "core/base/buf.h"

struct fitting {
    const struct report_size *size;
    report_render *render;
    void *arg;
    struct report_part part;
    struct buf trial, best; /* best: the last one that fitted */
    size_t lines;           /* of the trial */
    int err;
};

/* True: it fits. */
static bool try_part(struct fitting *f)
{
    buf_clear(&f->trial);
    f->err = f->render(f->arg, &f->part, &f->trial);
    if (f->err < 0)
        return false;
    report_fold(&f->trial, 0, f->size->width);
    f->lines = report_lines(buf_str(&f->trial), f->trial.len, f->size->width);
    if (f->lines > f->size->height)
        return false;
    struct buf best = f->best;
    f->best = f->trial;
    f->trial = best;
    return true;
}

/* Finds the largest *count of min..over - 1 with which it fits; false: not even min does. Each more
 * is a line more, at least, which is the first guess. */
static bool fit_count(struct fitting *f, size_t *count, size_t min, size_t over)
{
    *count = min;
    if (!try_part(f))
        return false;
    size_t low = min, guess = min + f->size->height - f->lines;
    while (over - low > 1 && f->lines != f->size->height && f->err == 0) {
        *count = guess > low && guess < over ? guess : low + (over - low) / 2;
        guess = 0;
        if (try_part(f))
            low = *count;
        else
            over = *count;
    }
    *count = low;
    return true;
}

/* Several tables keep some rows each as long as they can. The last resort is one row of one table.
 */
static void find_part(struct fitting *f)
{
    size_t height = f->size->height;
    f->part = (struct report_part){.rows = height, .fitted = true};
    if (try_part(f) || f->err < 0)
        return;
    if (height > REPORT_FIT_ROWS && fit_count(f, &f->part.rows, REPORT_FIT_ROWS, height))
        return;
    f->part.rows = REPORT_FIT_ROWS;
    if (f->err == 0 && fit_count(f, &f->part.tables, 1, height))
        return;
    f->part.tables = 1;
    if (f->err < 0 || fit_count(f, &f->part.rows, 1, REPORT_FIT_ROWS))
        return;
    struct buf best = f->best;
    f->best = f->trial;
    f->trial = best;
}

int report_fit(const struct report_size *size, report_render *render, void *arg, struct buf *out)
{
    struct fitting f = {.size = size, .render = render, .arg = arg};
    if (!size->height || size->rows || size->all) {
        size_t from = out->len;
        f.part.rows = size->rows;
        int r = render(arg, &f.part, out);
        report_fold(out, from, size->width);
        return r;
    }
    find_part(&f);
    buf_add(out, f.best.data, f.best.len);
    if (buf_error(&f.best))
        out->err = buf_error(&f.best);
    buf_release(&f.best);
    buf_release(&f.trial);
    return f.err < 0 ? f.err : 0;
}

size_t report_shown(size_t count, size_t max, bool fitted)
{
    return max && max + fitted < count ? max : count;
}

void report_rest(struct buf *out, size_t count, bool fitted)
{
    if (fitted)
        buf_printf(out, "(%zu more row%s: --rows all)", count, count == 1 ? "" : "s");
    else
        buf_printf(out, "(%zu more)", count);
}
