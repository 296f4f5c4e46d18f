#include "unit.h"

#include "core/perf/reorder.h"

static char seen[64];

static void take(void *arg, const void *record, size_t len)
{
    (void)arg;
    strncat(seen, record, len);
}

static void add(struct order *o, const char *name, uint64_t time)
{
    size_t at = o->bytes.len;
    buf_adds(&o->bytes, name);
    order_add(o, at, strlen(name), time);
}

TEST(rounds_hand_on_only_what_cannot_be_overtaken)
{
    struct order o = {0};
    seen[0] = '\0';
    add(&o, "c", 30);
    add(&o, "a", 10);
    order_round(&o, take, NULL); /* nothing is known of before */
    CHECK_STR(seen, "");
    add(&o, "b", 20); /* late, from another ring */
    add(&o, "e", 50);
    order_round(&o, take, NULL);
    CHECK_STR(seen, "abc");
    add(&o, "d", 40);
    CHECK_INT(order_flush(&o, take, NULL), 0);
    CHECK_STR(seen, "abcde");
    order_release(&o);
}

TEST(records_wait_for_one_round_while_others_come)
{
    struct order o = {0};
    seen[0] = '\0';
    for (size_t i = 0; i < 26; i++) {
        CHECK_INT(strlen(seen), i < 1 ? 0 : i - 1);
        add(&o, (char[]){(char)('a' + i), '\0'}, 10 * (i + 1));
        order_round(&o, take, NULL);
    }
    CHECK_INT(order_flush(&o, take, NULL), 0);
    CHECK_STR(seen, "abcdefghijklmnopqrstuvwxyz");
    order_release(&o);
}

TEST(equal_times_keep_their_order)
{
    struct order o = {0};
    seen[0] = '\0';
    add(&o, "1", 5);
    add(&o, "2", 5);
    add(&o, "3", 5);
    order_flush(&o, take, NULL);
    CHECK_STR(seen, "123");
    order_release(&o);
}

static size_t handed_on;

static void drop(void *arg, const void *record, size_t len)
{
    (void)arg, (void)record, (void)len;
    handed_on++;
}

/* Memory after so many rounds of 100 records, the first ones of which are a burst. */
static size_t held_after(size_t rounds, size_t burst_rounds)
{
    struct order o = {0};
    uint64_t now = 0;
    handed_on = 0;
    for (size_t i = 0; i < rounds; i++) {
        for (size_t k = i < burst_rounds ? 100000 : 100; k; k--)
            add(&o, "a record of some sixty-four bytes, as those of the kernel are...", ++now);
        order_round(&o, drop, NULL);
    }
    size_t held = order_held(&o);
    CHECK_INT(order_flush(&o, drop, NULL), 0);
    CHECK_INT(handed_on, now);
    order_release(&o);
    return held;
}

TEST(the_memory_of_a_burst_is_given_back_in_the_rounds_behind_it)
{
    CHECK(held_after(3, 3) > 12000000);
    CHECK(held_after(60, 3) <= 1000000);
    CHECK_INT(held_after(600, 3), held_after(60, 3));
}
