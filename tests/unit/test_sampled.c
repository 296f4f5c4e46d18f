/* Whose samples of pid 0 are: the idle task has no user mode, and in a PID namespace perf gives 0
 * for all processes outside. */
#include "unit.h"

#include "core/sample/sampled.h"

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
