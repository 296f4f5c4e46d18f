#include "unit.h"

#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/stacks/flat.h"

static const struct stacks_flat_row *row_of(const struct stacks_flat *f, const char *name)
{
    static const struct stacks_flat_row none = {.self = 999, .cumulative = 999};
    for (size_t i = 0; i < f->rows; i++)
        if (strcmp(f->row[i].name, name) == 0)
            return &f->row[i];
    return &none;
}

static void check_row(const struct stacks_flat *f, const char *name, uint64_t self_ms,
                      uint64_t cumulative_ms)
{
    CHECK_INT(row_of(f, name)->self, self_ms * 1000000);
    CHECK_INT(row_of(f, name)->cumulative, cumulative_ms * 1000000);
}

TEST(stacks_flat_rows_are_sorted_by_own_time)
{
    struct stacks s;
    struct stacks_flat f;
    stacktext_make(&s, "main;work;hot 5\nmain;work 1\nmain 2\nmain;other;hot 3\n");
    CHECK_INT(stacks_flat_make(&s, false, &f), 0);
    CHECK_INT(f.rows, 4);
    CHECK_INT(f.total, 11000000);
    CHECK(!f.calls);
    CHECK_STR(f.row[0].name, "hot");
    CHECK_STR(f.row[0].module, "prog");
    check_row(&f, "hot", 8, 8);
    check_row(&f, "work", 1, 6);
    check_row(&f, "other", 0, 3);
    check_row(&f, "main", 2, 11);
    stacks_flat_release(&f);
    CHECK_INT(stacks_flat_make(&s, true, &f), 0);
    CHECK_STR(f.row[0].name, "main");
    CHECK_STR(f.row[1].name, "hot");
    CHECK_STR(f.row[3].name, "other");
    stacks_flat_release(&f);
    stacks_release(&s);
}

TEST(stacks_flat_counts_recursion_once)
{
    struct stacks s;
    struct stacks_flat f;
    stacktext_make(&s, "main;r;r;r 4\nmain;r 1\nmain;r;r;leaf 2\n"
                       "main;even;odd;even 8\nmain;odd;even;odd;leaf 16\n");
    CHECK_INT(stacks_flat_make(&s, false, &f), 0);
    check_row(&f, "r", 5, 7);
    check_row(&f, "even", 8, 24);
    check_row(&f, "odd", 0, 24);
    check_row(&f, "leaf", 18, 18);
    check_row(&f, "main", 0, 31);
    stacks_flat_release(&f);
    stacks_release(&s);
}

/* Lines and inlining do not make another function, a module's name does, its folder does not. */
TEST(stacks_flat_what_is_one_row)
{
    struct stacks s;
    struct stacks_flat f;
    stacktext_make(&s, "main:1;in@/lib/a.so:2 1\nmain:9;~in@/lib/a.so:3 2\nmain;in@/opt/a.so 4\n"
                       "main;in@/lib/b.so 8\nmain;in@[kernel] 16\n");
    CHECK_INT(stacks_flat_make(&s, false, &f), 0);
    CHECK_INT(f.rows, 4);
    CHECK_STR(f.row[0].module, "[kernel]");
    CHECK_INT(f.row[1].self, 8000000);
    CHECK_STR(f.row[2].module, "a.so");
    CHECK_INT(f.row[2].self, 7000000);
    check_row(&f, "main", 0, 31);
    stacks_flat_release(&f);
    stacks_release(&s);
}

TEST(stacks_flat_threads_and_the_unknown)
{
    struct stacks s;
    struct stacks_flat f;
    stacktext_make(&s, "one|main;work 1\ntwo|main;work 2\ntwo| 4\nnobody 8\n");
    CHECK_INT(stacks_flat_make(&s, false, &f), 0);
    CHECK_INT(f.total, 15000000);
    check_row(&f, "work", 3, 3);
    check_row(&f, "main", 0, 3);
    check_row(&f, "(unknown)", 4, 4);
    CHECK_INT(row_of(&f, "(unknown)")->function, STACKS_NONE);
    stacks_flat_release(&f);
    stacks_release(&s);
}

TEST(stacks_flat_of_nothing)
{
    struct stacks s;
    struct stacks_flat f;
    struct buf out = BUF_INIT;
    stacktext_make(&s, "");
    CHECK_INT(stacks_flat_make(&s, false, &f), 0);
    CHECK_INT(f.rows, 0);
    CHECK_INT(stacks_flat_text(&s, &(struct stacks_flat_options){.max_rows = 3}, &out), 0);
    CHECK_STR(buf_str(&out), "0 ns; perf cpu-clock, user mode\n"
                             "self ns      %  cumulative ns      %  function\n");
    buf_release(&out);
    stacks_flat_release(&f);
    stacks_release(&s);
}

/* A call tree that was counted: calls, and time in bytes' place. */
TEST(stacks_flat_of_counted_calls)
{
    static const struct stacks_value values[] = {{"calls", "count"}, {"space", "bytes"}};
    struct stacks s;
    struct buf out = BUF_INIT;
    stacks_init(&s, values, 2);
    uint32_t outer = stacks_node(&s, STACKS_NONE, stacktext_frame(&s, (char[]){"main"}));
    uint32_t inner = stacks_node(&s, outer, stacktext_frame(&s, (char[]){"alloc"}));
    uint32_t never = stacks_node(&s, inner, stacktext_frame(&s, (char[]){"free"}));
    stacks_add(&s, STACKS_NONE, outer, 0, (uint64_t[]){1, 0});
    stacks_add(&s, STACKS_NONE, inner, 0, (uint64_t[]){1200, 3 << 20});
    stacks_add(&s, STACKS_NONE, never, 0, (uint64_t[]){7, 0});
    CHECK_INT(stacks_flat_text(&s, &(struct stacks_flat_options){.max_rows = 2}, &out), 0);
    CHECK_STR(buf_str(&out), "3.000 MiB\n"
                             "self MiB      %  cumulative MiB      %  calls  function\n"
                             "   3.000  100.0           3.000  100.0   1200  alloc [prog]\n"
                             "   0.000    0.0           3.000  100.0      1  main [prog]\n"
                             "   0.000    0.0                             7  (1 more)\n");
    buf_release(&out);
    stacks_release(&s);
}

TEST(stacks_flat_names_are_cut_in_the_middle)
{
    struct stacks s;
    struct buf out = BUF_INIT;
    stacktext_make(
        &s, "std::map<int,std::string>::operator[\x1b[31m]@/l/libx.so 1\n\xc3\xa9t\xc3\xa9 1\n");
    CHECK_INT(stacks_flat_text(&s, &(struct stacks_flat_options){.width = 68}, &out), 0);
    CHECK_STR(buf_str(&out),
              "2.000 ms, 2 samples; perf cpu-clock, user mode\n"
              "self ms      %  cumulative ms      %  function\n"
              "  1.000   50.0          1.000   50.0  std::map<..or[?[31m] [libx.so]\n"
              "  1.000   50.0          1.000   50.0  \xc3\xa9t\xc3\xa9 [prog]\n");
    buf_clear(&out);
    CHECK_INT(stacks_flat_text(&s, &(struct stacks_flat_options){.max_rows = 1}, &out), 0);
    CHECK(strstr(buf_str(&out), "std::map<int,std::string>::operator[?[31m] [libx.so]\n"));
    buf_release(&out);
    stacks_release(&s);
}
