#include "core/base/buf.h"
#include "core/coverage/record.h"
#include "core/coverage/report.h"
#include "core/symbol/demangle.h"
#include "core/symbol/module.h"
#include "unit.h"

#include <string.h>

TEST(counts_are_in_order_of_address)
{
    static const uint64_t given[] = {5000, 3, 0, UINT64_MAX, 1023, 1024};
    static const uint64_t want[] = {0, 3, 1023, 1024, 5000, UINT64_MAX};
    struct coverage_counts c = {0};
    for (size_t i = 0; i < 6; i++)
        *coverage_count_at(&c, given[i]) += i + 1;
    coverage_sort(&c);
    uint64_t at = 0, count;
    for (size_t i = 0; i < 6; i++, at++) {
        CHECK(coverage_next(&c, &at, &count));
        CHECK_INT(at, want[i]);
    }
    CHECK_INT(coverage_count(&c, 5000), 1);
    CHECK_INT(coverage_count(&c, 4999), 0);
    CHECK_INT(coverage_count(&c, UINT64_MAX), 4);
    coverage_counts_release(&c);
}

static int read_text(struct coverage_record *r, const char *text)
{
    return coverage_record_read(r, text, strlen(text), NULL);
}

TEST(a_record_is_read_as_it_was_written)
{
    static const char text[] = "psuite-coverage 1\nprocesses 2\nunset 1\n"
                               "module 00ff /bin/a b\n10 3\n1000 18446744073709551615\n"
                               "module - /lib/c\n0 1\n";
    struct coverage_record r = {0};
    struct buf out = BUF_INIT;
    CHECK_INT(read_text(&r, text), 0);
    coverage_record_write(&r, &out);
    CHECK_STR(buf_str(&out), text);
    buf_release(&out);
    coverage_record_release(&r);
}

TEST(records_add_up)
{
    static const char text[] = "psuite-coverage 1\nprocesses 1\nmodule - a\n10 3\n";
    struct coverage_record r = {0};
    CHECK_INT(read_text(&r, text), 0);
    CHECK_INT(read_text(&r, text), 0);
    CHECK_INT(r.modules, 1);
    CHECK_INT(coverage_count(&r.module[0]->counts, 0x10), 6);
    CHECK_INT(coverage_record_total(&r), 6);
    CHECK_INT(r.processes, 2);
    coverage_record_release(&r);
}

TEST(a_damaged_record_is_refused)
{
    static const char *const texts[] = {
        "",
        "psuite-coverage 2\n",
        "psuite-coverage 1\n10 3\n",
        "psuite-coverage 1\nmodule - a\n10\n",
        "psuite-coverage 1\nmodule - a\n10 x\n",
        "psuite-coverage 1\nmodule - a\n10 18446744073709551616\n",
        "psuite-coverage 1\nmodule 0 a\n",
        "psuite-coverage 1\nmodule 000102030405060708090a0b0c0d0e0f1011121314 a\n",
        "psuite-coverage 1\nmodule -\n",
        "psuite-coverage 1\nmodule - \n",
        "psuite-coverage 1\nprocesses -1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct coverage_record r = {0};
        CHECK(read_text(&r, texts[i]) < 0);
        coverage_record_release(&r);
    }
}

/* Two files, a function without one, a line of both functions of a file. */
static struct covered example(const struct module *m)
{
    static struct covered_function functions[] = {
        {.name = "b", .file = "b.c", .line = 7, .start = 0x30, .calls = 0, .instructions = 4},
        {.name = "_ZN1aEv",
         .file = "a.c",
         .line = 2,
         .start = 0x10,
         .calls = 3,
         .instructions = 10,
         .executed = 5},
        {.start = 0x50, .calls = 1, .instructions = 2, .executed = 2},
    };
    static struct covered_line lines[5];
    const struct covered_line given[] = {
        {"b.c", 8, 0}, {"a.c", 3, 3}, {"a.c", 2, 3}, {"b.c", 7, 0}, {"a.c", 3, 2}};
    memcpy(lines, given, sizeof lines);
    for (size_t i = 0; i < 3; i++)
        functions[i].module = m;
    struct covered c = {.function = functions, .functions = 3, .line = lines, .lines = 5};
    covered_settle(&c);
    return c;
}

TEST(lcov_has_a_section_for_each_file)
{
    struct module m = {.path = (char *)"/bin/a"};
    struct demangler names = {0};
    struct covered c = example(&m);
    struct coverage_view v = {&c, &names, "method"};
    struct buf out = BUF_INIT;
    coverage_lcov(&v, &out);
    CHECK_STR(
        buf_str(&out),
        "TN:\nSF:a.c\nFN:2,_ZN1aEv\nFNDA:3,_ZN1aEv\nFNF:1\nFNH:1\nDA:2,3\nDA:3,5\nLF:2\nLH:2\n"
        "end_of_record\n"
        "TN:\nSF:b.c\nFN:7,b\nFNDA:0,b\nFNF:1\nFNH:0\nDA:7,0\nDA:8,0\nLF:2\nLH:0\n"
        "end_of_record\n");
    buf_release(&out);
    demangler_release(&names);
}

TEST(lcov_has_paths_without_dots)
{
    static const char *const paths[][2] = {{"/a/b/../c.c", "SF:/a/c.c\n"},
                                           {"/a/./b//c.c", "SF:/a/b/c.c\n"},
                                           {"/../a/b/../../c/../d.c", "SF:/d.c\n"},
                                           {"/a/..b/c..c", "SF:/a/..b/c..c\n"},
                                           {"a/../b.c", "SF:a/../b.c\n"}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct covered_line line = {paths[i][0], 1, 1};
        struct covered c = {.line = &line, .lines = 1};
        struct coverage_view v = {.covered = &c};
        struct buf out = BUF_INIT;
        coverage_lcov(&v, &out);
        CHECK(strstr(buf_str(&out), paths[i][1]) != NULL);
        buf_release(&out);
    }
}

TEST(a_report_sorts_functions_by_calls)
{
    struct module m = {.path = (char *)"/bin/a"};
    struct demangler names = {.off = true};
    struct covered c = example(&m);
    struct coverage_view v = {&c, &names, "method"};
    struct report_part all = {0};
    struct buf out = BUF_INIT;
    CHECK_INT(coverage_report(&v, &all, &out), 0);
    CHECK_STR(buf_str(&out), "functions: 2 of 3 executed (66.7%)\n"
                             "lines: 2 of 4 executed (50.0%)\n"
                             "instructions: 7 of 16 executed (43.8%)\n"
                             "       calls\t    %\tfunction\n"
                             "           3\t 50.0\t_ZN1aEv a.c:2\n"
                             "           1\t100.0\t0x50\n"
                             "           0\t  0.0\tb b.c:7\n"
                             "method\n");
    buf_release(&out);
}

TEST(source_has_a_count_at_each_line_with_code)
{
    static const char source[] = "one\nint a(void)\n{ }\nfour\nfive\nsix\n";
    struct module m = {.path = (char *)"/bin/a"};
    struct demangler names = {.off = true};
    struct covered c = example(&m);
    struct coverage_view v = {&c, &names, "method"};
    struct buf out = BUF_INIT;
    coverage_source(&v, coverage_function_named(&v, "_ZN1aEv"), source, sizeof source - 1, &out);
    CHECK_STR(buf_str(&out), "           -      1  one\n"
                             "           3      2  int a(void)\n"
                             "           5      3  { }\n"
                             "           -      4  four\n"
                             "           -      5  five\n");
    CHECK(!coverage_function_named(&v, "none"));
    buf_release(&out);
}
