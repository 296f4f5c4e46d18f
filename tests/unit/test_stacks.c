#include "unit.h"

#include "core/stacks/stacks.h"

static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};

static uint32_t frame(struct stacks *s, const char *name, uint32_t line)
{
    uint32_t module = stacks_module(s, "/bin/prog", "abcd");
    struct stacks_frame f = {
        .function = stacks_function(s, &(struct stacks_function){.name = name, .module = module}),
        .line = line,
        .address = 0x1000 + line};
    return stacks_frame(s, &f);
}

static uint32_t chain(struct stacks *s, const char *const *names, uint32_t line)
{
    uint32_t node = STACKS_NONE;
    for (; *names; names++)
        node = stacks_node(s, node, frame(s, *names, line));
    return node;
}

static void add(struct stacks *s, const char *const *names, uint32_t line, uint64_t n)
{
    stacks_add(s, stacks_thread(s, 1, 2, "main"), chain(s, names, line), 0,
               (uint64_t[]){n, n * 1000});
}

TEST(stacks_of_equal_frames_are_one_node)
{
    struct stacks s;
    stacks_init(&s, values, 2);
    add(&s, (const char *const[]){"main", "work", NULL}, 1, 3);
    add(&s, (const char *const[]){"main", "work", NULL}, 1, 4);
    add(&s, (const char *const[]){"main", NULL}, 1, 1);
    CHECK_INT(s.modules, 1);
    CHECK_INT(s.functions, 2);
    CHECK_INT(s.nodes, 2);
    CHECK_INT(s.threads, 1);
    CHECK_INT(s.samples, 2);
    CHECK_INT(stacks_total(&s, 0), 8);
    CHECK_INT(stacks_total(&s, 1), 8000);
    CHECK_STR(s.module[0].name, "prog");
    CHECK_STR(s.function[1].raw, "work");
    struct stacks_sums sums;
    CHECK_INT(stacks_sum(&s, 0, &sums), 0);
    CHECK_INT(sums.self[0], 1);
    CHECK_INT(sums.total[0], 8);
    CHECK_INT(sums.self[1], 7);
    stacks_sums_release(&sums);
    stacks_release(&s);
}

TEST(stacks_by_function_merge_addresses_and_threads)
{
    struct stacks s, f;
    stacks_init(&s, values, 2);
    add(&s, (const char *const[]){"main", "work", NULL}, 1, 3);
    add(&s, (const char *const[]){"main", "work", NULL}, 2, 4);
    CHECK_INT(s.nodes, 4);
    CHECK_INT(stacks_by_function(&s, true, &f), 0);
    CHECK_INT(f.nodes, 2);
    CHECK_INT(f.samples, 1);
    CHECK_INT(f.threads, 0);
    CHECK_INT(stacks_total(&f, 1), 7000);
    CHECK_INT(f.frame[0].line, 0);
    CHECK_STR(stacks_module_name(&f, stacks_function_of(&f, 1)), "prog");
    stacks_release(&f);
    stacks_release(&s);
}

TEST(stacks_keep_the_time_of_each_sample)
{
    struct stacks s;
    stacks_init(&s, values, 2);
    s.timed = true;
    uint32_t node = chain(&s, (const char *const[]){"main", NULL}, 1);
    for (uint64_t i = 0; i < 5; i++)
        stacks_add(&s, STACKS_NONE, node, 10 * i, (uint64_t[]){1, 7});
    CHECK_INT(s.samples, 5);
    CHECK_INT(s.sample[4].time_ns, 40);
    CHECK_INT(stacks_total(&s, 1), 35);
    stacks_release(&s);
}

TEST(stacks_of_ten_thousand_frames)
{
    struct stacks s;
    stacks_init(&s, values, 1);
    uint32_t deep = STACKS_NONE;
    for (uint32_t i = 1; i <= 10000; i++)
        deep = stacks_node(&s, deep, frame(&s, i % 2 ? "ping" : "pong", i % 97));
    stacks_add(&s, STACKS_NONE, deep, 0, (uint64_t[]){1});
    CHECK_INT(s.nodes, 10000);
    CHECK_INT(s.functions, 2);
    struct stacks_sums sums;
    CHECK_INT(stacks_sum(&s, 0, &sums), 0);
    CHECK_INT(sums.total[0], 1);
    stacks_sums_release(&sums);
    CHECK_INT(stacks_error(&s), 0);
    stacks_release(&s);
}
