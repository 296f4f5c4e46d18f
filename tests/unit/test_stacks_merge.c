#include "unit.h"

#include "../lib/stacktext.h"

#include "core/base/buf.h"
#include "core/stacks/flat.h"
#include "core/stacks/merge.h"
#include "core/stacks/parts.h"

#include <errno.h>

/* One sample in a function of a module. */
static void make_one(struct stacks *s, const char *path, const char *build_id, const char *function,
                     uint64_t address, uint64_t amount)
{
    static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};
    stacks_init(s, values, 2);
    uint32_t module = stacks_module(s, path, build_id);
    uint32_t f = stacks_function(s, &(struct stacks_function){.name = function, .module = module});
    uint32_t frame = stacks_frame(s, &(struct stacks_frame){.function = f, .address = address});
    stacks_add(s, STACKS_NONE, stacks_node(s, STACKS_NONE, frame), 0,
               (uint64_t[]){1, amount * 1000000});
}

static void add_one(struct stacks_merge *m, const char *path, const char *build_id,
                    const char *function, uint64_t address, uint64_t amount, const char *machine)
{
    struct stacks s;
    make_one(&s, path, build_id, function, address, amount);
    CHECK_INT(stacks_merge_add(m, &s, machine), 0);
    stacks_release(&s);
}

static void add_text(struct stacks_merge *m, const char *text, const char *machine)
{
    struct stacks s;
    stacktext_make(&s, text);
    CHECK_INT(stacks_merge_add(m, &s, machine), 0);
    stacks_release(&s);
}

/* The rows of a flat profile as `NAME [MODULE] SELF/CUMULATIVE', in ms. */
static void check_rows(const struct stacks *s, const char *rows)
{
    struct stacks_flat f;
    struct buf out = BUF_INIT;
    CHECK_INT(stacks_flat_make(s, false, &f), 0);
    for (size_t i = 0; i < f.rows; i++)
        buf_printf(&out, "%s [%s] %d/%d\n", f.row[i].name, f.row[i].module,
                   (int)(f.row[i].self / 1000000), (int)(f.row[i].cumulative / 1000000));
    CHECK_STR(buf_str(&out), rows);
    buf_release(&out);
    stacks_flat_release(&f);
}

TEST(merged_stacks_are_the_sum)
{
    struct stacks_merge m;
    stacks_merge_init(&m, STACKS_GROUP_NONE, 100);
    add_text(&m, "main;a 3\nmain;b 2\n", "one");
    add_text(&m, "main;b 5\nmain;b;c 1\n", "two");
    CHECK_INT(stacks_merge_finish(&m), 0);
    CHECK_INT(m.added, 2);
    CHECK_INT(m.stacks.nodes, 4);
    CHECK_INT(m.stacks.threads, 0);
    CHECK_INT(stacks_total(&m.stacks, 0), 11);
    check_rows(&m.stacks, "b [prog] 7/8\na [prog] 3/3\nc [prog] 1/1\nmain [prog] 0/11\n");
    stacks_merge_release(&m);
}

TEST(merged_places_are_those_of_a_function)
{
    struct stacks_merge m;
    stacks_merge_init(&m, STACKS_GROUP_NONE, 100);
    add_one(&m, "[kernel]", "", "handle_irq", 0xffffffff81000010, 1, "one");
    add_one(&m, "[kernel]", "", "handle_irq", 0xffffffff92000010, 2, "two");
    CHECK_INT(stacks_merge_finish(&m), 0);
    CHECK_INT(m.stacks.nodes, 1);
    check_rows(&m.stacks, "handle_irq [[kernel]] 3/3\n");
    stacks_merge_release(&m);
}

TEST(one_build_at_two_paths_is_one_module)
{
    struct stacks_merge m;
    stacks_merge_init(&m, STACKS_GROUP_NONE, 100);
    add_one(&m, "/usr/bin/prog", "0123456789abcdef", "work", 16, 1, "one");
    add_one(&m, "/opt/other", "0123456789abcdef", "work", 16, 2, "two");
    CHECK_INT(stacks_merge_finish(&m), 0);
    CHECK_INT(m.stacks.modules, 1);
    check_rows(&m.stacks, "work [prog] 3/3\n");
    stacks_merge_release(&m);
}

TEST(two_builds_at_one_path_are_two_modules)
{
    struct stacks_merge m;
    stacks_merge_init(&m, STACKS_GROUP_NONE, 100);
    add_one(&m, "/usr/bin/prog", "0123456789abcdef", "work", 16, 1, "one");
    add_one(&m, "/usr/bin/prog", "fedcba9876543210", "work", 16, 2, "one");
    add_one(&m, "/usr/bin/prog", "", "work", 16, 4, "two");
    CHECK_INT(stacks_merge_finish(&m), 0);
    CHECK_INT(m.stacks.modules, 3);
    check_rows(&m.stacks, "work [prog] 4/4\nwork [prog fedcba98] 2/2\nwork [prog 01234567] 1/1\n");
    stacks_merge_release(&m);
}

static void check_part(const struct stacks_parts *p, size_t i, const char *name, const char *rows)
{
    CHECK_STR(p->part[i].name, name);
    check_rows(&p->part[i].stacks, rows);
}

TEST(merged_stacks_are_grouped_by_machine)
{
    struct stacks_merge m;
    struct stacks_parts p;
    stacks_merge_init(&m, STACKS_GROUP_MACHINE, 100);
    add_text(&m, "main;a 3\n", "one");
    add_text(&m, "main;b 5\nmain;a 1\n", "two");
    add_text(&m, "main 1\n", "one");
    CHECK_INT(stacks_merge_finish(&m), 0);
    CHECK_INT(stacks_parts_make(&m.stacks, &p), 0);
    CHECK_INT(p.count, 2);
    check_part(&p, 0, "two", "b [prog] 5/5\na [prog] 1/1\nmain [prog] 0/6\n");
    check_part(&p, 1, "one", "a [prog] 3/3\nmain [prog] 1/4\n");
    stacks_parts_release(&p);
    stacks_merge_release(&m);
}

TEST(merged_stacks_are_grouped_by_the_build_of_the_innermost_function)
{
    struct stacks_merge m;
    struct stacks_parts p;
    stacks_merge_init(&m, STACKS_GROUP_BUILD, 100);
    add_text(&m, "main;a@lib 3\nmain 1\nmain;a@lib;wait@[wait] 2\n", "one");
    add_one(&m, "/lib/x", "0123", "work", 16, 4, "two");
    CHECK_INT(stacks_merge_finish(&m), 0);
    CHECK_INT(stacks_parts_make(&m.stacks, &p), 0);
    CHECK_INT(p.count, 3);
    CHECK_INT(p.part[0].weight, 5000000);
    CHECK(strstr(p.part[0].name, "lib") != NULL);
    CHECK_STR(p.part[1].name, "0123 /lib/x");
    stacks_parts_release(&p);
    stacks_merge_release(&m);
}

TEST(a_full_merge_counts_new_chains_without_their_callers)
{
    struct stacks_merge m;
    stacks_merge_init(&m, STACKS_GROUP_NONE, 4);
    add_text(&m, "main;a;b;c 1\n", "one");
    add_text(&m, "main;a;b;c 1\nmain;d 2\nmain;e 4\n", "two");
    CHECK_INT(stacks_merge_finish(&m), 0);
    CHECK_INT(m.stacks.nodes, 5);
    CHECK_INT(m.shortened, 6);
    CHECK_INT(stacks_total(&m.stacks, 0), 8);
    check_rows(&m.stacks, "(unknown) [] 4/4\nc [prog] 2/2\nd [prog] 2/2\na [prog] 0/2\n"
                          "b [prog] 0/2\nmain [prog] 0/2\n");
    stacks_merge_release(&m);
}

TEST(stacks_of_different_values_are_not_merged)
{
    struct stacks_merge m;
    struct stacks s;
    stacks_merge_init(&m, STACKS_GROUP_NONE, 100);
    add_text(&m, "main;a 3\n", "one");
    stacktext_make(&s, "!bytes\nmain;a 1\n");
    CHECK_INT(stacks_merge_add(&m, &s, "two"), -EINVAL);
    stacks_release(&s);
    CHECK_INT(m.added, 1);
    CHECK_INT(stacks_total(&m.stacks, 0), 3);
    stacks_merge_release(&m);
}

static const char *group_of_process(const void *arg, uint32_t pid)
{
    (void)arg;
    return pid == 7 ? "/a" : pid == 8 ? "/b" : NULL;
}

TEST(merged_processes_have_their_cgroups)
{
    static const uint32_t pids[] = {7, 8, 9, 7};
    struct stacks_merge m;
    struct stacks s;
    stacks_merge_init(&m, STACKS_GROUP_CGROUP, 100);
    m.cgroup_of = group_of_process;
    make_one(&s, "/bin/prog", "", "work", 0, 1);
    for (uint32_t i = 0; i < 4; i++)
        stacks_add(&s, stacks_thread(&s, pids[i], i, "prog"), 0, 0, (uint64_t[]){1, 0});
    CHECK_INT(stacks_merge_add(&m, &s, "one"), 0);
    CHECK_INT(m.stacks.threads, 3);
    CHECK_STR(m.stacks.thread[0].name, STACKS_NO_CGROUP);
    CHECK_STR(m.stacks.thread[1].name, "/a");
    CHECK_STR(m.stacks.thread[2].name, "/b");
    for (size_t i = 0; i < m.stacks.samples; i++)
        if (m.stacks.sample[i].thread == 1)
            CHECK_INT(m.stacks.amount[i * 2], 2);
    stacks_release(&s);
    stacks_merge_release(&m);
}
