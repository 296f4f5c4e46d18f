/* stats_watch: several sources in time: one that answers at once, one that stops, one that never
 * was there. The scripted clock goes on by 50 ms with each reading. */
#include "unit.h"

#include "engine/stats/sources.h"

#include <errno.h>
#include <stdlib.h>

/* A device with one file, sysstat, whose counter goes up by 10 each time it is opened. */
struct device {
    bool silent, absent;
    unsigned opened, waited;
    char text[80];
};

static int walk(void *state, uint64_t directory, const char *name, uint64_t *path, struct fail *f)
{
    const struct device *d = state;
    (void)directory;
    if (d->absent || strcmp(name, "sysstat") != 0)
        return fail_set(f, ENOENT, "%s", name);
    *path = 1;
    return 0;
}

static int stat_file(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    (void)state;
    (void)f;
    *out = (struct ns_stat){.path = path, .directory = path == 0, .mode = 0444};
    return 0;
}

static int entry(void *state, uint64_t directory, size_t index, struct ns_stat *out, struct fail *f)
{
    (void)directory;
    if (index)
        return 0;
    int r = stat_file(state, 1, out, f);
    strcpy(out->name, "sysstat");
    return r < 0 ? r : 1;
}

static int open_file(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    (void)state;
    (void)path;
    (void)how;
    (void)file;
    (void)f;
    return 0;
}

static long read_file(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    struct device *d = state;
    if (d->silent) {
        d->waited++;
        return fail_set(f, EINPROGRESS, "sysstat");
    }
    if (io->offset == 0)
        snprintf(d->text, sizeof d->text, "0 %u 0 0 0 0 0 500 60 1\n", 10 * ++d->opened);
    size_t all = strlen(d->text), n = io->offset < all ? all - (size_t)io->offset : 0;
    n = n < io->len ? n : io->len;
    memcpy(bytes, d->text + io->offset, n);
    return (long)n;
}

static void close_file(void *state, void *file, uint64_t path)
{
    (void)state;
    (void)file;
    (void)path;
}

static const struct ns_calls calls = {.walk = walk,
                                      .stat = stat_file,
                                      .entry = entry,
                                      .open = open_file,
                                      .read = read_file,
                                      .close = close_file};

static const struct stats_choice choice = {.graph = {STATS_CONTEXT, STATS_LOAD}, .count = 2};

static void add(struct stats_watch *w, const char *name, struct device *d)
{
    struct ns *ns = calloc(1, sizeof *ns);
    CHECK_INT(ns_bind(ns, "#c", "", (struct ns_server){&calls, d}, NULL), 0);
    CHECK_INT(stats_watch_add(w, name, ns, false, NULL), 0);
}

static void next_sample(struct stats_watch *w)
{
    for (int i = 0; i < 1000; i++)
        if (stats_watch_step(w, &choice))
            return;
    CHECK(!"a sample within fifty seconds");
}

static unsigned left_out_count;
static char left_out_why[80];
static void left_out(void *arg, const char *name, const char *why)
{
    (void)arg;
    (void)name;
    left_out_count++;
    snprintf(left_out_why, sizeof left_out_why, "%s", why);
}

static char scenario_path[] = "/tmp/psuite-watch-XXXXXX";

static void remove_scenario(void)
{
    remove(scenario_path);
}

static void begin(void)
{
    static bool begun;
    int fd = begun ? -1 : mkstemp(scenario_path);
    begun = true;
    if (fd < 0)
        return;
    atexit(remove_scenario);
    FILE *file = fdopen(fd, "w");
    fputs("clock 1000000000 50000000\n", file);
    fclose(file);
    setenv("PSUITE_FAKE", scenario_path, 1);
}

TEST(stats_watch_computes_rates_from_the_second_reading)
{
    struct device d = {.opened = 0};
    struct stats_watch w;
    begin();
    stats_watch_init(&w, 1);
    add(&w, "one", &d);
    next_sample(&w);
    CHECK_INT(stats_watch_reached(&w, left_out, NULL), 1);
    CHECK(w.sample.source->value[0].why); /* the first reading */
    next_sample(&w);
    CHECK_INT(w.sample.sources, 1);
    CHECK_INT(w.sample.source->cpus, 1);
    CHECK(w.sample.source->value[0].value > 7 && w.sample.source->value[0].value < 13);
    CHECK_INT(w.sample.source->value[1].value, 500);
    CHECK_INT(w.sample.source->age_ms, 0);
    stats_watch_release(&w);
}

TEST(stats_watch_leaves_out_an_unreachable_source)
{
    struct device there = {.opened = 0}, absent = {.absent = true};
    struct stats_watch w;
    begin();
    stats_watch_init(&w, 1);
    add(&w, "absent", &absent);
    add(&w, "there", &there);
    next_sample(&w);
    left_out_count = 0;
    CHECK_INT(stats_watch_reached(&w, left_out, NULL), 1);
    CHECK_INT(left_out_count, 1);
    CHECK_STR(left_out_why, "#c/sysstat: file does not exist");
    CHECK_STR(w.sample.source->name, "there");
    CHECK_INT(w.sample.source->value[1].value, 500); /* of the sample that was made before */
    stats_watch_release(&w);
}

TEST(one_that_stops_does_not_hold_up_the_others)
{
    struct device one = {.opened = 0}, two = {.opened = 0};
    struct stats_watch w;
    begin();
    stats_watch_init(&w, 1);
    add(&w, "one", &one);
    add(&w, "two", &two);
    next_sample(&w);
    CHECK_INT(stats_watch_reached(&w, left_out, NULL), 2);
    next_sample(&w);
    two.silent = true;
    uint64_t age = 0;
    for (int i = 0; i < 3; i++) {
        next_sample(&w);
        CHECK(w.sample.source[0].value[0].value > 5);      /* rates of the one go on */
        CHECK_INT(w.sample.source[1].value[0].value, 0);   /* of the other they are 0 */
        CHECK(!w.sample.source[1].value[0].why);           /* ... and no gap */
        CHECK_INT(w.sample.source[1].value[1].value, 500); /* its levels hold */
        CHECK(w.sample.source[1].age_ms > age);
        age = w.sample.source[1].age_ms;
    }
    CHECK(two.waited > 0);
    stats_watch_release(&w);
}

TEST(stats_watch_retries_a_silent_source_after_five_samples)
{
    struct device one = {.opened = 0}, two = {.opened = 0};
    struct stats_watch w;
    begin();
    stats_watch_init(&w, 1);
    add(&w, "one", &one);
    add(&w, "two", &two);
    next_sample(&w);
    next_sample(&w);
    two.silent = true;
    for (int i = 0; i < 12 && !w.source[1].retry_in; i++)
        next_sample(&w);
    CHECK_INT(w.source[1].begun_ns, 0);
    CHECK(w.source[1].retry_in >= 4 && w.source[1].retry_in <= 5);
    CHECK(w.sample.source[1].age_ms >= 5000);
    unsigned rest = w.source[1].retry_in, waited = two.waited;
    two.silent = false;
    for (unsigned i = 0; i < rest; i++)
        next_sample(&w);
    CHECK_INT(two.waited, waited); /* it was left in peace */
    next_sample(&w);
    CHECK_INT(w.sample.source[1].age_ms, 0);
    CHECK(w.sample.source[1].value[0].value > 0);
    stats_watch_release(&w);
}

TEST(stats_watch_limits_its_sources)
{
    static struct device d[STATS_WATCH_MAX + 1];
    struct stats_watch w;
    begin();
    stats_watch_init(&w, 1);
    for (int i = 0; i < STATS_WATCH_MAX; i++)
        add(&w, "x", &d[i]);
    struct ns *ns = calloc(1, sizeof *ns);
    CHECK_INT(stats_watch_add(&w, "x", ns, false, NULL), -E2BIG);
    stats_watch_release(&w);
}
