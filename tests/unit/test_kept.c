/* The last seconds of a sampling while programs come and go: what is counted is what is kept, and
 * what is held depends on these seconds. */
#include "unit.h"

#include "core/sample/kept.h"
#include "core/sample/recording.h"

#include <stdlib.h>

enum { STAYS = 1, FIRST = 2, PLACE = 0x1000, KEEP_MS = 640, EACH = 10 };

#define MS (NS_PER_S / 1000)

struct recorder {
    struct sampled sampled;
    struct kept kept;
    uint64_t now_ns;
    size_t gone;
};

static void keep(void *arg, const struct sampled *s, const struct sampled_one *one)
{
    struct recorder *r = arg;
    (void)s;
    kept_add(&r->kept, &r->sampled, one);
}

static void begin(struct recorder *r, enum sampled_by by, size_t max_samples)
{
    *r = (struct recorder){.now_ns = NS_PER_S};
    sampled_init(&r->sampled, &(struct sampled_want){.by = by, .waits = true});
    kept_init(&r->kept, KEEP_MS * MS, max_samples);
    r->sampled.hooks.counted = keep;
    r->sampled.hooks.arg = r;
}

static void end(struct recorder *r)
{
    kept_release(&r->kept);
    sampled_release(&r->sampled);
}

static void record(struct recorder *r, enum perfrec_type type, uint32_t pid, uint64_t pc)
{
    sampled_add_record(&r->sampled, &(struct perfrec){.type = type,
                                                      .pid = pid,
                                                      .tid = pid,
                                                      .ppid = STAYS,
                                                      .ptid = STAYS,
                                                      .time = r->now_ns,
                                                      .lost = type == PERFREC_LOST,
                                                      .sample.pc = pc,
                                                      .sample.period = 1000,
                                                      .mode = PERFREC_USER});
}

static void map(struct recorder *r, uint32_t pid, const char *path, uint64_t inode)
{
    struct space_map at = {.start = PLACE, .end = PLACE + 0x1000};
    mapped_add(&r->sampled.mapped, pid, &at, path, &(struct module_identity){.inode = inode});
}

static void compact(struct recorder *r, bool always)
{
    struct forgotten left;
    if (kept_compact(&r->kept, &r->sampled, always, &left))
        r->gone += left.gone_count;
    forgotten_release(&left);
}

/* A program of its own that is sampled EACH times at places of its own, and once where all are. */
static void run_program(struct recorder *r, uint32_t pid)
{
    char path[32];
    snprintf(path, sizeof path, "/bin/%u", pid);
    record(r, PERFREC_FORK, pid, 0);
    map(r, pid, path, pid);
    for (uint64_t i = 0; i < EACH; i++)
        record(r, PERFREC_SAMPLE, pid, PLACE + i);
    record(r, PERFREC_SAMPLE, STAYS, PLACE);
    record(r, PERFREC_LOST, pid, 0);
    record(r, PERFREC_EXIT, pid, 0);
    r->now_ns += MS;
    if (kept_round(&r->kept, &r->sampled, r->now_ns))
        compact(r, false);
}

static void run_programs(struct recorder *r, uint32_t count)
{
    map(r, STAYS, "/bin/stays", STAYS);
    for (uint32_t pid = FIRST; pid < FIRST + count; pid++)
        run_program(r, pid);
}

struct sum {
    uint64_t samples, weight;
};

static void add_sample(void *arg, const struct sampled_one *one)
{
    struct sum *sum = arg;
    sum->samples++;
    sum->weight += one->weight;
}

static struct sum sum_of_cells(const struct sampled *s)
{
    struct sum sum = {0};
    for (size_t i = 0; i < s->cells.count; i++) {
        sum.samples += sampled_cell_at(s, i)->samples;
        sum.weight += sampled_cell_at(s, i)->weight;
    }
    return sum;
}

static void check_sums(const struct recorder *r)
{
    struct sum kept = {0}, cells = sum_of_cells(&r->sampled), threads = {0};
    kept_each(&r->kept, add_sample, &kept);
    for (size_t i = 0; i < r->sampled.threads.count; i++)
        threads.samples += r->sampled.threads.thread[i].samples;
    CHECK_INT(kept.samples, r->kept.samples);
    CHECK_INT(cells.samples, kept.samples);
    CHECK_INT(cells.weight, kept.weight);
    CHECK_INT(threads.samples, kept.samples);
    CHECK_INT(r->sampled.count.samples, kept.samples);
    CHECK_INT(r->sampled.count.weight, kept.weight);
}

static void check_window(enum sampled_by by)
{
    struct recorder r;
    begin(&r, by, KEPT_MIN_SAMPLES);
    run_programs(&r, 20000);
    uint64_t ms = kept_length_ns(&r.kept, r.now_ns) / MS;
    check_sums(&r);
    CHECK(ms >= KEEP_MS && ms <= KEEP_MS + KEEP_MS / KEPT_SPANS + 1);
    CHECK_INT(r.sampled.count.samples, ms * (EACH + 1));
    CHECK_INT(r.sampled.loss.lost, ms);
    CHECK_INT(r.sampled.loss.lost + r.kept.dropped_lost, 20000);
    CHECK_INT(r.sampled.count.forks, ms);
    CHECK(!r.kept.full);
    compact(&r, true);
    check_sums(&r);
    CHECK_INT(r.sampled.mapped.modules.count, ms + 1);
    CHECK_INT(r.gone, 20000 - ms);
    CHECK_INT(r.sampled.threads.count, ms + 1);
    end(&r);
}

TEST(only_the_last_seconds_are_counted_and_held)
{
    check_window(SAMPLED_WHOLE);
    check_window(SAMPLED_BY_THREAD);
    check_window(SAMPLED_BY_PROCESS);
}

TEST(what_is_held_depends_on_the_seconds_alone)
{
    struct recorder r;
    size_t most_modules = 0, most_nodes = 0, most_threads = 0;
    begin(&r, SAMPLED_WHOLE, KEPT_MIN_SAMPLES);
    map(&r, STAYS, "/bin/stays", STAYS);
    for (uint32_t pid = FIRST; pid < 20000; pid++) {
        run_program(&r, pid);
        const struct sampled *s = &r.sampled;
        most_modules =
            s->mapped.modules.count > most_modules ? s->mapped.modules.count : most_modules;
        most_nodes = s->nodes.count > most_nodes ? s->nodes.count : most_nodes;
        most_threads = s->threads.count > most_threads ? s->threads.count : most_threads;
    }
    CHECK(most_modules < 4 * KEEP_MS);
    CHECK(most_threads < 4 * KEEP_MS);
    CHECK(most_nodes < 4 * KEEP_MS * EACH);
    end(&r);
}

TEST(more_samples_than_fit_shorten_the_time)
{
    struct recorder r;
    begin(&r, SAMPLED_BY_THREAD, KEPT_SPANS * EACH);
    run_programs(&r, KEEP_MS);
    CHECK(r.kept.full);
    CHECK(r.kept.samples <= KEPT_SPANS * EACH);
    CHECK(kept_length_ns(&r.kept, r.now_ns) < KEEP_MS * MS);
    check_sums(&r);
    end(&r);
}

TEST(a_quiet_time_empties_it)
{
    struct recorder r;
    begin(&r, SAMPLED_WHOLE, KEPT_MIN_SAMPLES);
    run_programs(&r, 100);
    for (int i = 0; i < 2; i++) {
        r.now_ns += 2 * KEEP_MS * MS;
        kept_round(&r.kept, &r.sampled, r.now_ns);
    }
    CHECK_INT(r.kept.samples, 0);
    CHECK_INT(r.sampled.loss.lost, 0);
    check_sums(&r);
    run_program(&r, FIRST);
    CHECK_INT(r.sampled.count.samples, EACH + 1);
    check_sums(&r);
    end(&r);
}

static void record_sample(void *arg, const struct sampled_one *one)
{
    const void *const *a = arg;
    recording_sample((struct recording_writer *)a[0], a[1], one);
}

/* Twice, as for two signals. */
TEST(each_recording_of_it_is_whole)
{
    struct recorder r;
    begin(&r, SAMPLED_WHOLE, KEPT_MIN_SAMPLES);
    run_programs(&r, 2000);
    for (int i = 0; i < 2; i++) {
        struct recording_writer w;
        struct sampled back;
        struct recording recording;
        struct fail f;
        compact(&r, true);
        recording_start(&w, 1);
        kept_each(&r.kept, record_sample, (const void *[]){&w, &r.sampled});
        recording_end(&w, &r.sampled);
        sampled_init(&back, &(struct sampled_want){.by = SAMPLED_BY_THREAD});
        CHECK_INT(recording_read((const uint8_t *)w.out.data, w.out.len, &back, &recording, &f), 0);
        CHECK(recording.ended && !recording.truncated);
        CHECK_INT(back.count.samples, r.sampled.count.samples);
        CHECK_INT(back.count.weight, r.sampled.count.weight);
        CHECK_INT(back.loss.lost, r.sampled.loss.lost);
        CHECK_INT(back.mapped.modules.count, r.sampled.mapped.modules.count);
        recording_close(&recording);
        sampled_release(&back);
        recording_release(&w);
        run_program(&r, 5000 + (uint32_t)i);
    }
    end(&r);
}
