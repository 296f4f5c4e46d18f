/* The text views of stacks, of any names and chains. The bytes are a text of stacks
 * (lib/stacktext.h); the first one chooses the width and what the lines before and after the middle
 * are to each other. */
#include "fuzz.h"

#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/stacks/around.h"
#include "core/stacks/diff.h"
#include "core/stacks/flat.h"
#include "core/stacks/tree.h"
#include "core/text/report_fit.h"

#include <stdlib.h>

static void read_lines(struct stacks *s, const uint8_t *bytes, size_t len)
{
    char line[1024];
    size_t used = 0;
    struct stacktext reading = stacktext_start(s);
    for (size_t i = 0; i < len; i++) {
        line[used++] = (char)bytes[i];
        if (bytes[i] != '\n' && used < sizeof line - 1)
            continue;
        line[used - (bytes[i] == '\n')] = '\0';
        stacktext_line(&reading, line);
        used = 0;
    }
}

/* What is spent is spent in some row, and what is told reaches no terminal as an order. */
static void check(const struct buf *out)
{
    const char *text = buf_str(out);
    for (size_t i = 0; i < out->len; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\n')
            abort();
}

static void add_up(const struct stacks *s)
{
    struct stacks_flat f;
    uint64_t sum = 0;
    if (stacks_flat_make(s, false, &f) < 0)
        abort();
    for (size_t i = 0; i < f.rows; i++)
        sum += f.row[i].self;
    if (sum != f.total || sum != stacks_total(s, f.value))
        abort();
    stacks_flat_release(&f);
}

static void around(const struct stacks *s, size_t width, struct buf *out)
{
    struct stacks_around_options o = {.max_rows = 3, .width = width};
    struct fail fail = {0};
    for (size_t i = 0; i < s->functions && i < 4; i++)
        if (stacks_around_text(s, s->function[i].raw, &o, out, &fail) < 0 && !fail.what[0])
            abort();
}

static void compare(const struct stacks *s, const struct stacks *t, uint8_t how, struct buf *out)
{
    struct stacks_diff d;
    struct stacks_diff_options o = {
        .absolute = how & 1, .cumulative = how & 2, .noise = how & 4, .width = how >> 1};
    if (stacks_diff_make(s, t, &o, &d, NULL) < 0)
        abort();
    stacks_diff_text(&d, &o, out);
    stacks_diff_json(&d, out);
    stacks_diff_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct stacks s, t;
    struct buf out = BUF_INIT;
    uint8_t how = len ? data[0] : 0;
    size_t width = how >> 1, half = len / 2;
    struct stacks_tree_options o = {.hide_pct = how & 1,
                                    .width = width,
                                    .threads = how & 2,
                                    .max_rows = how & 8 ? 4 : 0,
                                    .fold = how & 4,
                                    .fitted = how & 4};
    read_lines(&s, data + (len > 0), half - (half > 0));
    read_lines(&t, data + half, len - half);
    add_up(&s);
    stacks_flat_text(&s, &(struct stacks_flat_options){.max_rows = 5, .width = width}, &out);
    stacks_tree_text(&s, &o, &out);
    stacks_callers_text(&t, &o, &out);
    around(&s, width, &out);
    compare(&s, &t, how, &out);
    report_fold(&out, 0, width);
    check(&out);
    buf_release(&out);
    stacks_release(&s);
    stacks_release(&t);
    return 0;
}
