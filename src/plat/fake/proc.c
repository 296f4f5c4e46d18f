/*
 * proc PID NAME FILE: /proc/PID/NAME reads as FILE does; the nth line of it at the nth reading, the
 * last ever after. thread PID TID: a thread. program PID
 * PATH: its executable. alive PID N: the process is there for the first N times that it is asked
 * about (default: not at all). Images are the files by path, relative to the scenario's folder when
 * the path there exists as "root" + path. jit PID FILE: its perf-PID.map. kallsyms FILE.
 * modules FILE.
 */
#include "plat/proc.h"

#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 1024 };

static int named_file(const char *file, struct buf *out, struct fail *f)
{
    return scenario_file(file, SIZE_MAX / 2, out, f);
}

int proc_text(int pid, const char *name, struct buf *out, struct fail *f)
{
    static bool was_read[MAX_LINES];
    const char *rest;
    char want[128], file[256];
    int r = scenario_fail("proc_text", f);
    if (r < 0)
        return r;
    snprintf(want, sizeof want, "%d %s ", pid, name);
    size_t line = SIZE_MAX;
    for (size_t i = 0; i < MAX_LINES && (rest = scenario_nth("proc", i)); i++)
        if (strncmp(rest, want, strlen(want)) == 0 && (line = i, !was_read[i]))
            break;
    if (line == SIZE_MAX)
        return fail_set(f, ESRCH, "process %d", pid);
    was_read[line] = true;
    if (sscanf(scenario_nth("proc", line) + strlen(want), "%255s", file) != 1)
        return fail_set(f, ESRCH, "process %d", pid);
    return named_file(file, out, f);
}

RETURNS(100, uint64_t, proc_ticks_hz, void)

void proc_program(int pid, struct buf *out)
{
    const char *rest = scenario_get("program");
    int of = 0, at = 0;
    if (rest && sscanf(rest, "%d %n", &of, &at) == 1 && of == pid)
        buf_adds(out, rest + at);
}

int proc_threads(int pid, int *out, int max_count, struct fail *f)
{
    int n = 0, of, tid;
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("thread", i)); i++)
        if (sscanf(rest, "%d %d", &of, &tid) == 2 && of == pid && n < max_count)
            out[n++] = tid;
    return n ? n : fail_set(f, ESRCH, "process %d", pid);
}

/* Those that have a file `maps'. */
int proc_list(int *out, int max_count, struct fail *f)
{
    int n = 0, pid;
    char name[32];
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("proc", i)); i++)
        if (sscanf(rest, "%d %31s", &pid, name) == 2 && strcmp(name, "maps") == 0 && n < max_count)
            out[n++] = pid;
    return n;
}

RETURNS(-1, int, proc_handle, int pid)
RETURNS(, void, proc_handle_close, int handle)
RETURNS(scenario_fail("proc_check", f), int, proc_check, struct fail *f)

int proc_check_process(int pid, struct fail *f)
{
    return proc_alive(pid) ? 0 : fail_set(f, ESRCH, "process %d", pid);
}

bool proc_alive(int pid)
{
    static int asked[8];
    const char *rest;
    for (size_t i = 0; i < sizeof asked / sizeof *asked && (rest = scenario_nth("alive", i)); i++) {
        int of = 0, times = 0;
        if (sscanf(rest, "%d %d", &of, &times) == 2 && of == pid)
            return asked[i]++ < times;
    }
    return false;
}

/* What was ordered is seen in $PSUITE_FAKE_ORDERS. */
int proc_order(int pid, enum proc_order order, struct fail *f)
{
    static const char *const words[] = {"stop", "go on", "kill"};
    const char *path = getenv("PSUITE_FAKE_ORDERS");
    int r = scenario_fail("proc_order", f);
    FILE *out = r == 0 && path ? fopen(path, "a") : NULL;
    if (out) {
        fprintf(out, "%s %d\n", words[order], pid);
        fclose(out);
    }
    return r;
}

int proc_image(const struct proc_mapping *at, struct image *out, struct fail *f)
{
    SCOPED_BUF path = BUF_INIT, name = BUF_INIT;
    int r = scenario_fail("proc_image", f);
    if (r < 0)
        return r;
    buf_printf(&name, "root%s", at->path);
    scenario_path(buf_str(&name), &path);
    return file_map(buf_str(&path), SIZE_MAX / 2, out, f);
}

/* The handle is the file's number among those held; proc_held_image finds it again. */
static struct buf held[8];

int proc_hold(const struct proc_mapping *at, struct fail *f)
{
    struct buf name = BUF_INIT;
    for (int i = 0; i < (int)(sizeof held / sizeof *held); i++) {
        if (held[i].len)
            continue;
        buf_printf(&name, "root%s", at->path);
        scenario_path(buf_str(&name), &held[i]);
        buf_release(&name);
        return i;
    }
    return fail_set(f, EMFILE, "%s", at->path);
}

int proc_held_image(int handle, struct image *out, struct fail *f)
{
    return file_map(buf_str(&held[handle]), SIZE_MAX / 2, out, f);
}

void proc_held_close(int handle)
{
    if (handle >= 0)
        buf_release(&held[handle]);
}

int proc_jit_open(int pid, struct proc_jit *out, struct fail *f)
{
    *out = (struct proc_jit){.folder = -1, .pid = pid};
    return 0;
}

int proc_jit_recorded(const char *root, int pid, struct proc_jit *out, struct fail *f)
{
    return proc_jit_open(pid, out, f);
}

int proc_jit_read(const struct proc_jit *j, struct buf *out, struct fail *f)
{
    char file[256];
    int of;
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("jit", i)); i++)
        if (sscanf(rest, "%d %255s", &of, file) == 2 && of == j->pid)
            return named_file(file, out, f);
    return fail_set(f, ENOENT, "perf-%d.map", j->pid);
}

RETURNS(, void, proc_jit_close, struct proc_jit *j)

static int scripted_file(const char *word, const char *path, struct buf *out, struct fail *f)
{
    const char *file = scenario_get(word);
    return file ? named_file(file, out, f) : fail_set(f, ENOENT, "%s", path);
}

int proc_modules(struct buf *out, struct fail *f)
{
    return scripted_file("modules", "/proc/modules", out, f);
}

int proc_kallsyms(struct buf *out, struct fail *f)
{
    return scripted_file("kallsyms", "/proc/kallsyms", out, f);
}

int proc_kallsyms_parts(void (*part)(void *arg, char *text, size_t len), void *arg, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = proc_kallsyms(&text, f);
    if (r == 0)
        part(arg, text.data, text.len);
    return r;
}

RETURNS(0, size_t, proc_memory, int pid, uint64_t from, void *bytes, size_t len)
