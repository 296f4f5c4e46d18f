/* prof(3)'s device: its words, its state, its histograms. */
#include "unit.h"

#include "core/profdev/device.h"
#include "core/profdev/memory.h"

#include <stdlib.h>

enum {
    ALL = 1u << PROFDEV_SAMPLES | 1u << PROFDEV_COVERAGE | 1u << PROFDEV_MEMORY,
};

static const char *answer_to(const char *message)
{
    static struct fail f;
    struct profdev_message m;
    return profdev_read_message(message, ALL, &m, &f) < 0 ? f.what : "ok";
}

static void apply(struct profdev *p, const char *message)
{
    struct profdev_message m;
    CHECK_INT(profdev_read_message(message, ALL, &m, NULL), 0);
    CHECK_INT(profdev_apply(p, &m, NULL), 0);
}

/* What all reads of len bytes give, each pair in brackets; then what the last one said. */
static const char *read_all(const struct profdev_module *m, size_t len)
{
    static char text[512];
    static struct fail f;
    char pair[64];
    struct profdev_histogram *h;
    long n;
    text[0] = '\0';
    CHECK_INT(profdev_open(m, &h), 0);
    while ((n = profdev_read(h, pair, len, &f)) > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "[%.*s]", (int)n, pair);
    CHECK_INT(profdev_read(h, pair, len, NULL), n);
    profdev_close(h);
    return n < 0 ? f.what : text;
}

static struct profdev_module *seen(struct profdev *p, const char *path, uint64_t inode)
{
    struct profdev_file file = {path, 8, 1, inode};
    return profdev_intern(p, &file);
}

TEST(words_of_the_example)
{
    size_t len;
    char *text = unit_file("golden/devprof/words.tsv", &len), *rest = text, *line;
    while ((line = strsep(&rest, "\n")) && *line) {
        const char *message = strsep(&line, "\t");
        CHECK_STR(answer_to(message), line);
    }
    CHECK(len > 100);
    free(text);
}

TEST(what_the_words_say)
{
    struct profdev_message m;
    CHECK_INT(profdev_read_message("startmp31", ALL, &m, NULL), 0);
    CHECK(m.word == PROFDEV_START && m.kind == PROFDEV_MEMORY && m.pools == (1u << 1 | 1u << 3));
    CHECK_INT(profdev_read_message("startcp 12", ALL, &m, NULL), 0);
    CHECK(m.kind == PROFDEV_COVERAGE && m.pid == 12);
    CHECK_INT(profdev_read_message("interval\t20\n", ALL, &m, NULL), 0);
    CHECK(m.word == PROFDEV_INTERVAL && m.interval_ms == 20);
    struct fail f;
    CHECK(profdev_read_message("startcp", 1u << PROFDEV_SAMPLES, &m, &f) < 0);
    CHECK(strstr(f.what, "startcp: it needs breakpoints") != NULL);
    CHECK(profdev_read_message("startmp2", 1u << PROFDEV_SAMPLES, &m, &f) < 0);
    CHECK(strstr(f.what, "startmp: ") != NULL);
    CHECK_INT(profdev_read_message("startcp 12", 1u << PROFDEV_SAMPLES, &m, &f), 0);
    CHECK(profdev_read_message("startcp x", 1u << PROFDEV_SAMPLES, &m, &f) < 0);
    CHECK_STR(f.what, "bad arg in system call");
    CHECK(profdev_read_message("startmp", 1u << PROFDEV_SAMPLES, &m, NULL) < 0);
}

TEST(one_kind_at_a_time)
{
    struct profdev p;
    profdev_init(&p);
    CHECK_INT(p.interval_ms, 100);
    apply(&p, "start");
    apply(&p, "startcp");
    CHECK_INT(p.running, PROFDEV_SAMPLES);
    apply(&p, "interval 7");
    apply(&p, "stop");
    CHECK_INT(p.running, PROFDEV_NONE);
    CHECK_INT(p.interval_ms, 7);
    apply(&p, "startcp 12");
    CHECK_INT(p.pid, 12);
    apply(&p, "startmp2");
    CHECK_INT(p.running, PROFDEV_COVERAGE);
    CHECK_INT(p.pid, 12);
    apply(&p, "stop");
    apply(&p, "startmp2");
    CHECK_INT(p.pid, 0);
    CHECK_INT(p.running, PROFDEV_MEMORY);
    apply(&p, "end");
    CHECK_INT(p.running, PROFDEV_NONE);
    CHECK_INT(p.interval_ms, 100);
    profdev_release(&p);
}

TEST(the_list_of_modules)
{
    struct profdev p;
    profdev_init(&p);
    CHECK(profdev_wants(&p, "/bin/any"));
    apply(&p, "module ls /lib/libc.so.6");
    CHECK(profdev_wants(&p, "/usr/bin/ls") && profdev_wants(&p, "/lib/libc.so.6"));
    CHECK(!profdev_wants(&p, "/usr/lib/libc.so.6") && !profdev_wants(&p, "/bin/lsof"));
    CHECK(seen(&p, "/bin/ls", 1) && !seen(&p, "/bin/cat", 2));
    apply(&p, "module cat");
    CHECK(seen(&p, "/bin/cat", 2));
    CHECK_INT(seen(&p, "/bin/ls", 1)->id, 1); /* it was there before */
    CHECK(!seen(&p, "/bin/ls", 3));
    apply(&p, "module");
    CHECK_INT(seen(&p, "/bin/ls", 3)->id, 3);
    CHECK_STR(profdev_find(&p, 3)->name, "ls");
    CHECK(!profdev_find(&p, 0) && !profdev_find(&p, 4));
    apply(&p, "end");
    CHECK(!profdev_find(&p, 1));
    profdev_release(&p);
}

TEST(the_program_is_the_first_of_the_list)
{
    struct profdev p;
    profdev_init(&p);
    CHECK(!profdev_wants_program(&p, "/bin/ls"));
    apply(&p, "module ls cat");
    CHECK(profdev_wants_program(&p, "/bin/ls") && !profdev_wants_program(&p, "/bin/cat"));
    apply(&p, "module /usr/bin/ls");
    CHECK(!profdev_wants_program(&p, "/bin/ls") && profdev_wants_program(&p, "/usr/bin/ls"));
    profdev_release(&p);
}

TEST(names_of_directories)
{
    char text[PROFDEV_ID_BYTES];
    profdev_id_text(0x2a, text);
    CHECK_STR(text, "0000002a");
    CHECK_INT(profdev_id_of("0000002a"), 0x2a);
    CHECK_INT(profdev_id_of("2a"), 0);
    CHECK_INT(profdev_id_of("0000002A"), 0);
    CHECK_INT(profdev_id_of("0x00002a"), 0);
    CHECK_INT(profdev_id_of("10000002a"), 0);
    CHECK_INT(profdev_id_of("ctl"), 0);
}

TEST(histograms_are_sums_of_runs)
{
    struct profdev p;
    profdev_init(&p);
    struct profdev_module *m = seen(&p, "/bin/a", 1);
    CHECK_STR(read_all(m, 64), "");
    profdev_counted(m, 0, 3);
    profdev_counted(m, 5, 0);
    profdev_counted(m, 8, 2);
    profdev_counted(m, 8, 2);
    CHECK_STR(read_all(m, 64), "[0 3][8 4]");
    profdev_recount(&p); /* the same run, later */
    profdev_counted(m, 0, 4);
    profdev_counted(m, 4096, 1);
    CHECK_STR(read_all(m, 20), "[0 4][4096 1]");
    CHECK_INT(profdev_settle(&p), 0);
    profdev_counted(m, 8, 1);
    profdev_counted(m, 4096, UINT64_MAX);
    CHECK_STR(read_all(m, 64), "[0 4][8 1][4096 18446744073709551615]");
    profdev_release(&p);
}

TEST(a_pair_that_does_not_fit_is_the_next)
{
    struct profdev p;
    struct profdev_histogram *h;
    struct fail f;
    char bytes[64];
    profdev_init(&p);
    struct profdev_module *m = seen(&p, "/bin/a", 1);
    profdev_counted(m, 1, 2);
    CHECK_STR(read_all(m, 19), "read or write too small");
    profdev_counted(m, UINT64_MAX, UINT64_MAX);
    CHECK_INT(profdev_open(m, &h), 0);
    CHECK_INT(profdev_read(h, bytes, 20, NULL), 3);
    CHECK(profdev_read(h, bytes, 40, &f) < 0);
    CHECK_INT(profdev_read(h, bytes, 41, NULL), 41);
    CHECK_INT(profdev_read(h, bytes, 0, NULL), 0); /* the end has no length */
    profdev_close(h);
    profdev_release(&p);
}

TEST(a_snapshot_outlives_the_end)
{
    struct profdev p;
    struct profdev_histogram *h;
    char bytes[64];
    profdev_init(&p);
    struct profdev_module *m = seen(&p, "/bin/a", 1);
    profdev_counted(m, 16, 2);
    CHECK_INT(profdev_open(m, &h), 0);
    apply(&p, "end");
    CHECK_INT(profdev_read(h, bytes, 64, NULL), 4);
    CHECK(memcmp(bytes, "16 2", 4) == 0);
    CHECK_INT(profdev_read(h, bytes, 64, NULL), 0);
    profdev_close(h);
    profdev_release(&p);
}

static void release_memory(struct profdev_memory *m)
{
    free(m->place);
    free(m->module);
    imap_release(&m->index);
}

static void check_place(const struct profdev_memory *m, uint32_t place, uint64_t now, uint64_t most)
{
    CHECK_INT(m->place[place - 1].bytes.now, now);
    CHECK_INT(m->place[place - 1].bytes.most, most);
}

TEST(memory_of_places_and_their_modules)
{
    struct profdev_memory m = {.places = 0};
    uint32_t a = profdev_memory_place(&m, 0, 16), b = profdev_memory_place(&m, 0, 0);
    uint32_t other = profdev_memory_place(&m, 3, 16);
    CHECK(a && b && other && a != b && other != a);
    CHECK_INT(profdev_memory_place(&m, 0, 16), a);
    profdev_memory_changed(&m, a, 100, false);
    profdev_memory_changed(&m, b, 20, false);
    profdev_memory_changed(&m, a, 100, true);
    profdev_memory_changed(&m, a, 30, false);
    profdev_memory_changed(&m, other, 7, false);
    check_place(&m, a, 30, 100);
    check_place(&m, b, 20, 20);
    CHECK_INT(m.module[0].now, 50);
    CHECK_INT(m.module[0].most, 120);
    CHECK_INT(m.module[3].most, 7);
    CHECK_INT(profdev_memory_cell(&m.place[a - 1]), 34);
    CHECK_INT(profdev_memory_cell(&m.place[b - 1]), 2);
    release_memory(&m);
}

TEST(memory_that_is_no_places)
{
    struct profdev_memory m = {.places = 0};
    profdev_memory_changed(&m, 0, 5, false);
    profdev_memory_changed(&m, 1, 5, true);
    CHECK_INT(profdev_memory_place(&m, PROFDEV_MAX_PLACE_MODULES, 0), 0);
    CHECK_INT(profdev_memory_place(&m, 0, UINT64_C(1) << 47), 0);
    CHECK(profdev_memory_place(&m, 0, (UINT64_C(1) << 47) - 1) != 0);
    CHECK(profdev_memory_place(&m, PROFDEV_MAX_PLACE_MODULES - 1, 0) != 0);
    release_memory(&m);
}
