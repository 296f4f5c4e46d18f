/* Whose samples of pid 0 are: the idle task has no user mode, and in a PID namespace perf gives 0
 * for all processes outside. */
#include "unit.h"

#include "core/sample/sampled.h"

#include <stdlib.h>

enum { IDLE_CODE = 0x5000, OTHER_CODE = 0x6000 };

static void sample(struct sampled *s, uint32_t pid, uint64_t pc, bool kernel)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = pid,
                                            .tid = pid,
                                            .sample.pc = pc,
                                            .sample.period = 1000,
                                            .mode = kernel ? PERFREC_KERNEL : PERFREC_USER});
}

static void begin(struct sampled *s, bool foreign)
{
    sampled_init(
        s, &(struct sampled_want){.kernel = true, .foreign = foreign, .by = SAMPLED_BY_PROCESS});
    sampled_idle(s, IDLE_CODE, IDLE_CODE + 0x100);
    sample(s, 0, IDLE_CODE, true);
    sample(s, 0, OTHER_CODE, true);
}

TEST(pid_0_is_the_idle_task)
{
    struct sampled s;
    begin(&s, false);
    CHECK_INT(s.count.idle, 1);
    CHECK_INT(s.threads.count, 1);
    CHECK_STR(s.threads.thread[0].name, "(idle task)");
    CHECK_INT(s.threads.thread[0].pid, 0);
    CHECK(sampled_has_pid(&s.threads.thread[0]));
    sampled_release(&s);
}

TEST(in_a_namespace_it_is_all_that_runs_outside)
{
    struct sampled s;
    begin(&s, true);
    sample(&s, 0, 0x1000, false);
    sample(&s, 7, 0x1000, false);
    CHECK_INT(s.count.idle, 1);
    CHECK_INT(s.threads.count, 2);
    CHECK_STR(s.threads.thread[0].name, "(outside this PID namespace)");
    CHECK_INT(s.threads.thread[0].samples, 2);
    CHECK(!sampled_has_pid(&s.threads.thread[0]));
    CHECK_INT(s.threads.thread[1].pid, 7);
    sampled_release(&s);
}

/* As in perf.data of which it is not known where it was recorded. */
TEST(user_mode_is_never_the_idle_task)
{
    struct sampled s;
    begin(&s, false);
    sample(&s, 0, 0x1000, false);
    CHECK_INT(s.threads.count, 2);
    CHECK_STR(s.threads.thread[0].name, "(idle task)");
    CHECK_STR(s.threads.thread[1].name, "(outside this PID namespace)");
    CHECK_INT(s.threads.thread[1].samples, 1);
    sampled_release(&s);
}

static void task(struct sampled *s, enum perfrec_type type, uint32_t pid)
{
    sampled_add_record(
        s, &(struct perfrec){.type = type, .pid = pid, .tid = pid, .ppid = 1, .ptid = 1});
}

/* One process that stays, and PROCESSES that come, are sampled at two places, and go. */
TEST(threads_that_ended_become_one)
{
    enum { PROCESSES = 20000 };
    struct sampled s;
    sampled_init(&s,
                 &(struct sampled_want){.kernel = true, .recent = true, .by = SAMPLED_BY_THREAD});
    sample(&s, 1, 0x1000, true);
    mapped_kernel(&s.mapped, 0, 0x10000, "kernel");
    for (uint32_t pid = 2; pid < 2 + PROCESSES; pid++) {
        uint32_t *moved;
        task(&s, PERFREC_FORK, pid);
        sample(&s, pid, 0x2000, true);
        sample(&s, pid, 0x3000, true);
        CHECK_INT(s.recent.count, 2 + (pid == 2));
        task(&s, PERFREC_EXIT, pid);
        sampled_fold_ended(&s, &moved);
        if (moved) {
            CHECK_INT(s.threads.count, 2);
            CHECK_INT(s.cells.count, 3);
            CHECK_INT(sampled_cell_at(&s, s.recent.cell[0])->set, 0);
        }
        free(moved);
        sampled_recent_clear(&s);
    }
    CHECK(s.threads.count <= SAMPLED_MAX_ENDED + 2);
    CHECK(s.cells.count <= 2 * SAMPLED_MAX_ENDED + 3);
    CHECK_INT(s.count.samples, 1 + 2 * PROCESSES);
    uint64_t weight = 0;
    for (size_t i = 0; i < s.cells.count; i++)
        weight += sampled_cell_at(&s, i)->weight;
    CHECK_INT(weight, s.count.weight);
    CHECK_STR(s.threads.thread[0].name, "(ended)");
    CHECK(!sampled_has_pid(&s.threads.thread[0]));
    sampled_release(&s);
}

static size_t threads_that_ended(const struct sampled *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->threads.count; i++)
        n += s->threads.thread[i].ended;
    return n;
}

/* Two tasks outside the PID namespace have one number: it ends twice. */
TEST(a_thread_that_ends_twice_is_counted_once)
{
    struct sampled s;
    sampled_init(&s, &(struct sampled_want){.kernel = true, .by = SAMPLED_BY_THREAD});
    task(&s, PERFREC_FORK, 2);
    task(&s, PERFREC_FORK, 3);
    for (uint32_t pid = 10; pid < 20; pid++) {
        task(&s, PERFREC_EXIT, 2);
        task(&s, PERFREC_EXIT, 3);
        task(&s, PERFREC_FORK, pid);
        CHECK_INT(s.threads.ended, threads_that_ended(&s));
    }
    sampled_release(&s);
}

/* The kernel tells that one process forks, and nothing of what it made: no exit either. */
TEST(a_process_that_is_not_followed_takes_no_memory)
{
    struct sampled s;
    sampled_init(&s, &(struct sampled_want){.pid = 1, .by = SAMPLED_BY_THREAD});
    mapped_add(&s.mapped, 1, &(struct space_map){.start = 0x1000, .end = 0x2000}, "/bin/true",
               &(struct module_identity){0});
    for (uint32_t pid = 10; pid < 1000; pid++)
        task(&s, PERFREC_FORK, pid);
    CHECK_INT(s.count.forks, 990);
    CHECK_INT(s.threads.count, 0);
    CHECK_INT(s.mapped.spaces.count, 1);
    sampled_add_record(
        &s, &(struct perfrec){.type = PERFREC_FORK, .pid = 1, .tid = 2, .ppid = 1, .ptid = 1});
    CHECK_INT(s.threads.count, 1);
    sampled_release(&s);
}

TEST(processes_that_are_followed_are_known)
{
    struct sampled s;
    sampled_init(&s, &(struct sampled_want){.pid = 1, .children = true, .by = SAMPLED_BY_THREAD});
    task(&s, PERFREC_FORK, 10);
    CHECK_INT(s.threads.count, 1);
    CHECK_INT(s.mapped.spaces.count, 1);
    sampled_release(&s);
}

static uint64_t page_start(void *arg, struct module *m, uint64_t offset, uint64_t *end)
{
    (void)arg, (void)m, (void)end;
    return offset & ~(uint64_t)0xfff;
}

TEST(places_are_counted_where_the_caller_says)
{
    struct sampled s;
    sampled_init(&s, &(struct sampled_want){.kernel = true});
    s.hooks.place = page_start;
    mapped_kernel(&s.mapped, 0x1000, 0x10000, "[kernel]");
    for (uint64_t pc = 0x1000; pc < 0x3000; pc++)
        sample(&s, 2, pc, true);
    CHECK_INT(s.nodes.count, 1 + 2); /* the first is for places outside */
    CHECK_INT(s.cells.count, 2);
    CHECK_INT(s.count.samples, 0x2000);
    CHECK_INT(sampled_node_at(&s, 2)->offset, 0x2000);
    sampled_release(&s);
}

static void chain(struct sampled *s, uint64_t innermost, uint64_t caller)
{
    uint64_t pc[] = {PERFREC_CHAIN_KERNEL, innermost, caller};
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = 2,
                                            .tid = 2,
                                            .sample.pc = innermost,
                                            .sample.period = 1000,
                                            .sample.chain = (const uint8_t *)pc,
                                            .sample.chain_len = 3,
                                            .mode = PERFREC_KERNEL});
}

static const struct sampled_node *node_of_cell(const struct sampled *s, size_t i)
{
    return sampled_node_at(s, sampled_cell_at(s, i)->node);
}

/* The module of callers alone has a node, too, without samples. */
TEST(chains_are_counted_at_their_innermost_place)
{
    struct sampled s;
    sampled_init(&s, &(struct sampled_want){.kernel = true, .innermost = true});
    mapped_kernel(&s.mapped, 0x1000, 0x10000, "[kernel]");
    mapped_kernel(&s.mapped, 0x10000, 0x20000, "[module]");
    chain(&s, 0x1100, 0x10100);
    chain(&s, 0x1100, 0x10200);
    chain(&s, 0x1100, 0x1800);
    CHECK_INT(s.count.samples, 3);
    CHECK_INT(s.cells.count, 1);
    CHECK_INT(sampled_cell_at(&s, 0)->samples, 3);
    CHECK_INT(node_of_cell(&s, 0)->parent, INTERN_NONE);
    CHECK_INT(node_of_cell(&s, 0)->offset, 0x1100);
    bool hit[2] = {false, false};
    for (uint32_t i = 0; i < s.nodes.count; i++)
        if (sampled_node_at(&s, i)->module < 2)
            hit[sampled_node_at(&s, i)->module] = true;
    CHECK(hit[0] && hit[1]);
    sampled_release(&s);
}

/* A recording numbers threads. */
static void counted(void *arg, const struct sampled *s, const struct sampled_one *one)
{
    (void)arg, (void)s, (void)one;
}

TEST(threads_of_a_recording_stay)
{
    struct sampled s;
    sampled_init(&s, &(struct sampled_want){.kernel = true, .by = SAMPLED_BY_THREAD});
    s.hooks.counted = counted;
    for (uint32_t pid = 2; pid < 2 * SAMPLED_MAX_ENDED; pid++) {
        uint32_t *moved;
        sample(&s, pid, 0x2000, true);
        task(&s, PERFREC_EXIT, pid);
        sampled_fold_ended(&s, &moved);
        CHECK(!moved);
    }
    sampled_release(&s);
}
