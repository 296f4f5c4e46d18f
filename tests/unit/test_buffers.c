#include "unit.h"

#include "applets/trace_request.h"
#include "core/ninep/server.h"
#include "core/perf/buffers.h"
#include "core/sample/sampled.h"
#include "core/stats/view.h"
#include "core/time/report.h"
#include "engine/hostfs/fuse.h"
#include "engine/iostats/iostats.h"
#include "engine/stats/serve.h"
#include "engine/symbols/symbols.h"
#include "engine/trace/snapshot.h"
#include "runtime/psprof_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MB ((uint64_t)1 << 20)
#define GB ((uint64_t)1 << 30)

static struct buffers decide(enum buffers_use use, uint64_t free_bytes, unsigned cpus, size_t asked,
                             int *r)
{
    struct buffers b;
    *r = buffers_decide(&(struct buffers_request){.use = use,
                                                  .free_bytes = free_bytes,
                                                  .cpus = cpus,
                                                  .page_bytes = 4096,
                                                  .asked_bytes = asked},
                        &b);
    return b;
}

/* What a decision takes in all, counted anew. */
static uint64_t taken(enum buffers_use use, const struct buffers *b, unsigned cpus)
{
    bool one = use == BUFFERS_PTRACE || use == BUFFERS_PTRACE_STACKS;
    uint64_t rings = (uint64_t)b->ring_bytes * (one ? 1 : cpus) * 3;
    uint64_t at_first = 1536 * 1024 * (uint64_t)cpus;
    return use == BUFFERS_TRACEFS ? 8 * MB + (rings > at_first ? rings : at_first) : rings;
}

/* Without what the kernel may keep free: 8 MB, or half of less. */
static uint64_t lasting(uint64_t free_bytes)
{
    return free_bytes - (free_bytes / 2 < 8 * MB ? free_bytes / 2 : 8 * MB);
}

static void check_range(enum buffers_use use, unsigned cpus)
{
    size_t before = 0;
    int r;
    for (uint64_t free_bytes = 8 * MB; free_bytes <= 512 * GB; free_bytes *= 2) {
        struct buffers b = decide(use, free_bytes, cpus, 0, &r);
        CHECK(b.total_bytes == taken(use, &b, cpus));
        CHECK((b.ring_bytes & (b.ring_bytes - 1)) == 0 && b.ring_bytes >= 4096);
        CHECK(b.ring_bytes >= before && b.ring_bytes <= buffers_usual_bytes(use));
        CHECK(r == (b.total_bytes <= free_bytes / 4 ? 0 : -ENOMEM));
        CHECK(b.reduced == (b.ring_bytes < buffers_usual_bytes(use)));
        /* as large as fits */
        uint64_t twice = 2 * b.total_bytes;
        CHECK(!b.reduced || use == BUFFERS_TRACEFS || twice > lasting(free_bytes) / 4);
        before = b.ring_bytes;
    }
}

TEST(a_quarter_of_free_memory_from_8_MB_to_512_GB_and_1_to_1024_CPUs)
{
    for (enum buffers_use use = 0; use < BUFFERS_USES; use++)
        for (unsigned cpus = 1; cpus <= 1024; cpus += cpus < 16 ? 1 : 16)
            check_range(use, cpus);
}

TEST(a_large_machine_has_the_usual_sizes)
{
    int r;
    for (enum buffers_use use = 0; use < BUFFERS_USES; use++) {
        struct buffers b = decide(use, 64 * GB, 16, 0, &r);
        CHECK_INT(r, 0);
        CHECK_INT(b.ring_bytes, buffers_usual_bytes(use));
        CHECK(!b.reduced);
    }
    CHECK_INT(decide(BUFFERS_STACKS, UINT64_MAX, 4, 0, &r).ring_bytes, 16 << 20);
    CHECK_INT(r, 0);
}

TEST(small_boards)
{
    int r;
    CHECK_INT(decide(BUFFERS_STACKS, 39 * MB, 2, 0, &r).ring_bytes, 1 << 20);
    CHECK_INT(r, 0);
    CHECK_INT(decide(BUFFERS_STACKS, 39 * MB, 8, 0, &r).ring_bytes, 256 << 10);
    CHECK_INT(r, 0);
    CHECK_INT(decide(BUFFERS_SAMPLES, 8 * MB, 2, 0, &r).ring_bytes, 128 << 10);
    CHECK_INT(r, 0);
    CHECK_INT(decide(BUFFERS_TRACEPOINTS, 8 * MB, 2, 0, &r).ring_bytes, 128 << 10);
    CHECK_INT(r, 0);
    decide(BUFFERS_TRACEFS, 39 * MB, 2, 0, &r);
    CHECK_INT(r, -ENOMEM);
    CHECK_INT(decide(BUFFERS_TRACEFS, 60 * MB, 2, 0, &r).ring_bytes, 512 << 10);
    CHECK_INT(r, 0);
    decide(BUFFERS_SAMPLES, 8 * MB, 1024, 0, &r);
    CHECK_INT(r, -ENOMEM);
}

TEST(a_ring_has_a_page_at_least)
{
    struct buffers b;
    struct buffers_request q = {
        .use = BUFFERS_SAMPLES, .free_bytes = 8 * MB, .cpus = 64, .page_bytes = 65536};
    CHECK_INT(buffers_decide(&q, &b), -ENOMEM);
    CHECK_INT(b.ring_bytes, 65536);
    CHECK(b.total_bytes == 64 * 3 * 65536);
}

TEST(of_what_was_read_more_is_held_where_memory_is_not_short)
{
    int r;
    CHECK_INT(decide(BUFFERS_STACKS, 64 * GB, 2, 0, &r).held_bytes, 8 * 32 * MB);
    CHECK_INT(decide(BUFFERS_STACKS, UINT64_MAX, 2, 0, &r).held_bytes, 8 * 32 * MB);
    CHECK_INT(decide(BUFFERS_STACKS, 392 * MB, 2, 0, &r).held_bytes, 2 * 32 * MB);
    CHECK_INT(decide(BUFFERS_STACKS, 480 * MB, 2, 0, &r).held_bytes, 86 * MB); /* 118 - 32 */
    CHECK_INT(decide(BUFFERS_STACKS, 39 * MB, 2, 0, &r).held_bytes, 5 * MB + 768 * 1024);
}

TEST(what_is_asked_for_may_take_half_and_is_not_changed)
{
    int r;
    struct buffers b = decide(BUFFERS_TRACEFS, 200 * MB, 2, 5000 << 10, &r);
    CHECK_INT(r, 0);
    CHECK_INT(b.ring_bytes, 5000 << 10);
    CHECK(!b.reduced);
    b = decide(BUFFERS_TRACEPOINTS, 39 * MB, 2, 8 << 20, &r);
    CHECK_INT(r, -ENOMEM);
    CHECK_INT(b.ring_bytes, 8 << 20);
    CHECK(b.total_bytes == 48 * MB);
    decide(BUFFERS_TRACEPOINTS, 96 * MB, 2, 8 << 20, &r);
    CHECK_INT(r, 0);
}

TEST(a_decision_is_said)
{
    char note[96];
    struct buffers b;
    struct buffers_request q = {
        .use = BUFFERS_STACKS, .free_bytes = 39 * MB + 5000, .cpus = 2, .page_bytes = 4096};
    buffers_decide(&q, &b);
    buffers_note(&q, &b, note, sizeof note);
    CHECK_STR(note, "rings of 1 MB (39 MB of memory are free)");
    q.use = BUFFERS_PTRACE_STACKS;
    buffers_decide(&q, &b);
    buffers_note(&q, &b, note, sizeof note);
    CHECK_STR(note, "a buffer of 2 MB (39 MB of memory are free)");
    q.free_bytes = UINT64_MAX;
    buffers_decide(&q, &b);
    buffers_note(&q, &b, note, sizeof note);
    CHECK_STR(note, "");
}

TEST(a_refusal_says_what_is_needed)
{
    struct fail f;
    struct buffers b;
    struct buffers_request q = {
        .use = BUFFERS_TRACEFS, .free_bytes = 16 * MB, .cpus = 2, .page_bytes = 4096};
    CHECK_INT(buffers_decide(&q, &b), -ENOMEM);
    CHECK_INT(buffers_refuse(&q, &b, &f), -ENOMEM);
    CHECK_STR(f.what, "not enough memory: buffers for 2 CPUs take 11 MB or more, and 16 MB of "
                      "memory are free");
    CHECK_STR(f.hint, "buffers take at most a quarter of the free memory: free 28 MB more");
    q.use = BUFFERS_TRACEPOINTS;
    q.cpus = 1;
    q.asked_bytes = 8 << 20;
    CHECK_INT(buffers_decide(&q, &b), -ENOMEM);
    buffers_refuse(&q, &b, &f);
    CHECK_STR(f.what, "not enough memory: buffers for 1 CPU take 24 MB, and 16 MB of memory are "
                      "free");
    CHECK_STR(f.hint, "buffers take at most half of the free memory: free 32 MB more, or ask for "
                      "less");
}

/* --- the manual's table --- */

static const char *const labels[BUFFERS_USES] = {
    [BUFFERS_SAMPLES] = "tprof, kprof",
    [BUFFERS_CHAINS] = "kprof \\-g",
    [BUFFERS_EACH] = "tprof \\-w, \\-e page\\-faults",
    [BUFFERS_STACKS] = "tprof \\-g",
    [BUFFERS_PTRACE] = "tprof \\-E ptrace",
    [BUFFERS_PTRACE_STACKS] = "tprof \\-E ptrace \\-g",
    [BUFFERS_TRACEFS] = "trace",
    [BUFFERS_TRACEPOINTS] = "trace by perf tracepoints",
};

static void add_column(char *line, size_t size, const struct buffers *b, int r)
{
    char cell[32];
    size_t at = strlen(line);
    if (b->ring_bytes < MB)
        snprintf(cell, sizeof cell, "%zu KB", b->ring_bytes >> 10);
    else
        snprintf(cell, sizeof cell, "%zu MB", b->ring_bytes >> 20);
    snprintf(line + at, size - at, "%8s", r < 0 ? "-" : cell);
}

/* A hyphen is two characters of the page's source. */
static size_t escapes(const char *label)
{
    size_t n = 0;
    for (; *label; label++)
        n += *label == '\\';
    return n;
}

static void make_row(enum buffers_use use, char *line, size_t size)
{
    static const uint64_t free_bytes[] = {UINT64_MAX, 512 * MB, 128 * MB, 32 * MB};
    snprintf(line, size, "%-*s", (int)(28 + escapes(labels[use])), labels[use]);
    for (size_t i = 0; i < sizeof free_bytes / sizeof *free_bytes; i++) {
        int r;
        struct buffers b = decide(use, free_bytes[i], 4, 0, &r);
        add_column(line, size, &b, r);
    }
}

TEST(the_table_of_psuite_1_is_what_is_decided)
{
    char *page = unit_file("../man/psuite.1", NULL);
    for (enum buffers_use use = 0; use < BUFFERS_USES; use++) {
        char line[128];
        make_row(use, line, sizeof line);
        CHECK_STR(strstr(page, line) ? line : "no such line in man/psuite.1", line);
    }
    free(page);
}

/* --- and that of what does not depend on the free memory --- */

enum { PAIR_BYTES = sizeof(struct sched_run) + sizeof(struct sched_mark) };

static const struct {
    const char *label;
    uint64_t bytes;
} fixed[] = {
    {"time \\-n, a run", sizeof(struct time_run)},
    {"tprof, kprof, prof, sym: symbols", SYMBOLS_MEMORY_LEAST},
    {"tprof \\-g, kprof \\-g: call chains", SAMPLED_MIN_NODES *(uint64_t)64},
    {"trace \\-w: runs and events", TRACE_KEPT_LIVE *(uint64_t)PAIR_BYTES},
    {"trace \\-w: events for the key s", TRACING_SNAPSHOT_MAX * sizeof(struct sched_event)},
    {"trace of a recording or a command", TRACE_KEPT_WHOLE *(uint64_t)PAIR_BYTES},
    {"stats, a graph of a machine", STATSVIEW_HISTORY * sizeof(struct statsview_point)},
    {"stats \\-\\-web, samples for a page", STATS_SERVE_KEPT_BYTES},
    {"bind, iostats \\-b fuse, a thread", 2 * HOSTFS_MAX_IO},
    {"iostats \\-b 9p, a message", IOSTATS_9P_MESSAGE_BYTES},
    {"export, a client", (1 + NINEP_OUT) * (uint64_t)NINEP_MSIZE},
    {"a program that prof profiles", PSPROF_USUAL_NODES *(uint64_t)PSPROF_SLOT_BYTES},
};

static void make_fixed_row(size_t i, char *line, size_t size)
{
    char cell[32];
    uint64_t bytes = fixed[i].bytes;
    if (bytes < 1024)
        snprintf(cell, sizeof cell, "%d bytes", (int)bytes);
    else if (bytes < MB)
        snprintf(cell, sizeof cell, "%d KB", (int)(bytes >> 10));
    else
        snprintf(cell, sizeof cell, "%d MB", (int)(bytes >> 20));
    snprintf(line, size, "%-*s%10s", (int)(36 + escapes(fixed[i].label)), fixed[i].label, cell);
}

TEST(the_table_of_fixed_buffers_of_psuite_1_is_what_is_compiled)
{
    if (sizeof(void *) < 8)
        SKIP("the table has the sizes of 64-bit processors");
    char *page = unit_file("../man/psuite.1", NULL);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        char line[128];
        make_fixed_row(i, line, sizeof line);
        CHECK_STR(strstr(page, line) ? line : "no such line in man/psuite.1", line);
    }
    free(page);
}
