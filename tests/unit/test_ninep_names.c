/* The names that a kernel holds: made, found, given back, in numbers. */
#include "unit.h"

#include "../../src/core/ninep/names.h"

#include <errno.h>

static int64_t hold(struct ninep_names *t, uint64_t parent, int i)
{
    char text[16];
    snprintf(text, sizeof text, "f%d", i);
    return ninep_names_hold(t, parent, text);
}

TEST(ninep_names_are_one_a_name)
{
    struct ninep_names t = {.name = NULL};
    int64_t a = ninep_names_hold(&t, 0, "a"), b = ninep_names_hold(&t, 0, "b");
    int64_t below = ninep_names_hold(&t, (uint64_t)a, "b");
    CHECK(a > 0 && b > 0 && below > 0 && a != b && b != below);
    CHECK_INT(ninep_names_hold(&t, 0, "a"), a);
    CHECK_INT(ninep_names_at(&t, (uint64_t)a)->refs, 3); /* two callers and the name below it */
    CHECK_INT(ninep_names_at(&t, (uint64_t)below)->parent, a);
    CHECK_STR(ninep_names_at(&t, (uint64_t)below)->text, "b");
    CHECK_INT(t.used, 3);
    ninep_names_release(&t);
    CHECK_INT(t.used, 0);
}

TEST(ninep_names_of_what_there_is_not)
{
    struct ninep_names t = {.name = NULL};
    CHECK(!ninep_names_at(&t, 0));
    CHECK(!ninep_names_at(&t, 1));
    CHECK(!ninep_names_at(&t, UINT64_MAX));
    CHECK_INT(ninep_names_hold(&t, 1, "a"), -ENOENT);
    CHECK_INT(ninep_names_hold(&t, UINT64_MAX, "a"), -ENOENT);
    ninep_names_drop(&t, 0);
    ninep_names_drop(&t, 7);
    int64_t a = ninep_names_hold(&t, 0, "a");
    ninep_names_drop(&t, (uint64_t)a);
    ninep_names_drop(&t, (uint64_t)a); /* more often than it was given out */
    ninep_names_ref(&t, (uint64_t)a);
    CHECK_INT(t.used, 0);
    CHECK_INT(ninep_names_hold(&t, (uint64_t)a, "b"), -ENOENT);
    CHECK_INT(ninep_names_hold(&t, 0, "b"), a); /* the number is given out again */
    ninep_names_release(&t);
}

TEST(ninep_names_go_with_the_last_below_them)
{
    struct ninep_names t = {.name = NULL};
    uint64_t at = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t next = (uint64_t)hold(&t, at, i);
        ninep_names_drop(&t, at);
        at = next;
    }
    CHECK_INT(t.used, 1000);
    ninep_names_drop(&t, at);
    CHECK_INT(t.used, 0);
    ninep_names_release(&t);
}

/* Many come and go, in an order of their own: what is there is found, and memory goes with it. */
TEST(ninep_names_grow_and_shrink)
{
    enum { MANY = 50000, STEP = 7919, LEFT = 10 };
    struct ninep_names t = {.name = NULL};
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
            ninep_names_drop(&t, (uint64_t)path[at]);
            if (at >= LEFT)
                ninep_names_drop(&t, (uint64_t)path[at]);
        }
        CHECK_INT(t.used, LEFT);
        CHECK(t.cap + t.slots < most / 100);
        for (int i = 0; i < LEFT; i++) {
            CHECK_INT(hold(&t, 0, i), path[i]);
            ninep_names_drop(&t, (uint64_t)path[i]);
            ninep_names_drop(&t, (uint64_t)path[i]);
        }
        CHECK_INT(t.used, 0);
    }
    ninep_names_release(&t);
}
