#include "unit.h"

#include "core/base/duration.h"

TEST(a_number_alone_is_of_the_unit_that_the_caller_says)
{
    double ns = 0;
    CHECK(duration_parse("5", 1e9, &ns) && ns == 5e9);
    CHECK(duration_parse("0.25", 1e6, &ns) && ns == 250000);
    CHECK(duration_parse(".5", 1e9, &ns) && ns == 5e8);
}

TEST(a_unit_follows_the_number)
{
    static const struct {
        const char *text;
        double ns;
    } times[] = {{"7ns", 7},       {"200us", 200e3}, {"3\302\265s", 3e3}, {"5ms", 5e6},
                 {"1.5s", 1500e6}, {"2m", 120e9},    {"2min", 120e9},     {"1h", 3600e9}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double ns = 0;
        CHECK(duration_parse(times[i].text, 1, &ns) && ns == times[i].ns);
    }
}

TEST(anything_else_is_none)
{
    static const char *const wrong[] = {"",    "s",    "-1", "0",    "0s", "nan", "inf", "1e999",
                                        "5 s", "5sec", "1x", "5ms ", " 5", ".",   "+3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double ns = 77;
        CHECK(!duration_parse(wrong[i], 1e9, &ns));
        CHECK(ns == 77);
    }
}
