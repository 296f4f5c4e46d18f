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
