#include "unit.h"

#include "core/time/parameter.h"

#include <errno.h>
#include <stdlib.h>

static void check_fill(const struct time_parameter *p, size_t n, size_t k, const char *text,
                       const char *wanted)
{
    char *got = time_parameter_fill(text, p, n, k);
    CHECK_STR(got, wanted);
    free(got);
}

TEST(parameters_are_replaced_by_each_combination)
{
    struct time_parameter p[2];
    CHECK_INT(time_parameter_parse("n=1..3", &p[0]), 0);
    CHECK_INT(time_parameter_parse("how=fast,,slow", &p[1]), 0);
    CHECK_INT(time_combinations(p, 2), 9);
    check_fill(p, 2, 0, "a{n}b {how}", "a1b fast");
    check_fill(p, 2, 1, "a{n}b {how}", "a1b ");
    check_fill(p, 2, 8, "{n}{n}{how}", "33slow");
    check_fill(p, 2, 3, "{x} {n {how", "{x} {n {how");
    check_fill(p, 2, 3, "", "");
    check_fill(p, 2, 3, "{", "{");
    for (size_t i = 0; i < 2; i++)
        time_parameter_release(&p[i]);
}

static void check_values(const char *text, size_t values, const char *last)
{
    struct time_parameter p;
    CHECK_INT(time_parameter_parse(text, &p), 0);
    CHECK_INT(p.values, values);
    CHECK_STR(p.value[p.values - 1], last);
    time_parameter_release(&p);
}

TEST(ranges_have_steps)
{
    check_values("n=0..100..25", 5, "100");
    check_values("n=-2..2..3", 2, "1");
    check_values("n=7..7", 1, "7");
    check_values("n=1..1000", 1000, "1000");
    check_values("n=1..x", 1, "1..x"); /* a word like any other */
    check_values("n=1..2..0", 1, "1..2..0");
}

TEST(other_parameters_are_refused)
{
    static const struct {
        const char *text;
        int error;
    } bad[] = {{"", -EINVAL},       {"n", -EINVAL},          {"=1", -EINVAL},
               {"n=", -EINVAL},     {"n=3..1", -EINVAL},     {"n=1..1001", -E2BIG},
               {"n=1..999999999", -E2BIG}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct time_parameter p;
        CHECK_INT(time_parameter_parse(bad[i].text, &p), bad[i].error);
        time_parameter_release(&p);
    }
    struct time_parameter many[2];
    CHECK_INT(time_parameter_parse("n=1..40", &many[0]), 0);
    CHECK_INT(time_parameter_parse("m=1..40", &many[1]), 0);
    CHECK_INT(time_combinations(many, 2), 0);
    for (size_t i = 0; i < 2; i++)
        time_parameter_release(&many[i]);
}
