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
    size_t before = intern_bytes(&t);
    intern_settle(&t);
    CHECK_INT(intern_bytes(&t), 1000 * sizeof(uint64_t));
    CHECK(intern_bytes(&t) < before);
    CHECK_INT(intern_find(&t, &(uint64_t){7}), INTERN_NONE);
    CHECK_INT(intern(&t, &(uint64_t){2000}), 1000);
    CHECK_INT(intern(&t, &(uint64_t){7}), 7);
    CHECK_INT(intern_find(&t, &(uint64_t){999}), 999);
    intern_release(&t);
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
    CHECK_INT(intern_bytes(&t), b.limit - b.left);
    CHECK(add_numbered(&t, 0) == intern_string_at(&t, 0));
    intern_release(&t);
    CHECK_INT(b.left, b.limit);
    CHECK_INT(t.err, 0);
}
