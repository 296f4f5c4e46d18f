/* Input and output of known amounts, as the kernel and iostats count it. */
#include "core/base/buf.h"
#include "core/base/scan.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/net.h"
#include "plat/wait.h"
#include "work.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Traced calls are slow where the processor is emulated. */
enum { BLOCKS = 1000, BLOCKS_TRACED = 200 };

enum { BYTES_READ, BYTES_WRITTEN, READS, WRITES, AMOUNTS };

struct amounts {
    struct selftest_check *check[AMOUNTS];
};

static void expect_amounts(struct selftest *t, const char *by, unsigned blocks, struct amounts *a)
{
    static const char *const label[AMOUNTS] = {"bytes read", "bytes written", "reads", "writes"};
    static const double each[AMOUNTS] = {WORKLOAD_READ_BYTES, WORKLOAD_WRITE_BYTES, 1, 1};
    for (size_t i = 0; i < AMOUNTS; i++) {
        double n = blocks * each[i];
        a->check[i] = selftest_add(t->report, "", 0, "%s (%s)", label[i], by);
        selftest_expect(a->check[i], n, n, n);
        a->check[i]->counter = true;
    }
}

/* --- /proc/PID/io --- */

static void measure_kernel(struct selftest *t)
{
    struct amounts a;
    struct work w;
    struct fail f;
    t->first = t->report->count;
    expect_amounts(t, "/proc", BLOCKS, &a);
    int r = selftest_is_late(t) ? -ETIME : work_start(t, &w, "io", &f);
    if (r == -ETIME)
        return;
    if (r == 0) {
        r = work_do(t, &w, BLOCKS, NULL, NULL, &f);
        work_end(&w);
    }
    if (r < 0)
        selftest_fail_pending(t, &f);
    for (size_t i = 0; r == 0 && i < AMOUNTS; i++)
        if (w.numbers == AMOUNTS)
            selftest_judge(a.check[i], (double)w.number[i]);
        else
            selftest_unavailable(a.check[i], "no /proc/PID/io",
                                 "kernel option CONFIG_TASK_IO_ACCOUNTING=y");
}

/* --- iostats --- */

/* The number of a key in the object of that path. */
static bool find_amount(const char *report, const char *path, const char *key, double *out)
{
    char quoted[64];
    uint64_t n;
    snprintf(quoted, sizeof quoted, "\"path\":\"%s\"", path);
    const char *at = strstr(report, quoted), *end = at ? strchr(at, '}') : NULL;
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = at ? strstr(at, quoted) : NULL;
    if (!at || !end || at > end)
        return false;
    at += strlen(quoted);
    bool known = scan_u64(&at, &n);
    *out = (double)n;
    return known;
}

/* What it prints on standard error, until it ends. */
static int read_errors(struct selftest *t, const struct coprocess *c, struct buf *out)
{
    enum { POLL_MS = 50, MAX_BYTES = 1 << 20 };
    uint64_t end_ns = clock_mono_ns() + (uint64_t)((WORKLOAD_MAX_SECONDS + 5) * NS_PER_S);
    struct wait_on on = {.handle = c->errors};
    char bytes[512];
    long n;
    while ((n = net_read(c->errors, bytes, sizeof bytes)) != 0) {
        if (n > 0 && out->len < MAX_BYTES)
            buf_add(out, bytes, (size_t)n);
        else if (n != -EAGAIN)
            return n < 0 ? (int)n : -EFBIG;
        if (selftest_tend(t))
            return -EINTR;
        if (clock_mono_ns() >= end_ns)
            return -ETIMEDOUT;
        if (n == -EAGAIN)
            wait_ready(&on, 1, POLL_MS);
    }
    return buf_error(out);
}

static int run_iostats(struct selftest *t, struct buf *report, struct fail *f)
{
    char blocks[16];
    const char *argv[6 + WORK_ARGUMENTS] = {workload_program, "iostats", "-b", "ptrace", "--json"};
    struct work w = {.name = "io"};
    snprintf(blocks, sizeof blocks, "%d", BLOCKS_TRACED);
    work_command(argv + 5, "io", blocks, NULL);
    int r = coprocess_start((char *const *)argv, &w.process, f);
    if (r < 0)
        return r;
    r = read_errors(t, &w.process, report);
    int status = work_end(&w);
    if (r == 0 && status && buf_str(report)[0] != '{')
        return fail_set(f, 0, "%.*s", (int)strcspn(buf_str(report), "\n"), buf_str(report));
    if (r == 0 && status)
        return fail_set(f, 0, "the workload io ended with status %d", status);
    return r < 0 ? fail_set(f, -r, "iostats") : 0;
}

static void judge_report(struct amounts *a, const char *report)
{
    static const struct {
        const char *path, *key;
    } of[AMOUNTS] = {{"/dev/zero", "read_bytes"},
                     {"/dev/null", "written_bytes"},
                     {"/dev/zero", "reads"},
                     {"/dev/null", "writes"}};
    double n = 0;
    for (size_t i = 0; i < AMOUNTS; i++)
        if (find_amount(report, of[i].path, of[i].key, &n))
            selftest_judge(a->check[i], n);
        else
            selftest_unverified(a->check[i], "iostats: %.*s", (int)strcspn(report, "\n") % 120,
                                report);
}

static void measure_iostats(struct selftest *t)
{
    struct finding found = find_ptrace(&t->machine);
    struct amounts a;
    SCOPED_BUF report = BUF_INIT;
    struct fail f;
    t->first = t->report->count;
    expect_amounts(t, "iostats", BLOCKS_TRACED, &a);
    if (!found.ok)
        selftest_finding_pending(t, &found);
    if (!found.ok || selftest_is_late(t))
        return;
    if (run_iostats(t, &report, &f) < 0)
        selftest_fail_pending(t, &f);
    else
        judge_report(&a, buf_str(&report));
}

void measure_io(struct selftest *t)
{
    measure_kernel(t);
    measure_iostats(t);
}
