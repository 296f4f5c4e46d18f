/* Samples by control group: as records have them, and of processes that are asked. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/sample/kept.h"
#include "core/sample/to_stacks.h"
#include "core/stacks/merge.h"
#include "core/symbol/demangle.h"

#include <string.h>

static void group(struct sampled *s, uint64_t id, const char *path)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_CGROUP, .cgroup = id, .name = path});
}

static void sample(struct sampled *s, uint32_t pid, uint64_t cgroup)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = pid,
                                            .tid = pid,
                                            .sample.pc = 0x1000,
                                            .sample.period = 1000000,
                                            .cgroup = cgroup,
                                            .mode = PERFREC_USER});
}

static void no_frames(void *arg, struct module *m, uint64_t vaddr, struct frames *out)
{
    (void)arg, (void)m, (void)vaddr, (void)out;
}

/* The samples of a group. */
static uint64_t samples_of(const struct stacks *s, const char *group)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->samples; i++)
        if (strcmp(s->thread[s->sample[i].thread].name, group) == 0)
            sum += s->amount[i * s->values];
    return sum;
}

TEST(samples_are_of_the_groups_that_records_have)
{
    struct sampled s;
    struct stacks stacks;
    struct demangler names = {.off = true};
    struct sampled_naming naming = {.names = &names, .frames_at = no_frames};
    sampled_init(&s, &(struct sampled_want){.by = SAMPLED_BY_CGROUP});
    group(&s, 1, "/");
    group(&s, UINT64_C(1) << 33, "/of/a/path/that/is/longer/than/the/name/of/a/thread");
    sample(&s, 7, 1);
    sample(&s, 7, UINT64_C(1) << 33); /* the process was moved */
    sample(&s, 8, UINT64_C(1) << 33);
    sample(&s, 8, 99);
    group(&s, 1, "/renamed");
    sample(&s, 9, 1);
    CHECK_INT(sampled_stacks(&s, &naming, &stacks), 0);
    CHECK_INT(samples_of(&stacks, "/"), 1);
    CHECK_INT(samples_of(&stacks, "/of/a/path/that/is/longer/than/the/name/of/a/thread"), 2);
    CHECK_INT(samples_of(&stacks, STACKS_NO_CGROUP), 1);
    CHECK_INT(samples_of(&stacks, "/renamed"), 1);
    stacks_release(&stacks);
    sampled_release(&s);
}

/* --- processes that are asked --- */

static const char *group_of[10]; /* of a process; NULL: it has ended */
static struct kept kept;

static bool ask(void *arg, uint32_t pid, struct buf *path)
{
    (void)arg;
    if (pid < 10 && group_of[pid])
        buf_adds(path, group_of[pid]);
    return pid < 10 && group_of[pid];
}

static void counted(void *arg, const struct sampled *s, const struct sampled_one *one)
{
    (void)s;
    sampled_ask_cgroup(arg, one->thread, ask, NULL);
    kept_add(&kept, arg, one);
}

static const char *known_of(const struct sampled *s, uint32_t pid)
{
    size_t at = (size_t)imap_get(&s->threads.of_tid, pid);
    const char *path = at ? sampled_cgroup_path(s, s->threads.thread[at - 1].cgroup) : NULL;
    return path ? path : "none";
}

static void fork_of(struct sampled *s, uint32_t ppid, uint32_t pid)
{
    sampled_add_record(
        s, &(struct perfrec){
               .type = PERFREC_FORK, .pid = pid, .tid = pid, .ppid = ppid, .ptid = ppid});
}

TEST(a_process_is_asked_once_a_name_and_keeps_its_group)
{
    struct sampled s;
    struct forgotten left;
    sampled_init(&s, &(struct sampled_want){0});
    s.hooks.counted = counted;
    s.hooks.arg = &s;
    kept_init(&kept, NS_PER_S, 1000);
    group_of[1] = "/a";
    fork_of(&s, 1, 2);
    fork_of(&s, 2, 3);
    sample(&s, 3, 0); /* has ended, as has its parent */
    CHECK_STR(known_of(&s, 3), "/a");
    group_of[4] = "/b";
    sample(&s, 4, 0);
    group_of[4] = "/c";
    sample(&s, 4, 0);
    CHECK_STR(known_of(&s, 4), "/b");
    sampled_name(&s, 4, 4, "program");
    sample(&s, 4, 0);
    CHECK_STR(known_of(&s, 4), "/c");
    group_of[4] = NULL;
    sampled_name(&s, 4, 4, "late");
    sample(&s, 4, 0);
    CHECK_STR(known_of(&s, 4), "/c");
    sample(&s, 5, 0);
    CHECK_STR(known_of(&s, 5), "none");
    CHECK_INT(s.cgroups.path.count, 3);
    kept_compact(&kept, &s, true, &left);
    CHECK_INT(s.cgroups.path.count, 2); /* nothing is in /b now */
    CHECK_STR(known_of(&s, 3), "/a");
    CHECK_STR(known_of(&s, 4), "/c");
    kept_release(&kept);
    sampled_release(&s);
}
