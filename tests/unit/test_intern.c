#include "core/base/budget.h"
#include "core/containers/intern.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>

struct keyed {
    uint64_t key;
    uint64_t amount;
};

TEST(intern_finds_records_by_their_key_alone)
{
    struct intern t = {.each = sizeof(struct keyed), .key = sizeof(uint64_t)};
    CHECK_INT(intern_find(&t, &(struct keyed){7, 0}), INTERN_NONE);
    CHECK_INT(intern(&t, &(struct keyed){7, 1}), 0);
    CHECK_INT(intern(&t, &(struct keyed){8, 2}), 1);
    CHECK_INT(intern(&t, &(struct keyed){7, 3}), 0);
    CHECK_INT(intern_find(&t, &(struct keyed){8, 0}), 1);
    CHECK_INT(t.count, 2);
    CHECK_INT(((struct keyed *)t.record)[0].amount, 1);
    intern_release(&t);
    CHECK_INT(intern(&t, &(struct keyed){9, 0}), 0); /* still a set of records */
    CHECK_INT(intern(&t, &(struct keyed){10, 0}), 1);
    intern_release(&t);
}

TEST(intern_settles_and_goes_on)
{
    struct intern t = INTERN_OF(uint64_t);
    for (uint64_t i = 0; i < 1000; i++)
        CHECK_INT(intern(&t, &i), i);
    intern_settle(&t);
    CHECK_INT(t.cap, 1000);
    CHECK_INT(t.slots, 0);
    CHECK_INT(intern_find(&t, &(uint64_t){7}), INTERN_NONE);
    CHECK_INT(intern(&t, &(uint64_t){2000}), 1000);
    CHECK_INT(intern(&t, &(uint64_t){7}), 7);
    CHECK_INT(intern_find(&t, &(uint64_t){999}), 999);
    intern_release(&t);
}

struct pair {
    uint32_t of, by;
};

static uint32_t pair_in(struct intern *t, uint32_t of, uint32_t by)
{
    return intern(t, &(struct pair){of, by});
}

/* Each key of a square: many differ in the lowest bits alone, others not at all there. */
static void check_square(unsigned step)
{
    enum { SIDE = 300 };
    struct intern t = {.each = sizeof(struct pair), .key = sizeof(struct pair), .step = step};
    unsigned wrong = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        wrong += pair_in(&t, i % SIDE << step, i / SIDE) != i;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        wrong += pair_in(&t, i % SIDE << step, i / SIDE) != i;
    CHECK_INT(wrong, 0);
    CHECK_INT(t.count, SIDE * SIDE);
    CHECK_INT(intern_find(&t, &(struct pair){SIDE << step, 0}), INTERN_NONE);
    intern_release(&t);
}

TEST(intern_numbers_records_of_two_indices)
{
    check_square(0);
    check_square(4);
}

/* Of which record is the slot. */
static uint32_t record_of(const struct intern *t, size_t slot)
{
    return (t->slot[slot] & (uint32_t)(t->slots - 1)) - 1;
}

/* How many records are within 64 slots, 256 bytes, of the one before. */
static unsigned count_near(const struct intern *t)
{
    enum { NEAR = 64 };
    unsigned near = 0;
    for (size_t at = 0; at + NEAR < t->slots; at++)
        for (size_t i = 1; t->slot[at] && i < NEAR; i++)
            near += t->slot[at + i] && (record_of(t, at + i) == record_of(t, at) + 1 ||
                                        record_of(t, at) == record_of(t, at + i) + 1);
    return near;
}

static void check_near(unsigned step, uint64_t distance)
{
    enum { RECORDS = 20000 };
    struct intern t = {.each = sizeof(uint64_t), .key = sizeof(uint64_t), .step = step};
    for (uint64_t i = 0; i < RECORDS; i++)
        intern(&t, &(uint64_t){0x401000 + i * distance});
    unsigned near = count_near(&t);
    CHECK(near > RECORDS / 4 * 3);
    intern_release(&t);
}

TEST(intern_keeps_records_of_an_order_near_each_other)
{
    check_near(0, 1);
    check_near(4, 16);
    check_near(4, 40);
}

TEST(intern_numbers_equal_strings_once)
{
    struct intern t = {0};
    char copy_of_one[] = "one";
    CHECK_INT(intern_string(&t, ""), 0);
    CHECK_INT(intern_string(&t, "one"), 1);
    CHECK_INT(intern_string(&t, "two"), 2);
    CHECK_INT(intern_string(&t, copy_of_one), 1);
    CHECK_INT(t.count, 3);
    CHECK_STR(intern_string_at(&t, 2), "two");
    CHECK(intern_copy(&t, copy_of_one) == intern_string_at(&t, 1));
    CHECK(intern_copy(&t, copy_of_one) != copy_of_one);
    intern_release(&t);
}

TEST(intern_keeps_copies_that_are_no_elements)
{
    struct intern t = {0};
    char text[] = "one";
    const char *first = intern_append_copy(&t, text), *second = intern_append_copy(&t, text);
    CHECK(first && second && first != second);
    text[0] = 'O';
    CHECK_STR(first, "one");
    CHECK_STR(second, "one");
    CHECK_INT(t.count, 0);
    CHECK_INT(intern_string(&t, "one"), 0);
    intern_release(&t);
}

static const char *add_numbered(struct intern *t, unsigned i)
{
    char text[200];
    snprintf(text, sizeof text, "%0*u", 1 + (int)(i % 190), i);
    return intern_copy(t, text);
}

TEST(intern_strings_stay_in_place_while_the_set_grows)
{
    enum { STRINGS = 20000 };
    struct intern t = {0};
    static const char *first[STRINGS];
    for (unsigned i = 0; i < STRINGS; i++)
        first[i] = add_numbered(&t, i);
    CHECK_INT(t.count, STRINGS);
    unsigned moved = 0;
    for (unsigned i = 0; i < STRINGS; i++)
        moved += add_numbered(&t, i) != first[i] || intern_string_at(&t, i) != first[i];
    CHECK_INT(moved, 0);
    intern_release(&t);
}

TEST(intern_keeps_a_string_longer_than_a_block)
{
    struct intern t = {0};
    static char longer[20000];
    memset(longer, 'x', sizeof longer - 1);
    CHECK_INT(intern_string(&t, "short"), 0);
    CHECK_INT(intern_string(&t, longer), 1);
    CHECK_INT(intern_string(&t, "after"), 2);
    CHECK_STR(intern_string_at(&t, 1), longer);
    CHECK_STR(intern_string_at(&t, 0), "short");
    intern_release(&t);
}

TEST(intern_takes_no_more_than_its_budget_and_gives_all_back)
{
    struct budget b;
    budget_init(&b, 100000);
    struct intern t = {.budget = &b};
    unsigned added = 0;
    while (added < 100000 && add_numbered(&t, added))
        added++;
    CHECK(added > 100 && added < 1000); /* of about 100 bytes each */
    CHECK_INT(t.err, -ENOMEM);
    CHECK_INT(t.count, added);
    CHECK(add_numbered(&t, 0) == intern_string_at(&t, 0));
    intern_release(&t);
    CHECK_INT(b.left, b.limit);
    CHECK_INT(t.err, 0);
}
