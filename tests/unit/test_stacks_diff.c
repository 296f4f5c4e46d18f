#include "unit.h"

#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/stacks/diff.h"

#include <errno.h>
#include <math.h>

static const struct stacks_diff_row *row_of(const struct stacks_diff *d, const char *name)
{
    static const struct stacks_diff_row none = {.points = 999};
    for (size_t i = 0; i < d->rows; i++)
        if (strcmp(d->row[i].name, name) == 0)
            return &d->row[i];
    return &none;
}

static bool near(double got, double want)
{
    return fabs(got - want) < 0.001;
}

/* 300 of 1000 and 500 of 2000: p = 800/3000, error = sqrt(p (1 - p) (1/1000 + 1/2000)) = 0.017127,
 * difference 0.05: 2.919 sigma. With 480 of 2000: p = 0.26, error 0.016988, 0.06: 3.532. */
TEST(stacks_diff_by_shares_has_their_error)
{
    struct stacks a, b;
    struct stacks_diff d;
    stacktext_make(&a, "main;f 300\n"
                       "main;g 300\n"
                       "main;h 390\n"
                       "main;old 10\n");
    stacktext_make(&b, "main;f 500\n"
                       "main;g 480\n"
                       "main;h 1000\n"
                       "main;new 20\n");
    CHECK_INT(stacks_diff_make(&a, &b, &(struct stacks_diff_options){0}, &d, NULL), 0);
    CHECK_INT(d.rows, 5);
    CHECK_STR(d.row[0].name, "h");
    CHECK(near(row_of(&d, "f")->points, -5));
    CHECK(near(row_of(&d, "f")->sigmas, 2.919));
    CHECK(!row_of(&d, "f")->significant);
    CHECK(near(row_of(&d, "g")->points, -6));
    CHECK(near(row_of(&d, "g")->sigmas, 3.532));
    CHECK(row_of(&d, "g")->significant);
    CHECK(row_of(&d, "f")->difference == 200e6);
    CHECK_INT(row_of(&d, "new")->before, 0);
    CHECK_INT(row_of(&d, "old")->after, 0);
    stacks_diff_release(&d);
    stacks_release(&a);
    stacks_release(&b);
}

/* By amounts: 300 and 500 samples differ by 200, their error is sqrt(800) = 28.284: 7.071. */
TEST(stacks_diff_by_amounts_has_their_error)
{
    struct stacks a, b;
    struct stacks_diff d;
    stacktext_make(&a, "f 300\n"
                       "g 700\n");
    stacktext_make(&b, "f 500\n"
                       "g 710\n");
    CHECK_INT(stacks_diff_make(&a, &b, &(struct stacks_diff_options){.absolute = true}, &d, NULL),
              0);
    CHECK_STR(d.row[0].name, "f");
    CHECK(near(d.row[0].sigmas, 7.071));
    CHECK(near(d.row[1].sigmas, 0.2663));
    CHECK(!d.row[1].significant);
    stacks_diff_release(&d);
    stacks_release(&a);
    stacks_release(&b);
}

TEST(stacks_diff_cumulative_counts_recursion_once)
{
    struct stacks a, b;
    struct stacks_diff d;
    stacktext_make(&a, "main;r;r;r 40\n"
                       "main 60\n");
    stacktext_make(&b, "main;r;r;r 20\n"
                       "main 180\n");
    CHECK_INT(stacks_diff_make(&a, &b, &(struct stacks_diff_options){.cumulative = true}, &d, NULL),
              0);
    CHECK_INT(row_of(&d, "r")->before, 40000000);
    CHECK(near(row_of(&d, "r")->points, -30));
    CHECK(near(row_of(&d, "main")->points, 0));
    CHECK(row_of(&d, "main")->sigmas == 0);
    stacks_diff_release(&d);
    stacks_release(&a);
    stacks_release(&b);
}

static void make_exact(struct stacks *s, uint64_t f, uint64_t g)
{
    static const struct stacks_value value = {"time", "nanoseconds"};
    stacks_init(s, &value, 1);
    stacks_add(s, STACKS_NONE,
               stacks_node(s, STACKS_NONE, stacktext_frame(s, (char[]){"f@/a/one.so"})), 0, &f);
    stacks_add(s, STACKS_NONE,
               stacks_node(s, STACKS_NONE, stacktext_frame(s, (char[]){"g@/a/one.so"})), 0, &g);
}

TEST(stacks_diff_of_exact_values_is_always_significant)
{
    struct stacks a, b, sampled;
    struct stacks_diff d;
    struct buf out = BUF_INIT;
    make_exact(&a, 500, 500);
    make_exact(&b, 501, 499);
    stacktext_make(&sampled, "f@/b/one.so 60\ng@/b/one.so 40\n");
    CHECK_INT(stacks_diff_make(&a, &b, &(struct stacks_diff_options){0}, &d, NULL), 0);
    CHECK(d.row[0].significant && isinf(d.row[0].sigmas));
    stacks_diff_json(&d, &out);
    CHECK(strstr(buf_str(&out), "\"sigmas\":null"));
    CHECK(strstr(buf_str(&out), "\"total_ns\":1000,\"samples\":null"));
    stacks_diff_release(&d);
    buf_clear(&out);
    CHECK_INT(stacks_diff_make(&a, &a, &(struct stacks_diff_options){0}, &d, NULL), 0);
    stacks_diff_text(&d, &(struct stacks_diff_options){0}, &out);
    CHECK_STR(buf_str(&out), "old: 1.000 us\n"
                             "new: 1.000 us\n"
                             "old %  new %  points        us   function\n"
                             "100.0  100.0    +0.0   +0.000   (2 the same)\n");
    stacks_diff_release(&d);
    /* 0.5 is known, 0.6 of 100 samples has the error sqrt(0.25/100) = 0.05: 2 sigma. */
    CHECK_INT(stacks_diff_make(&a, &sampled, &(struct stacks_diff_options){0}, &d, NULL), 0);
    CHECK_INT(d.rows, 2);
    CHECK(near(d.row[0].sigmas, 2));
    stacks_diff_release(&d);
    buf_release(&out);
    stacks_release(&sampled);
    stacks_release(&a);
    stacks_release(&b);
}

/* Twice the time at the same shares: only amounts tell. 300 and 600 differ by 300, their error is
 * sqrt(900) = 30: 10. */
TEST(stacks_diff_marks_time_apart_from_share)
{
    struct stacks a, b;
    struct stacks_diff d;
    struct buf out = BUF_INIT;
    stacktext_make(&a, "f 300\ng 700\n");
    stacktext_make(&b, "f 600\ng 1400\n");
    CHECK_INT(stacks_diff_make(&a, &b, &(struct stacks_diff_options){0}, &d, NULL), 0);
    CHECK(!row_of(&d, "f")->share_significant && !row_of(&d, "f")->significant);
    CHECK(row_of(&d, "f")->amount_significant);
    CHECK(near(row_of(&d, "f")->amount_sigmas, 10));
    stacks_diff_text(&d, &(struct stacks_diff_options){0}, &out);
    CHECK(strstr(buf_str(&out), " 30.0   30.0    +0.0   +0.300*  f"));
    stacks_diff_release(&d);
    buf_release(&out);
    stacks_release(&a);
    stacks_release(&b);
}

/* prog-old became prog-new; of libc and ld only one side has samples, and they have nothing in
 * common but a name of many. */
TEST(stacks_diff_pairs_modules_that_were_renamed)
{
    struct stacks a, b;
    struct stacks_diff d;
    struct buf out = BUF_INIT;
    stacktext_make(&a, "f@/v1/prog-old 300\ng@/v1/prog-old 600\n0x10@/v1/prog-old 50\n"
                       "main@/lib/libc 10\nx@/lib/libc 10\ny@/lib/libc 10\nk@[kernel] 20\n");
    stacktext_make(&b, "f@/v2/prog-new 500\ng@/v2/prog-new 400\n0x10@/v2/prog-new 60\n"
                       "main@/lib/ld 10\nu@/lib/ld 10\nv@/lib/ld 10\nk@[kernel] 10\n");
    CHECK_INT(stacks_diff_make(&a, &b, &(struct stacks_diff_options){0}, &d, NULL), 0);
    CHECK_INT(d.renames, 1);
    CHECK_STR(d.rename[0].before, "prog-old");
    CHECK_STR(d.rename[0].after, "prog-new");
    CHECK_INT(d.rename[0].functions, 2);
    CHECK_STR(row_of(&d, "f")->module, "prog-new");
    CHECK(row_of(&d, "f")->before && row_of(&d, "f")->after);
    stacks_diff_text(&d, &(struct stacks_diff_options){0}, &out);
    CHECK(strstr(buf_str(&out), "\n[prog-old] of the old profile matches [prog-new] of the new: 2 "
                                "functions of the same names\n"));
    buf_clear(&out);
    stacks_diff_json(&d, &out);
    CHECK(strstr(buf_str(&out),
                 "\"renamed\":[{\"old\":\"prog-old\",\"new\":\"prog-new\",\"functions\":2}]"));
    stacks_diff_release(&d);
    buf_release(&out);
    stacks_release(&a);
    stacks_release(&b);
}

TEST(stacks_diff_with_nothing)
{
    struct stacks a, b, bytes;
    struct stacks_diff d;
    struct fail fail = {0};
    struct buf out = BUF_INIT;
    static const struct stacks_value value = {"space", "bytes"};
    stacktext_make(&a, "f 10\n");
    stacktext_make(&b, "");
    stacks_init(&bytes, &value, 1);
    CHECK_INT(stacks_diff_make(&a, &b, &(struct stacks_diff_options){0}, &d, NULL), 0);
    CHECK(!d.row[0].significant);
    stacks_diff_text(&d, &(struct stacks_diff_options){0}, &out);
    CHECK(strstr(buf_str(&out), "f [prog] (gone)\n"));
    stacks_diff_release(&d);
    CHECK_INT(stacks_diff_make(&a, &bytes, &(struct stacks_diff_options){0}, &d, &fail), -EINVAL);
    CHECK_STR(fail.what, "the old profile does not count space in bytes");
    stacks_diff_release(&d);
    buf_release(&out);
    stacks_release(&bytes);
    stacks_release(&a);
    stacks_release(&b);
}
