#include "unit.h"

#include "core/base/buf.h"
#include "core/time/report.h"
#include "core/time/summary.h"

static char *const words[] = {(char *)"prog", NULL};

static void add(struct time_command *c, double real, double share)
{
    struct time_run run = {.value = {[TIME_REAL] = real, [TIME_BASIC] = 7}, .share = {share}};
    CHECK_INT(time_command_add(c, &run), 0);
}

TEST(time_compare_pairs_runs_of_a_round)
{
    struct time_command a = {.argv = words}, b = {.argv = words};
    for (int i = 1; i <= 21; i++) {
        add(&a, 100 * i, 1);
        add(&b, 200 * i + (i == 21 ? 2100 : 0), 1);
    }
    struct time_ratio r = time_compare(&a, &b, TIME_REAL);
    CHECK(r.of_medians == 2 && r.pairs_p5 == 2 && r.pairs_p95 == 2);
    add(&a, 1, 1); /* the series was interrupted in its last round: no partner */
    CHECK(time_compare(&a, &b, TIME_REAL).pairs_p95 == 2);
    CHECK(time_compare(&a, &b, TIME_USER).of_medians == 0);
    time_command_release(&a);
    time_command_release(&b);
}

TEST(time_summary_leaves_out_runs_without_a_count)
{
    struct time_command c = {.argv = words};
    struct summary s;
    add(&c, 5, 1);
    add(&c, 6, 0);
    CHECK_INT(time_summary(&c, TIME_BASIC, &s), 0);
    CHECK_INT(s.n, 1);
    CHECK_INT(time_summary(&c, TIME_REAL, &s), 0);
    CHECK_INT(s.n, 2);
    time_command_release(&c);
}

TEST(time_progress_is_cut_to_the_width)
{
    struct buf out = BUF_INIT;
    time_progress(12, 60, 6e9, 79, &out);
    CHECK_STR(buf_str(&out), "time: 12 of 60 runs, 500.0 ms each, 24 s to go");
    buf_clear(&out);
    time_progress(0, 60, 6e9, 10, &out);
    CHECK_STR(buf_str(&out), "time: 0 of");
    buf_release(&out);
}
