/* A live view while programs come and go, each of a file of its own: what it holds depends on what
 * runs, what it shows adds up. */
#include "unit.h"

#include "core/report/top.h"

#include <inttypes.h>
#include <stdlib.h>

enum { STAYS = 1, FIRST = 2, HEIGHT = 24, SAMPLES = 3, PLACE = 0x1000 };

struct live {
    struct sampled sampled;
    struct demangler names;
    struct top top;
    struct forget forget;
    uint64_t now_ns;
    size_t gone;
};

static void record(struct live *l, enum perfrec_type type, uint32_t pid, uint64_t pc)
{
    sampled_add_record(&l->sampled, &(struct perfrec){.type = type,
                                                      .pid = pid,
                                                      .tid = pid,
                                                      .ppid = STAYS,
                                                      .ptid = STAYS,
                                                      .sample.pc = pc,
                                                      .sample.period = 1000,
                                                      .mode = PERFREC_USER});
}

static void map(struct live *l, uint32_t pid, const char *path, uint64_t inode)
{
    struct space_map at = {.start = PLACE, .end = PLACE + 0x1000};
    mapped_add(&l->sampled.mapped, pid, &at, path, &(struct module_identity){.inode = inode});
}

static bool is_shown(void *arg, uint32_t module)
{
    const struct live *l = arg;
    return top_shows_module(&l->top, module, HEIGHT);
}

static void begin(struct live *l, enum top_by by)
{
    *l = (struct live){.now_ns = NS_PER_S};
    sampled_init(&l->sampled, &(struct sampled_want){.recent = true, .by = SAMPLED_BY_THREAD});
    top_init(&l->top, &l->names);
    l->top.view.by = by;
    l->forget = (struct forget){.is_shown = is_shown, .arg = l};
    map(l, STAYS, "/bin/stays", 1);
}

static void end(struct live *l)
{
    top_release(&l->top);
    demangler_release(&l->names);
    sampled_release(&l->sampled);
}

static void forget(struct live *l)
{
    struct forgotten left;
    if (!sampled_forget(&l->sampled, &l->forget, l->now_ns, 0, &left))
        return;
    top_forgot(&l->top, &left);
    l->gone += left.gone_count;
    for (size_t i = 0; i < left.gone_count; i++)
        CHECK(strcmp(left.gone[i]->path, "/bin/stays") != 0);
    forgotten_release(&left);
}

static void update(struct live *l)
{
    l->now_ns += NS_PER_S;
    if (top_update(&l->top, &l->sampled, l->now_ns))
        sampled_recent_clear(&l->sampled);
    forget(l);
}

static void run_program(struct live *l, uint32_t i)
{
    char path[32];
    uint32_t pid = FIRST + i % 30000;
    snprintf(path, sizeof path, "/tmp/program%" PRIu32, i);
    record(l, PERFREC_FORK, pid, 0);
    spaces_exec(&l->sampled.mapped.spaces, pid);
    map(l, pid, path, 100 + i);
    for (int k = 0; k < SAMPLES; k++)
        record(l, PERFREC_SAMPLE, pid, PLACE + i % 7);
    record(l, PERFREC_EXIT, pid, 0);
}

static void churn(struct live *l, uint32_t from, uint32_t programs, uint32_t each_second)
{
    for (uint32_t i = from; i < from + programs; i++) {
        run_program(l, i);
        if (i % each_second == each_second - 1) {
            record(l, PERFREC_SAMPLE, STAYS, PLACE);
            update(l);
        }
    }
}

static void pass(struct live *l, uint64_t seconds)
{
    for (uint64_t i = 0; i < seconds; i++)
        update(l);
}

static const struct top_row *row_named(const struct top *t, const char *module)
{
    const struct top_row *row = t->table.places.record;
    for (size_t i = 0; i < t->table.places.count; i++)
        if (row[i].module && strcmp(row[i].module, module) == 0)
            return &row[i];
    return NULL;
}

static uint64_t sum_of_rows(const struct top *t)
{
    const struct top_row *row = t->table.places.record;
    uint64_t sum = 0;
    for (size_t i = 0; i < t->table.places.count; i++)
        sum += row[i].key.by == t->view.by ? row[i].total : 0;
    return sum;
}

static uint64_t sum_of_cells(const struct sampled *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cells.count; i++)
        sum += sampled_cell_at(s, i)->weight;
    return sum;
}

TEST(modules_of_programs_that_ended_leave_after_a_while)
{
    enum { PROGRAMS = 400, EACH_SECOND = 20 };
    struct live l;
    begin(&l, TOP_FUNCTION);
    churn(&l, 0, PROGRAMS, EACH_SECOND);
    CHECK_INT(l.sampled.mapped.modules.count, 1 + PROGRAMS);
    pass(&l, (FORGET_AFTER_NS + FORGET_EVERY_NS) / NS_PER_S + 1);
    /* as many rows as the screen has stay */
    CHECK(l.sampled.mapped.modules.count <= 2 + HEIGHT);
    CHECK(l.top.table.places.count <= 2 + HEIGHT);
    CHECK(l.top.table.names.count <= 2 * (2 + HEIGHT));
    CHECK(l.sampled.nodes.count <= 3 + HEIGHT);
    CHECK_INT(l.sampled.mapped.modules.count + l.gone, PROGRAMS + 2);

    const struct top_row *stays = row_named(&l.top, "stays"), *ended = row_named(&l.top, "[ended]");
    CHECK(stays && ended);
    CHECK_INT(stays->total, PROGRAMS / EACH_SECOND * 1000);
    CHECK_STR(ended->name, "(ended)");
    CHECK_INT(ended->total, l.gone * SAMPLES * 1000);
    CHECK_INT(sum_of_rows(&l.top), l.sampled.count.weight);
    CHECK_INT(sum_of_cells(&l.sampled), l.sampled.count.weight);
    end(&l);
}

TEST(many_modules_leave_before_that)
{
    enum { EACH_SECOND = 500, SECONDS = 40 };
    struct live l;
    begin(&l, TOP_MODULE);
    for (uint32_t i = 0; i < SECONDS; i++) {
        churn(&l, i * EACH_SECOND, EACH_SECOND, EACH_SECOND);
        CHECK(l.sampled.mapped.modules.count <= 3 * FORGET_MAX_MODULES);
    }
    CHECK(l.gone >= (SECONDS - 10) * EACH_SECOND / 2);
    CHECK_INT(sum_of_rows(&l.top), l.sampled.count.weight);
    end(&l);
}

TEST(what_is_mapped_or_shown_stays)
{
    struct live l;
    begin(&l, TOP_MODULE);
    map(&l, FIRST + 1, "/bin/sleeps", 7);
    record(&l, PERFREC_SAMPLE, FIRST + 1, PLACE);
    run_program(&l, 9);
    pass(&l, 300);
    CHECK_INT(l.sampled.mapped.modules.count, 3);
    l.top.view.list.first = 2; /* the rows are scrolled out of the screen */
    pass(&l, 300);
    CHECK_INT(l.gone, 1);
    CHECK_STR(l.sampled.mapped.modules.module[1]->path, "/bin/sleeps");
    record(&l, PERFREC_SAMPLE, FIRST + 1, PLACE);
    update(&l);
    CHECK_INT(sum_of_rows(&l.top), l.sampled.count.weight);
    end(&l);
}

/* The rows inside a module that stays are still its own when modules before it have left. */
TEST(the_module_that_is_open_stays)
{
    struct live l;
    begin(&l, TOP_MODULE);
    run_program(&l, 0);
    run_program(&l, 1);
    pass(&l, 1);
    l.top.view.into = true;
    l.top.view.inside = (struct top_key){.id = 2, .by = TOP_MODULE};
    pass(&l, 300);
    CHECK_INT(l.gone, 1);
    const struct module *m = sampled_module(&l.sampled, (uint32_t)l.top.view.inside.id);
    CHECK_STR(m->path, "/tmp/program1");
    CHECK(row_named(&l.top, "program1"));
    end(&l);
}

/* A file that is mapped again after its module left is a new module. */
TEST(a_module_may_come_back)
{
    struct live l;
    begin(&l, TOP_FUNCTION);
    l.top.view.list.first = 100;
    for (uint32_t i = 0; i < 5; i++) {
        run_program(&l, 3);
        pass(&l, 200);
        CHECK_INT(l.gone, i + 1);
        CHECK_INT(l.sampled.mapped.modules.count, 2);
    }
    CHECK_INT(row_named(&l.top, "[ended]")->total, 5 * SAMPLES * 1000);
    end(&l);
}

static void counted(void *arg, const struct sampled *s, const struct sampled_one *one)
{
    (void)arg, (void)s, (void)one;
}

TEST(a_recording_forgets_nothing)
{
    struct live l;
    begin(&l, TOP_FUNCTION);
    l.sampled.hooks.counted = counted;
    churn(&l, 0, 100, 10);
    pass(&l, 300);
    CHECK_INT(l.gone, 0);
    CHECK_INT(l.sampled.mapped.modules.count, 101);
    end(&l);
}

/* Of a chain what left is one place, and what it was called from stays. */
TEST(chains_through_what_left_stay_chains)
{
    struct live l;
    struct forgotten left;
    bool shortened = false;
    begin(&l, TOP_FUNCTION);
    map(&l, FIRST, "/tmp/library", 5);
    struct sampled *s = &l.sampled;
    uint32_t outer = sampled_node(s, &(struct sampled_node){1, 0, INTERN_NONE}, &shortened);
    uint32_t middle = sampled_node(s, &(struct sampled_node){2, 1, outer}, &shortened);
    uint32_t inner = sampled_node(s, &(struct sampled_node){3, 1, middle}, &shortened);
    uint32_t leaf = sampled_node(s, &(struct sampled_node){4, 0, inner}, &shortened);
    record(&l, PERFREC_FORK, STAYS, 0);
    sampled_count(s, &(struct sampled_one){1, 1000, 0, leaf, 0, false, 0});
    spaces_end(&s->mapped.spaces, FIRST);
    CHECK(!sampled_forget(s, &l.forget, NS_PER_S, 0, &left));
    CHECK(sampled_forget(s, &l.forget, NS_PER_S + FORGET_AFTER_NS, 0, &left));
    const struct sampled_node *n = sampled_node_at(s, left.node[leaf]);
    CHECK_INT(n->offset, 4);
    n = sampled_node_at(s, n->parent);
    CHECK(s->mapped.modules.module[n->module]->ended);
    n = sampled_node_at(s, n->parent);
    CHECK_INT(n->offset, 1);
    CHECK_INT(n->parent, INTERN_NONE);
    CHECK_INT(sampled_cell_at(s, left.cell[0])->weight, 1000);
    forgotten_release(&left);
    end(&l);
}

/* --- with waits --- */

static void leave_cpu(struct live *l, uint32_t pid)
{
    const uint64_t chain[] = {PERFREC_CHAIN_USER, PLACE};
    uint8_t bytes[sizeof chain];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(chain[i / 8] >> i % 8 * 8);
    sampled_add_record(&l->sampled,
                       &(struct perfrec){.type = PERFREC_SAMPLE,
                                         .pid = pid,
                                         .tid = pid,
                                         .time = l->now_ns,
                                         .sample = {.period = 1, .chain = bytes, .chain_len = 2},
                                         .mode = PERFREC_USER});
    sampled_add_record(
        &l->sampled,
        &(struct perfrec){
            .type = PERFREC_SWITCH, .pid = pid, .tid = pid, .time = l->now_ns, .away.out = true});
}

static void enter_cpu(struct live *l, uint32_t pid)
{
    sampled_add_record(
        &l->sampled,
        &(struct perfrec){.type = PERFREC_SWITCH, .pid = pid, .tid = pid, .time = l->now_ns});
}

static void end_program(struct live *l, uint32_t pid)
{
    sampled_add_record(
        &l->sampled,
        &(struct perfrec){.type = PERFREC_EXIT, .pid = pid, .tid = pid, .time = l->now_ns});
    leave_cpu(l, pid); /* for good */
}

/* Each of a file of its own, and asleep from one second to the next; one sleeps for ever longer. */
static void churn_sleepers(struct live *l, uint32_t programs)
{
    char path[32];
    leave_cpu(l, STAYS);
    for (uint32_t i = 0; i < programs; i++) {
        uint32_t pid = FIRST + i;
        snprintf(path, sizeof path, "/tmp/sleeper%" PRIu32, i);
        map(l, pid, path, 100 + i);
        leave_cpu(l, pid);
        update(l);
        enter_cpu(l, pid);
        end_program(l, pid);
    }
}

TEST(modules_in_which_programs_waited_leave_too)
{
    enum { PROGRAMS = 1000, EARLIER = 3 };
    struct live l;
    begin(&l, TOP_FUNCTION);
    l.sampled.want.waits = true;
    for (uint32_t i = 0; i < EARLIER; i++) /* whose places are numbered before those that stay */
        run_program(&l, PROGRAMS + i);
    churn_sleepers(&l, PROGRAMS);
    size_t longest = (FORGET_AFTER_NS + FORGET_EVERY_NS) / NS_PER_S;
    CHECK(l.sampled.mapped.modules.count <= longest + 4 + HEIGHT);
    CHECK(l.sampled.nodes.count <= 2 * (longest + 4 + HEIGHT));
    CHECK(l.top.table.places.count <= longest + 4 + HEIGHT);
    CHECK(l.sampled.waiting.pairing.of_tid.slots <= 1024);

    enter_cpu(&l, STAYS); /* it waited at a node that has had many numbers */
    update(&l);
    const struct top_row *stays = row_named(&l.top, "stays"), *ended = row_named(&l.top, "[ended]");
    CHECK(stays && ended);
    CHECK_INT(stays->wait, PROGRAMS * NS_PER_S);
    CHECK_INT(ended->wait, (l.gone - EARLIER) * NS_PER_S);
    CHECK_INT(l.sampled.waits.count, PROGRAMS + 1);
    CHECK_INT(sum_of_rows(&l.top), l.sampled.count.weight);
    CHECK_INT(sum_of_cells(&l.sampled), l.sampled.count.weight);
    end(&l);
}

/* As where all programs are one file. */
TEST(threads_that_ended_leave_though_no_module_does)
{
    struct live l;
    begin(&l, TOP_FUNCTION);
    l.sampled.want.waits = true;
    for (uint32_t pid = FIRST; pid < FIRST + 1000; pid++) {
        map(&l, pid, "/bin/stays", 1);
        leave_cpu(&l, pid);
        update(&l);
        enter_cpu(&l, pid);
        end_program(&l, pid);
    }
    CHECK_INT(l.gone, 0);
    CHECK(l.sampled.waiting.pairing.of_tid.slots <= 256);
    end(&l);
}
