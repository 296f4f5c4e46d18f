/* The control groups in a recording: read of living processes, inherited by those that have ended.
 */
#include "recorded.h"
#include "unit.h"

#include "core/sample/recording.h"

#include <string.h>

static const char *group_of[10]; /* of a process; NULL: it has ended */

static bool cgroup_of(void *arg, uint32_t pid, struct buf *path)
{
    (void)arg;
    if (pid < 10 && group_of[pid])
        buf_adds(path, group_of[pid]);
    return pid < 10 && group_of[pid];
}

static void start(struct sampled *s)
{
    memset(group_of, 0, sizeof group_of);
    sampled_init(s, &(struct sampled_want){.hz = 1000});
    s->hooks.counted = counted;
    recording_start(&writer, 1000000);
    writer.cgroup_of = cgroup_of;
}

/* group: as the record itself has it, 0 if it has none */
static void sample_in(struct sampled *s, uint32_t pid, uint32_t tid, uint64_t group)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = pid,
                                            .tid = tid,
                                            .sample.pc = 0x1000,
                                            .sample.period = 1000000,
                                            .cgroup = group,
                                            .mode = PERFREC_USER});
}

static void sample(struct sampled *s, uint32_t pid, uint32_t tid)
{
    sample_in(s, pid, tid, 0);
}

static void fork_of(struct sampled *s, uint32_t ppid, uint32_t pid, uint32_t tid)
{
    sampled_add_record(
        s, &(struct perfrec){
               .type = PERFREC_FORK, .pid = pid, .tid = tid, .ppid = ppid, .ptid = ppid});
}

/* The groups of processes 1 to 9 that have one, as `PID PATH', once the recording is read. */
static void check_groups(struct sampled *s, const char *expected)
{
    struct buf out = BUF_INIT, text = BUF_INIT;
    struct sampled again;
    struct recording r;
    struct fail f;
    recording_end(&writer, s);
    buf_add(&out, writer.out.data, writer.out.len);
    recording_release(&writer);
    sampled_release(s);
    sampled_init(&again, &(struct sampled_want){0});
    CHECK_INT(recording_read((const uint8_t *)out.data, out.len, &again, &r, &f), 0);
    for (uint32_t pid = 1; pid < 10; pid++)
        if (recording_cgroup(&r, pid))
            buf_printf(&text, "%u %s\n", pid, recording_cgroup(&r, pid));
    CHECK_STR(buf_str(&text), expected);
    recording_close(&r);
    sampled_release(&again);
    buf_release(&out);
    buf_release(&text);
}

TEST(a_sampled_process_has_its_group)
{
    struct sampled s;
    start(&s);
    group_of[1] = "/a";
    group_of[2] = "/b/c";
    group_of[3] = "/not/sampled";
    sample(&s, 1, 1);
    sample(&s, 2, 2);
    sample(&s, 2, 9);
    check_groups(&s, "1 /a\n2 /b/c\n");
}

TEST(an_exec_may_be_in_another_group)
{
    struct sampled s;
    start(&s);
    group_of[1] = "/of/the/shell";
    sample(&s, 1, 1);
    group_of[1] = "/of/the/program";
    sample(&s, 1, 1);
    sampled_name(&s, 1, 1, "program");
    sample(&s, 1, 1);
    check_groups(&s, "1 /of/the/program\n");
}

TEST(a_process_may_move_to_another_group)
{
    struct sampled s;
    start(&s);
    sampled_add_record(&s, &(struct perfrec){.type = PERFREC_CGROUP, .cgroup = 70, .name = "/a"});
    sampled_add_record(&s, &(struct perfrec){.type = PERFREC_CGROUP, .cgroup = 80, .name = "/b"});
    sample_in(&s, 1, 1, 70);
    sample_in(&s, 1, 1, 80);
    check_groups(&s, "1 /b\n");
}

TEST(what_has_ended_was_in_the_group_of_its_ancestors)
{
    struct sampled s;
    start(&s);
    group_of[1] = "/a";
    fork_of(&s, 1, 2, 2);
    fork_of(&s, 2, 3, 3);
    fork_of(&s, 3, 3, 4); /* a thread */
    sample(&s, 3, 4);
    fork_of(&s, 5, 6, 6);
    sample(&s, 6, 6);
    check_groups(&s, "3 /a\n");
}

TEST(it_keeps_its_group_when_it_has_ended)
{
    struct sampled s;
    start(&s);
    group_of[1] = "/a";
    group_of[2] = "/b";
    fork_of(&s, 1, 2, 2);
    sample(&s, 2, 2);
    group_of[2] = NULL;
    sampled_name(&s, 2, 2, "late");
    sample(&s, 2, 2);
    check_groups(&s, "2 /b\n");
}
