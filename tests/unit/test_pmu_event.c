#include "unit.h"

#include "core/procfs/pmu_event.h"

#include <errno.h>

TEST(terms_of_an_event)
{
    const char *text = "event=0x3c,umask=17,any\n";
    struct pmu_term t;
    CHECK_INT(pmu_term_next(&text, &t), 1);
    CHECK(t.len == 5 && memcmp(t.name, "event", 5) == 0 && t.has_value);
    CHECK_INT(t.value, 0x3c);
    CHECK_INT(pmu_term_next(&text, &t), 1);
    CHECK_INT(t.value, 17);
    CHECK_INT(pmu_term_next(&text, &t), 1);
    CHECK(t.len == 3 && !t.has_value);
    CHECK_INT(t.value, 1);
    CHECK_INT(pmu_term_next(&text, &t), 0);
}

TEST(pmu_term_next_refuses_invalid_terms)
{
    static const char *const bad[] = {
        "=1", "a=", "a=?", "a=-1", "a=1x", "a b", "a=1;b=2", ",a", "a=0x10000000000000000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *text = bad[i];
        struct pmu_term t;
        CHECK_INT(pmu_term_next(&text, &t), -EINVAL);
        CHECK(text == bad[i]);
    }
}

TEST(value_goes_where_the_format_says)
{
    uint64_t config[PMU_CONFIGS] = {0};
    CHECK_INT(pmu_format_put("config:0-7\n", 0x3c, config), 0);
    CHECK_INT(pmu_format_put("config:8-15", 1, config), 0);
    CHECK_INT(config[0], 0x13c);
    CHECK_INT(pmu_format_put("config:0-7,32-35", 0xa11, config), 0);
    CHECK(config[0] == 0xa00000111u);
    CHECK_INT(pmu_format_put("config1:0-63", UINT64_MAX, config), 0);
    CHECK(config[1] == UINT64_MAX);
    CHECK_INT(pmu_format_put("config2:63", 1, config), 0);
    CHECK(config[2] == 1ull << 63);
}

TEST(what_the_format_cannot_take)
{
    uint64_t config[PMU_CONFIGS] = {5, 0, 0};
    CHECK_INT(pmu_format_put("config:0-7", 256, config), -ERANGE);
    CHECK_INT(pmu_format_put("config3:0-7", 1, config), -EINVAL);
    CHECK_INT(pmu_format_put("config:", 1, config), -EINVAL);
    CHECK_INT(pmu_format_put("config:7-0", 1, config), -EINVAL);
    CHECK_INT(pmu_format_put("config:0-64", 1, config), -EINVAL);
    CHECK_INT(pmu_format_put("config:1;2", 1, config), -EINVAL);
    CHECK_INT(config[0], 5);
}
