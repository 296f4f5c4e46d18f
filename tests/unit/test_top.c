/* The live table while processes come and go: what it holds, and that what it shows adds up. */
#include "unit.h"

#include "core/report/top.h"

#include <stdlib.h>

enum { PLACES = 50 };

struct live {
    struct sampled sampled;
    struct demangler names;
    struct top top;
    uint64_t now_ns;
};

static void begin(struct live *l, enum top_by by)
{
    *l = (struct live){.now_ns = 1};
    sampled_init(&l->sampled, &(struct sampled_want){.recent = true, .by = SAMPLED_BY_THREAD});
    top_init(&l->top, &l->names);
    l->top.view.by = by;
}

static void end(struct live *l)
{
    top_release(&l->top);
    demangler_release(&l->names);
    sampled_release(&l->sampled);
}

static void record(struct live *l, enum perfrec_type type, uint32_t pid, uint64_t pc)
{
    sampled_add_record(&l->sampled, &(struct perfrec){.type = type,
                                                      .pid = pid,
                                                      .tid = pid,
                                                      .ppid = 1,
                                                      .ptid = 1,
                                                      .sample.pc = pc,
                                                      .sample.period = 1000,
                                                      .mode = PERFREC_USER});
}

static void update(struct live *l)
{
    uint32_t *moved;
    if (top_update(&l->top, &l->sampled, l->now_ns += 1000000000))
        sampled_recent_clear(&l->sampled);
    sampled_fold_ended(&l->sampled, &moved);
    if (moved)
        top_moved(&l->top, moved);
    free(moved);
}

/* So many processes that live for one update, and are sampled once. */
static void churn(struct live *l, uint32_t processes)
{
    for (uint32_t i = 0; i < processes; i++) {
        uint32_t pid = 2 + i % 30000;
        record(l, PERFREC_FORK, pid, 0);
        record(l, PERFREC_SAMPLE, pid, 0x1000 + i % PLACES);
        record(l, PERFREC_EXIT, pid, 0);
        if (i % 200 == 199)
            update(l);
    }
}

static uint64_t sum_of(const struct top *t, bool now)
{
    const struct intern *rows = t->view.by == TOP_PROCESS ? &t->table.tasks : &t->table.places;
    const struct top_row *row = rows->record;
    uint64_t sum = 0;
    for (size_t i = 0; i < rows->count; i++)
        sum += row[i].key.by != t->view.by ? 0 : now ? row[i].now : row[i].total;
    return sum;
}

TEST(cells_and_rows_of_processes_that_ended_leave)
{
    struct live l;
    enum { PROCESSES = 40000 };
    begin(&l, TOP_PROCESS);
    churn(&l, PROCESSES);
    size_t most = SAMPLED_MAX_ENDED + 200;
    CHECK(l.sampled.cells.count <= most + PLACES);
    CHECK(l.top.table.cells <= most + PLACES);
    CHECK(l.top.table.tasks.count <= most + 1);
    CHECK(l.top.table.task_names.count <= most + 1);
    CHECK_INT(sum_of(&l.top, false), PROCESSES * 1000);
    CHECK_INT(sum_of(&l.top, true), 200 * 1000);
    end(&l);
}

/* As many rows as processes, and no two of one name. */
TEST(memory_without_a_file_says_whose_it_is)
{
    static const char *const owners[] = {"[anon] of process 7", "[anon] of process 9"};
    struct live l;
    begin(&l, TOP_MODULE);
    for (uint32_t pid = 7; pid <= 9; pid += 2) {
        struct space_map at = {.start = 0x1000, .end = 0x2000};
        mapped_add(&l.sampled.mapped, pid, &at, "//anon", &(struct module_identity){0});
        record(&l, PERFREC_SAMPLE, pid, 0x1800);
    }
    update(&l);
    const struct top_row *row = l.top.table.places.record;
    CHECK_INT(l.top.table.places.count, 2);
    for (size_t i = 0; i < l.top.table.places.count; i++)
        CHECK_STR(row[i].name, owners[i]);
    end(&l);
}

TEST(an_update_looks_at_what_was_sampled_since)
{
    struct live l;
    begin(&l, TOP_FUNCTION);
    churn(&l, 1000);
    CHECK_INT(l.sampled.cells.count, 1000);
    record(&l, PERFREC_SAMPLE, 2, 0x1000);
    update(&l);
    CHECK_INT(l.top.table.changes, 1);
    CHECK_INT(sum_of(&l.top, true), 1000);
    CHECK_INT(sum_of(&l.top, false), 1001 * 1000);
    end(&l);
}

/* More than the list of cells holds: all are looked at. */
TEST(an_update_of_very_many_samples_is_whole)
{
    struct live l;
    begin(&l, TOP_FUNCTION);
    for (uint32_t i = 0; i < SAMPLED_MAX_RECENT + 1000; i++)
        record(&l, PERFREC_SAMPLE, 2 + i % 100, 0x1000);
    CHECK(l.sampled.recent.overrun);
    CHECK(l.sampled.recent.count <= SAMPLED_MAX_RECENT);
    update(&l);
    CHECK_INT(sum_of(&l.top, true), (SAMPLED_MAX_RECENT + 1000) * 1000);
    CHECK(!l.sampled.recent.overrun);
    end(&l);
}

/* What came while it was paused comes with the next update. */
TEST(a_pause_loses_nothing)
{
    struct live l;
    begin(&l, TOP_PROCESS);
    churn(&l, 200);
    l.top.view.paused = true;
    churn(&l, 10000);
    CHECK_INT(sum_of(&l.top, false), 200 * 1000);
    CHECK(l.sampled.cells.count < 10000);
    l.top.view.paused = false;
    update(&l);
    CHECK_INT(sum_of(&l.top, false), 10200 * 1000);
    CHECK_INT(sum_of(&l.top, true), 10000 * 1000);
    end(&l);
}
