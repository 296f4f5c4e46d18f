#include "unit.h"

#include "core/base/buf.h"
#include "core/text/report_fit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables of rows whose amounts are 1, with a heading each, and a line behind all. */
struct made {
    size_t tables, rows, renderings;
};

static int render(void *arg, const struct report_part *part, struct buf *out)
{
    struct made *m = arg;
    size_t tables = report_shown(m->tables, part->tables, false);
    size_t rows = report_shown(m->rows, part->rows, part->fitted);
    m->renderings++;
    for (size_t t = 0; t < tables; t++) {
        buf_adds(out, "heading\n");
        for (size_t i = 0; i < rows; i++)
            buf_adds(out, "1 row\n");
        if (rows < m->rows) {
            buf_printf(out, "%zu ", m->rows - rows);
            report_rest(out, m->rows - rows, part->fitted);
            buf_addc(out, '\n');
        }
    }
    buf_adds(out, "last\n");
    return 0;
}

static size_t sum_of(const char *text)
{
    size_t sum = 0;
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        sum += strtoul(at, NULL, 10);
    }
    return sum;
}

static size_t fit(struct made *m, size_t height, struct buf *out)
{
    struct report_size size = {.width = 80, .height = height};
    buf_clear(out);
    m->renderings = 0;
    CHECK_INT(report_fit(&size, render, m, out), 0);
    return report_lines(buf_str(out), out->len, 80);
}

TEST(report_fit_of_one_table_fills_the_height)
{
    struct buf out = BUF_INIT;
    for (size_t rows = 0; rows < 200; rows += rows < 20 ? 1 : 33)
        for (size_t height = 5; height < 60; height++) {
            struct made m = {1, rows, 0};
            size_t all = rows + 2;
            CHECK_INT(fit(&m, height, &out), all < height ? all : height);
            CHECK_INT(sum_of(buf_str(&out)), rows);
            CHECK(height < 8 || m.renderings <= 3);
            CHECK(all <= height || strstr(buf_str(&out), "more rows: --rows all)\n"));
        }
    buf_release(&out);
}

TEST(report_fit_of_several_tables)
{
    struct buf out = BUF_INIT;
    struct made m = {3, 100, 0};
    CHECK(fit(&m, 23, &out) <= 23);
    CHECK_INT(sum_of(buf_str(&out)), 300); /* each has its rest */
    m = (struct made){40, 100, 0};
    CHECK(fit(&m, 23, &out) <= 23);
    CHECK_INT(sum_of(buf_str(&out)), 400); /* of four tables */
    CHECK(strstr(buf_str(&out), "97 (97 more rows: --rows all)\n"));
    CHECK(fit(&m, 1, &out) > 1); /* what cannot be cut is shown */
    CHECK(strstr(buf_str(&out), "last\n"));
    buf_release(&out);
}

TEST(report_fit_without_a_terminal_or_on_request)
{
    struct buf out = BUF_INIT;
    struct made m = {1, 100, 0};
    CHECK_INT(fit(&m, 0, &out), 102);
    buf_clear(&out);
    CHECK_INT(report_fit(&(struct report_size){80, 10, 0, true}, render, &m, &out), 0);
    CHECK_INT(report_lines(buf_str(&out), out.len, 80), 102);
    buf_clear(&out);
    CHECK_INT(report_fit(&(struct report_size){80, 10, 50, false}, render, &m, &out), 0);
    CHECK(strstr(buf_str(&out), "\n50 (50 more)\n"));
    buf_release(&out);
}

static int fail_late(void *arg, const struct report_part *part, struct buf *out)
{
    int *left = arg;
    for (size_t i = 0; i < part->rows; i++)
        buf_adds(out, "row\n");
    buf_adds(out, "last\n");
    return --*left ? 0 : -ENOENT;
}

TEST(report_fit_ends_with_an_error)
{
    for (int at = 1; at <= 3; at++) {
        struct buf out = BUF_INIT;
        int left = at;
        CHECK_INT(report_fit(&(struct report_size){80, 10, 0, false}, fail_late, &left, &out),
                  -ENOENT);
        CHECK_INT(left, 0);
        buf_release(&out);
    }
}

static void check_fold(const char *text, size_t width, const char *folded)
{
    struct buf out = BUF_INIT;
    buf_adds(&out, "before, which stays as it is, however wide it may be\n");
    size_t from = out.len;
    buf_adds(&out, text);
    report_fold(&out, from, width);
    CHECK_STR(buf_str(&out) + from, folded);
    buf_release(&out);
}

TEST(report_fold_breaks_lines_at_blanks)
{
    check_fold("a line of twenty-one.\n", 21, "a line of twenty-one.\n");
    check_fold("a line of twenty-one.\nnext\n", 20, "a line of\n    twenty-one.\nnext\n");
    check_fold("one two three four five six\n", 12, "one two\nthree four\nfive six\n");
    check_fold("  100\t12.5\tname of it\n", 20, "  100\t12.5\tname\n    of it\n");
    check_fold("onewordthatiswiderthanthelineandstayswhole\n", 20,
               "onewordthatiswiderthanthelineandstayswhole\n");
    check_fold("\xc3\xa9\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9\n", 6,
               "\xc3\xa9\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9\n");
    check_fold("no newline at the end of it", 17, "no newline at the\n    end of it\n");
    check_fold("", 17, "");
    check_fold("wide as it may be\n", 0, "wide as it may be\n");
}

static void check_clip(const char *text, size_t width, const char *clipped)
{
    struct buf out = BUF_INIT;
    buf_adds(&out, text);
    report_clip(&out, 0, width);
    CHECK_STR(buf_str(&out), clipped);
    buf_release(&out);
}

TEST(report_clip_ends_wide_lines)
{
    check_clip("twelve wide.\nnext\n", 12, "twelve wide.\nnext\n");
    check_clip("twelve wide.\nnext\n", 11, "twelve wi..\nnext\n");
    check_clip("  100\t12.5\tname of it\n", 20, "  100\t12.5\tna..\n");
    check_clip("  100\t12.5\tname of it\n", 14, "  100\t12.5..\n");
    check_clip("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n", 4, "\xc3\xa9\xc3\xa9..\n");
    check_clip("wide as it may be\n", 0, "wide as it may be\n");
    check_clip("wide\n", 1, "..\n");
}

TEST(report_lines_of_a_terminal)
{
    CHECK_INT(report_lines("", 0, 80), 0);
    CHECK_INT(report_lines("a\n\nb\n", 5, 80), 3);
    CHECK_INT(report_lines("abcdefghij\n", 11, 5), 2);
    CHECK_INT(report_lines("\tb\n", 3, 8), 2);
    CHECK_INT(report_lines("abcdefghij\n", 11, 0), 1);
}
