/* The names that a kernel holds: made, found, given back, in numbers. */
#include "unit.h"

#include "core/ns/names.h"

#include <errno.h>

static int64_t hold(struct ns_names *t, uint64_t parent, int i)
{
    char text[16];
    snprintf(text, sizeof text, "f%d", i);
    return ns_names_hold(t, parent, text);
}

TEST(ns_names_are_one_a_name)
{
    struct ns_names t = {.name = NULL};
    int64_t a = ns_names_hold(&t, 0, "a"), b = ns_names_hold(&t, 0, "b");
    int64_t below = ns_names_hold(&t, (uint64_t)a, "b");
    CHECK(a > 0 && b > 0 && below > 0 && a != b && b != below);
    CHECK_INT(ns_names_hold(&t, 0, "a"), a);
    CHECK_INT(ns_names_at(&t, (uint64_t)a)->refs, 3); /* two callers and the name below it */
    CHECK_INT(ns_names_at(&t, (uint64_t)below)->parent, a);
    CHECK_STR(ns_names_at(&t, (uint64_t)below)->text, "b");
    CHECK_INT(t.used, 3);
    ns_names_release(&t);
    CHECK_INT(t.used, 0);
}

TEST(ns_names_of_what_there_is_not)
{
    struct ns_names t = {.name = NULL};
    CHECK(!ns_names_at(&t, 0));
    CHECK(!ns_names_at(&t, 1));
    CHECK(!ns_names_at(&t, UINT64_MAX));
    CHECK_INT(ns_names_hold(&t, 1, "a"), -ENOENT);
    CHECK_INT(ns_names_hold(&t, UINT64_MAX, "a"), -ENOENT);
    ns_names_drop(&t, 0, 1);
    ns_names_drop(&t, 7, 1);
    int64_t a = ns_names_hold(&t, 0, "a");
    ns_names_drop(&t, (uint64_t)a, 1);
    ns_names_drop(&t, (uint64_t)a, 1); /* more often than it was given out */
    ns_names_ref(&t, (uint64_t)a);
    CHECK_INT(t.used, 0);
    CHECK_INT(ns_names_hold(&t, (uint64_t)a, "b"), -ENOENT);
    CHECK_INT(ns_names_hold(&t, 0, "b"), a); /* the number is given out again */
    ns_names_release(&t);
}

TEST(ns_names_go_with_the_last_below_them)
{
    struct ns_names t = {.name = NULL};
    uint64_t at = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t next = (uint64_t)hold(&t, at, i);
        ns_names_drop(&t, at, 1);
        at = next;
    }
    CHECK_INT(t.used, 1000);
    ns_names_drop(&t, at, 1);
    CHECK_INT(t.used, 0);
    ns_names_release(&t);
}

/* Many come and go, in an order of their own: what is there is found, and memory goes with it. */
TEST(ns_names_grow_and_shrink)
{
    enum { MANY = 50000, STEP = 7919, LEFT = 10 };
    struct ns_names t = {.name = NULL};
    static int64_t path[MANY];
    size_t most = 0;
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < MANY; i++)
            path[i] = hold(&t, 0, i);
        CHECK_INT(t.used, MANY);
        CHECK(turn == 0 || t.cap + t.slots < 2 * most);
        most = t.cap + t.slots;
        for (int i = 0; i < MANY; i++)
            if (hold(&t, 0, i) != path[i])
                CHECK_INT(i, -1);
        for (int i = 0; i < MANY; i++) {
            int at = (int)((int64_t)i * STEP % MANY);
            ns_names_drop(&t, (uint64_t)path[at], 1);
            if (at >= LEFT)
                ns_names_drop(&t, (uint64_t)path[at], 1);
        }
        CHECK_INT(t.used, LEFT);
        CHECK(t.cap + t.slots < most / 100);
        for (int i = 0; i < LEFT; i++) {
            CHECK_INT(hold(&t, 0, i), path[i]);
            ns_names_drop(&t, (uint64_t)path[i], 1);
            ns_names_drop(&t, (uint64_t)path[i], 1);
        }
        CHECK_INT(t.used, 0);
    }
    ns_names_release(&t);
}
