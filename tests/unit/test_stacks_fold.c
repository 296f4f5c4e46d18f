#include "unit.h"

#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/stacks/tree.h"

static const char recursive[] = "main;r;r;r;leaf 4\nmain;r;leaf 2\nmain;r;r 1\nmain;other 1\n"
                                "main;other;r;r 2\n";

static struct stacks_tree_options terminal(size_t rows)
{
    struct stacks_tree_options o = stacks_tree_defaults;
    o.width = 80;
    o.fold = true;
    o.max_rows = rows;
    o.fitted = rows > 0;
    return o;
}

static void check_tree(const char *text, size_t rows, bool callers, const char *drawn)
{
    struct stacks s;
    struct buf out = BUF_INIT;
    struct stacks_tree_options o = terminal(rows);
    stacktext_make(&s, text);
    CHECK_INT((callers ? stacks_callers_text : stacks_tree_text)(&s, &o, &out), 0);
    const char *line = strchr(buf_str(&out), '\n');
    CHECK_STR(line ? strchr(line + 1, '\n') + 1 : "", drawn);
    buf_release(&out);
    stacks_release(&s);
}

TEST(stacks_tree_folds_direct_recursion)
{
    check_tree(recursive, 0, false,
               "100.0  10.00     0.00  main [prog]\n"
               " 70.0   7.00     1.00  |- r [prog] x3\n"
               " 60.0   6.00     6.00  |  > leaf [prog]\n"
               " 30.0   3.00     1.00  `- other [prog]\n"
               " 20.0   2.00     2.00     > r [prog] x2\n");
}

TEST(stacks_callers_fold_direct_recursion)
{
    check_tree(recursive, 0, true,
               "100.0  10.00  (all)\n"
               " 60.0   6.00  |- leaf [prog]\n"
               " 60.0   6.00  |  < r [prog] x3\n"
               " 60.0   6.00  |  < main [prog]\n"
               " 30.0   3.00  |- r [prog] x3\n"
               " 20.0   2.00  |  |- other [prog]\n"
               " 20.0   2.00  |  |  < main [prog]\n"
               " 10.0   1.00  |  `- main [prog]\n"
               " 10.0   1.00  `- other [prog]\n"
               " 10.0   1.00     < main [prog]\n");
}

TEST(stacks_tree_rest_has_what_is_in_no_line)
{
    check_tree(recursive, 3, false,
               "100.0  10.00     0.00  main [prog]\n"
               " 70.0   7.00     1.00  > r [prog] x3\n"
               " 60.0   6.00     6.00  > leaf [prog]\n"
               " 30.0   3.00     3.00  (2 more rows: --rows all)\n");
    check_tree(recursive, 4, true,
               "100.0  10.00  (all)\n"
               " 60.0   6.00  |- leaf [prog]\n"
               " 60.0   6.00  |  < r [prog] x3\n"
               " 60.0   6.00  |  < main [prog]\n"
               " 30.0   3.00  `- r [prog] x3\n"
               " 10.0   1.00  (5 more rows: --rows all)\n");
}

/* Small branches below rows that are cut are not counted twice. */
TEST(stacks_tree_small_entries_are_one_row)
{
    static const char small[] = "a;b;c 500\na;b;tiny 1\na;d;tiny 2\na;d;e 400\na;d 96\ntiny 1\n";
    check_tree(small, 0, false,
               " 99.9  0.999   0.000  a [prog]\n"
               " 50.1  0.501   0.000  |- b [prog]\n"
               " 50.0  0.500   0.500  |  > c [prog]\n"
               " 49.8  0.498   0.096  `- d [prog]\n"
               " 40.0  0.400   0.400     > e [prog]\n"
               "  0.4  0.004   0.004  (3 entries under 0.5% not shown: --rows all)\n");
    check_tree(small, 3, false,
               " 99.9  0.999   0.000  a [prog]\n"
               " 50.1  0.501   0.000  > b [prog]\n"
               " 50.0  0.500   0.500  > c [prog]\n"
               "  0.2  0.002   0.002  (2 entries under 0.5% not shown: --rows all)\n"
               " 49.8  0.498   0.498  (2 more rows: --rows all)\n");
}

/* However deep: the outer branches give way. */
TEST(stacks_tree_lines_fit_the_terminal)
{
    struct stacks s;
    struct buf text = BUF_INIT, out = BUF_INIT;
    struct stacks_tree_options o = terminal(0);
    for (int depth = 1; depth < 60; depth++) {
        for (int i = 0; i < depth; i++)
            buf_printf(
                &text,
                "%sa_function_whose_name_is_long_%d@/lib/a_module_of_a_long_name_indeed.so.12.3",
                i ? ";" : "", i);
        buf_printf(&text, " 100\n");
    }
    stacktext_make(&s, buf_str(&text));
    CHECK_INT(stacks_tree_text(&s, &o, &out), 0);
    for (const char *at = buf_str(&out); *at; at += strcspn(at, "\n") + 1)
        CHECK(strcspn(at, "\n") <= 80);
    buf_release(&out);
    buf_clear(&text);
    for (int depth = 1; depth < 60; depth++)
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < depth; i++)
                buf_printf(&text, "%sf%d@/lib/a_module_of_a_long_name_indeed.so.12.3", i ? ";" : "",
                           i);
            buf_printf(&text, ";side%d 100\n", side);
        }
    stacks_release(&s);
    stacktext_make(&s, buf_str(&text));
    CHECK_INT(stacks_tree_text(&s, &o, &out), 0);
    CHECK(strstr(buf_str(&out), "  .. |"));
    for (const char *at = buf_str(&out); *at; at += strcspn(at, "\n") + 1)
        CHECK(strcspn(at, "\n") <= 80);
    buf_release(&text);
    buf_release(&out);
    stacks_release(&s);
}
