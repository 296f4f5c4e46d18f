/* stackview VIEW [OPTION...] FILE [NEW]: a text view of stacks from a text (tests/lib/stacktext.h).
 * Views: flat, tree, callers, around NAME, diff, diffjson (these two from FILE to NEW). Options:
 * rows=N width=N hide=PCT depth=N cumulative absolute noise unicode whole. */
#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/stacks/around.h"
#include "core/stacks/diff.h"
#include "core/stacks/flat.h"
#include "core/stacks/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options in argv[1]..., which end with the first argument that is a file. */
static int option(int argc, char **argv, const char *name)
{
    size_t len = strlen(name);
    for (int i = 2; i < argc; i++)
        if (strncmp(argv[i], name, len) == 0 && (argv[i][len] == '=' || !argv[i][len]))
            return i;
    return 0;
}

static double number(int argc, char **argv, const char *name, double otherwise)
{
    int i = option(argc, argv, name);
    return i ? atof(argv[i] + strlen(name) + 1) : otherwise;
}

static int diff(int argc, char **argv, const struct stacks *from, struct buf *out,
                struct fail *fail)
{
    struct stacks to;
    struct stacks_diff d = {0};
    struct stacks_diff_options o = {.absolute = option(argc, argv, "absolute"),
                                    .cumulative = option(argc, argv, "cumulative"),
                                    .noise = option(argc, argv, "noise"),
                                    .max_rows = (size_t)number(argc, argv, "rows", 0),
                                    .width = (size_t)number(argc, argv, "width", 0)};
    int r = stacktext_file(argv[argc - 1], &to);
    if (r == 0)
        r = stacks_diff_make(from, &to, &o, &d, fail);
    if (r == 0 && strcmp(argv[1], "diff") == 0)
        stacks_diff_text(&d, &o, out);
    else if (r == 0)
        stacks_diff_json(&d, out);
    stacks_diff_release(&d);
    stacks_release(&to);
    return r;
}

static int view(int argc, char **argv, const struct stacks *s, struct buf *out, struct fail *fail)
{
    size_t rows = (size_t)number(argc, argv, "rows", 0);
    size_t width = (size_t)number(argc, argv, "width", 0);
    struct stacks_flat_options flat = {
        .cumulative = option(argc, argv, "cumulative"), .max_rows = rows, .width = width};
    struct stacks_around_options around = {.max_rows = rows, .width = width};
    struct stacks_tree_options tree = {.hide_pct = number(argc, argv, "hide", 0.5),
                                       .max_rows = rows,
                                       .max_depth = (size_t)number(argc, argv, "depth", 0),
                                       .width = width,
                                       .threads = !option(argc, argv, "whole"),
                                       .unicode = option(argc, argv, "unicode")};
    if (strcmp(argv[1], "flat") == 0)
        return stacks_flat_text(s, &flat, out);
    if (strcmp(argv[1], "tree") == 0)
        return stacks_tree_text(s, &tree, out);
    if (strcmp(argv[1], "callers") == 0)
        return stacks_callers_text(s, &tree, out);
    if (strcmp(argv[1], "around") == 0)
        return stacks_around_text(s, argv[2], &around, out, fail);
    return diff(argc, argv, s, out, fail);
}

int main(int argc, char **argv)
{
    struct stacks s;
    struct buf out = BUF_INIT;
    struct fail fail = {0};
    if (argc < 3 || (strncmp(argv[1], "diff", 4) == 0 && argc < 4)) {
        fprintf(stderr, "usage: stackview VIEW [OPTION...] FILE [NEW]\n");
        return 2;
    }
    bool two = strncmp(argv[1], "diff", 4) == 0;
    int r = stacktext_file(argv[argc - 1 - two], &s);
    if (r == 0)
        r = view(argc, argv, &s, &out, &fail);
    if (r < 0 && fail.what[0])
        printf("%s\n%s\n", fail.what, fail.hint);
    fwrite(buf_str(&out), 1, out.len, stdout);
    buf_release(&out);
    stacks_release(&s);
    return r < 0;
}
