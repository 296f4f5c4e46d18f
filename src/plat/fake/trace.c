/*
 * The words of a scenario, trace:
 * - trace FOLDER: pages that a kernel wrote, and their description: FOLDER/header_page,
 *   FOLDER/GROUP/POINT (the format files), and a file a CPU, FOLDER/cpuN.pages, of pages of
 *   page=BYTES (4096); with `samples' of perf's records. Their times are the scenario's; a read
 * hands out all.
 * - of probes of functions: FOLDER/entry and FOLDER/exit are the formats of all, with `ID: 0',
 * which becomes 1000 + 2 * function, + 1 for an exit; `probes missed=N'; `no-ticks': times are in
 * ns
 * - btf FILE: the kernel's types; without it, there are none
 * - deadline PID RUNTIME DEADLINE PERIOD: in ns
 * - marks N: so many traces run elsewhere
 */
#include "plat/trace.h"

#include "core/base/bytes.h"
#include "plat/file.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    char folder[200];
    size_t page;
    bool read, samples;
};
enum { MAX_CPUS = 64, MAX_FILE_BYTES = 64 << 20, FIRST_PROBE = 1000 };

int trace_open(size_t buffer_bytes, struct trace **out, struct fail *f)
{
    const char *rest = scenario_get("trace");
    int r = scenario_fail("trace_open", f);
    struct trace *t = r < 0 ? NULL : calloc(1, sizeof *t);
    if (r < 0)
        return r;
    if (!t || !rest || sscanf(rest, "%199s", t->folder) != 1) {
        free(t);
        return fail_set(f, ENOENT, "trace");
    }
    t->page = scenario_number(rest, "page", 4096);
    t->samples = strstr(rest, " samples");
    *out = t;
    return 0;
}

int trace_graph_open(const char *function, size_t buffer_bytes, struct trace **out, struct fail *f)
{
    int r = scenario_fail("trace_graph_open", f);
    return r < 0 ? r : trace_open(buffer_bytes, out, f);
}

int trace_close(struct trace *t, struct fail *f)
{
    free(t);
    return scenario_fail("trace_close", f);
}

bool trace_names_ours(void)
{
    return scenario_fail("trace_names_ours", NULL) == 0;
}

RETURNS("fake tracefs", const char *, trace_method, const struct trace *t)

bool trace_has_pages(const struct trace *t)
{
    return !t->samples;
}

RETURNS(MAX_FILE_BYTES, size_t, trace_buffer_bytes, const struct trace *t)

static int map_file(const struct trace *t, const char *name, struct image *out)
{
    char below[300];
    SCOPED_BUF path = BUF_INIT;
    snprintf(below, sizeof below, "%s/%s", t->folder, name);
    scenario_path(below, &path);
    return file_map(buf_str(&path), MAX_FILE_BYTES, out, NULL);
}

/* The format of an event of a probe, "probe/entry 3": the same for all, but for its number. */
static int probe_text(const struct trace *t, const char *name, struct buf *out)
{
    char file[8];
    unsigned i;
    struct image text;
    if (sscanf(name, "probe/%7s %u", file, &i) != 2)
        return -ENOENT;
    int r = map_file(t, file, &text);
    if (r < 0)
        return r;
    const char *all = (const char *)text.data, *id = memmem(all, text.len, "ID: 0", 5);
    size_t before = id ? (size_t)(id - all) : 0;
    buf_add(out, all, before);
    buf_printf(out, "ID: %u", FIRST_PROBE + 2 * i + (file[1] == 'x'));
    buf_add(out, all + before + 5, text.len - before - 5);
    file_unmap(&text);
    return 0;
}

int trace_text(struct trace *t, const char *name, struct buf *out)
{
    struct image text;
    if (strncmp(name, "probe/", 6) == 0)
        return probe_text(t, name, out);
    int r = map_file(t, name, &text);
    if (r < 0)
        return r;
    buf_add(out, text.data, text.len);
    file_unmap(&text);
    return 0;
}

RETURNS(scenario_fail("trace_enable", f), int, trace_enable, struct trace *t, const char *name,
        struct fail *f)
RETURNS(scenario_fail("trace_start", f), int, trace_start, struct trace *t, struct fail *f)
RETURNS(, void, trace_raise_priority, struct trace *t)
RETURNS(, void, trace_stop, struct trace *t)

static void pass_records(const struct trace *t, int cpu, const struct image *file,
                         void (*emit)(void *arg, int cpu, const uint8_t *page, size_t len),
                         void *arg)
{
    size_t len;
    for (size_t at = 0; at + 8 <= file->len; at += len) {
        len = t->samples ? get_le16(file->data + at + 6) : t->page;
        if (len < 8 || len > file->len - at)
            return;
        emit(arg, cpu, file->data + at, len);
    }
}

size_t trace_read(struct trace *t,
                  void (*emit)(void *arg, int cpu, const uint8_t *page, size_t len), void *arg)
{
    size_t max_bytes = 0;
    for (int cpu = 0; cpu < MAX_CPUS && !t->read; cpu++) {
        char name[32];
        struct image pages;
        snprintf(name, sizeof name, "cpu%d.pages", cpu);
        if (map_file(t, name, &pages) < 0)
            continue;
        pass_records(t, cpu, &pages, emit, arg);
        max_bytes = pages.len > max_bytes ? pages.len : max_bytes;
        file_unmap(&pages);
    }
    t->read = true;
    return max_bytes;
}

int trace_deadline(int pid, struct trace_deadline *out)
{
    const char *rest;
    int of;
    for (size_t i = 0; (rest = scenario_nth("deadline", i)); i++)
        if (sscanf(rest, "%d %" SCNu64 " %" SCNu64 " %" SCNu64, &of, &out->runtime_ns,
                   &out->deadline_ns, &out->period_ns) == 4 &&
            of == pid)
            return 0;
    return -ESRCH;
}

int trace_mark(const char *text, struct fail *f)
{
    int n = (int)scenario_value("marks", 0);
    if (n)
        return n;
    fail_set(f, ESRCH, "no trace to mark");
    return -ESRCH;
}

/* --- probes: FOLDER/entry and FOLDER/exit are the formats of each, with `ID: 0' --- */

int trace_types(const char *module, struct buf *out)
{
    const char *file = scenario_get("btf");
    return file && !module ? scenario_file(file, MAX_FILE_BYTES, out, NULL) : -ENOENT;
}

RETURNS(6, unsigned, trace_probe_args, void)
RETURNS(scenario_fail("trace_stacks", f), int, trace_stacks, struct trace *t, struct fail *f)
RETURNS(scenario_fail("trace_probe", f), int, trace_probe, struct trace *t,
        const struct trace_probed *probe, size_t n, struct fail *f)

int trace_probe_call_texts(struct trace *t, const struct trace_probed *call, size_t n,
                           struct fail *f)
{
    return trace_probe(t, call, n, f);
}

const char *trace_probe_group(struct trace *t, char out[TRACE_PROBE_NAME_BYTES])
{
    snprintf(out, TRACE_PROBE_NAME_BYTES, "probe");
    return out;
}

const char *trace_probe_name(struct trace *t, size_t i, bool exit, char out[TRACE_PROBE_NAME_BYTES])
{
    snprintf(out, TRACE_PROBE_NAME_BYTES, "probe/%s %zu", exit ? "exit" : "entry", i);
    return out;
}

void trace_probe_count(struct trace *t, struct trace_probe_counts *out)
{
    const char *rest = scenario_get("probes");
    *out = (struct trace_probe_counts){.missed = rest ? scenario_number(rest, "missed", 0) : 0};
}

bool trace_use_ticks(struct trace *t)
{
    return !scenario_get("no-ticks");
}

RETURNS(scenario_fail("trace_only", f), int, trace_only, struct trace *t, const int *pid, size_t n,
        struct fail *f)
RETURNS(0, int, trace_own_pid, void)
