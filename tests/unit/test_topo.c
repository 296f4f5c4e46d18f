#include "unit.h"

#include "core/base/buf.h"
#include "core/topo/read.h"
#include "core/topo/runs.h"
#include "core/topo/write.h"

static struct topo read_text(const char *text)
{
    struct topo t;
    struct fail f = {0};
    CHECK_INT(topo_read("text", text, strlen(text), &t, &f), 0);
    CHECK_STR(f.what, "");
    return t;
}

static uint32_t index_of(const struct topo *t, const char *name)
{
    for (size_t i = 0; i < t->functions; i++)
        if (strcmp(t->function[i].name, name) == 0)
            return (uint32_t)i;
    return TOPO_NONE;
}

TEST(times_of_calls_and_relations)
{
    struct topo t =
        read_text("f 0 0 1 0 0\ng 0 1 1 1 0\ng 0 1 3\ng 0 2 1 1 0\ng 0 2 9\nf 0 0 20\n");
    const struct topo_function *g = &t.function[index_of(&t, "g")];
    CHECK_INT(t.runs, 1);
    CHECK_INT(g->shortest, 3);
    CHECK_INT(g->longest, 9);
    CHECK_INT(g->total, 12);
    CHECK_INT(t.function[0].local, 8);
    CHECK_INT(t.relations, 1);
    CHECK_INT(t.relation[0].calls, 2);
    CHECK_INT(t.relation[0].total, 12);
    topo_release(&t);
}

TEST(the_first_relation_is_the_nearest_to_the_start)
{
    struct topo t = read_text("FuncStats('s', 9, 1, [0], 1, [], ['z', 'b', 'a'])\n"
                              "FuncStats('z', 8, 1, [1], 1, ['s'], ['x'])\n"
                              "FuncStats('b', 8, 1, [1], 1, ['s'], ['x', 's'])\n"
                              "FuncStats('a', 8, 1, [1, 5], 2, ['s'], ['x', 'a'])\n"
                              "FuncStats('x', 7, 7, [2, 2, 2], 3, ['a', 'b', 'z'], [])\n");
    CHECK_INT(topo_parent(&t, index_of(&t, "s")), TOPO_NONE);
    CHECK_INT(topo_parent(&t, index_of(&t, "a")), index_of(&t, "s"));
    CHECK_INT(topo_parent(&t, index_of(&t, "x")), index_of(&t, "a"));
    topo_release(&t);
}

TEST(functions_are_in_order_of_their_mean_depth)
{
    struct topo t = read_text("FuncStats('s', 9, 1, [0], 1, [], ['b', 'a'])\n"
                              "FuncStats('a', 8, 1, [1, 3], 2, ['s', 'b'], [])\n"
                              "FuncStats('b', 8, 1, [1, 2], 2, ['s'], ['a'])\n");
    CHECK_STR(t.function[1].name, "b");
    CHECK_STR(t.function[2].name, "a");
    CHECK_INT(t.function[2].depth, 1);
    topo_release(&t);
}

TEST(sums_that_do_not_fit_stay_at_the_largest)
{
    struct topo t;
    topo_init(&t);
    uint32_t f = topo_function(&t, "f");
    topo_add_call(&t, &(struct topo_call){f, TOPO_NONE, 0, UINT64_MAX, 5});
    topo_add_call(&t, &(struct topo_call){f, TOPO_NONE, 0, 2, 2});
    CHECK_INT(topo_finish(&t), 0);
    CHECK(t.function[0].total == UINT64_MAX);
    CHECK_INT(t.function[0].local, 7);
    topo_release(&t);
}

TEST(a_time_of_zero_is_short_and_bright)
{
    struct topo t = read_text("f 0 0 1 0 0\nf 0 0 0\n");
    struct topo_look look = topo_look(&t.function[0], topo_longest(&t));
    CHECK_INT(look.diameter, 100);
    CHECK(look.red == 0 && look.alpha == 1);
    topo_release(&t);
}

TEST(a_deep_function_has_a_diameter)
{
    CHECK_INT(topo_look(&(struct topo_function){.depth = TOPO_MAX_DEPTH}, 1).diameter, 1);
}

TEST(a_hundred_thousand_overlapping_runs)
{
    enum { RUNS = 100000 };
    struct topo t;
    struct topo_runs runs;
    topo_init(&t);
    topo_runs_init(&runs, &t);
    for (uint64_t i = 0; i < RUNS; i++)
        topo_runs_enter(&runs, &(struct topo_entry){.run = i * 7919, .name = "f"});
    for (uint64_t i = RUNS; i-- > 1;)
        topo_runs_exit(&runs, i * 7919, "f", 0, i);
    CHECK_INT(topo_runs_end(&runs), 0);
    CHECK_INT(topo_finish(&t), 0);
    CHECK_INT(t.runs, RUNS - 1);
    CHECK_INT(t.dropped[TOPO_UNFINISHED], 1);
    CHECK_INT(t.function[0].calls, RUNS - 1);
    CHECK_INT(t.function[0].ats, 1);
    topo_runs_release(&runs);
    topo_release(&t);
}
