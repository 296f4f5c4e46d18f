/* kprobes and kretprobes by tracefs' kprobe_events. */
#include "probes.h"

#include "backends.h"
#include "core/base/scan.h"
#include "files.h"
#include "probe_registers.h"
#include "process/descriptors.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Calls of a function at once whose returns are seen: more memory where there are few. */
enum { FEW = 64, RETURNS_OF_FEW = 512, RETURNS_OF_MANY = 64 };

/* --- names: the instance psuite-PID has the group psuite_PID, with events eI_PID and xI_PID --- */

/* The tracefs of an instance's folder; NULL: it is none. */
static const char *split_dir(const char *dir, char tracefs[PATH_MAX])
{
    const char *at = strstr(dir, "/instances/");
    if (!at || at - dir >= PATH_MAX)
        return NULL;
    memcpy(tracefs, dir, (size_t)(at - dir));
    tracefs[at - dir] = '\0';
    return at + strlen("/instances/");
}

static void swap_letter(char *text, char from, char to)
{
    for (; *text; text++)
        if (*text == from)
            *text = to;
}

const char *trace_probe_group(struct trace *t, char out[TRACE_PROBE_NAME_BYTES])
{
    char tracefs[PATH_MAX];
    const char *name = split_dir(t->dir, tracefs);
    snprintf(out, TRACE_PROBE_NAME_BYTES, "%s", name ? name : "psuite");
    swap_letter(out, '-', '_');
    return out;
}

const char *trace_probe_name(struct trace *t, size_t i, bool exit, char out[TRACE_PROBE_NAME_BYTES])
{
    char group[TRACE_PROBE_NAME_BYTES];
    trace_probe_group(t, group);
    const char *suffix = strchr(group, '_');
    snprintf(out, TRACE_PROBE_NAME_BYTES, "%.40s/%c%zu%.30s", group, exit ? 'x' : 'e', i,
             suffix ? suffix : "");
    return out;
}

/* --- definitions --- */

static const char *const registers[] = {PROBE_REGISTERS};
enum { REGISTERS = sizeof registers / sizeof *registers };

unsigned trace_probe_args(void)
{
    return REGISTERS;
}

static void add_arguments(const struct trace_probed *p, struct buf *line)
{
    for (unsigned i = 0; i < p->args && i < REGISTERS; i++)
        buf_printf(line, " a%u=%%%s:" PROBE_TYPE, i + 1, registers[i]);
    for (unsigned i = 0; i < p->args && i < REGISTERS; i++)
        if (p->texts >> i & 1)
            buf_printf(line, " s%u=+0(%%%s):string", i + 1, registers[i]);
}

int trace_probe_define(const char *tracefs, struct buf *line)
{
    int r = buf_error(line);
    buf_addc(line, '\n');
    r = r < 0 ? r : trace_file_write(tracefs, "kprobe_events", buf_str(line));
    buf_release(line);
    return r;
}

static int define_entry(struct trace *t, const char *tracefs, size_t i,
                        const struct trace_probed *p)
{
    char name[TRACE_PROBE_NAME_BYTES];
    struct buf line = BUF_INIT;
    buf_printf(&line, "p:%s %.160s", trace_probe_name(t, i, false, name), p->place);
    add_arguments(p, &line);
    return trace_probe_define(tracefs, &line);
}

static int define_exit(struct trace *t, const char *tracefs, size_t i, const struct trace_probed *p,
                       int returns)
{
    char name[TRACE_PROBE_NAME_BYTES];
    struct buf line = BUF_INIT;
    buf_printf(&line, "r%d:%s %.160s r=$retval:" PROBE_TYPE "%s", returns,
               trace_probe_name(t, i, true, name), p->place,
               p->returns_text ? " s1=+0($retval):string" : "");
    return trace_probe_define(tracefs, &line);
}

static void undefine(const char *tracefs, const char *name)
{
    char line[TRACE_PROBE_NAME_BYTES + 8];
    snprintf(line, sizeof line, "-:%s\n", name);
    trace_file_write(tracefs, "kprobe_events", line);
}

/* A function without its exit is left out. */
static int define_one(struct trace *t, const char *tracefs, size_t i, const struct trace_probed *p,
                      int returns)
{
    char name[TRACE_PROBE_NAME_BYTES];
    int r = define_entry(t, tracefs, i, p);
    if (r < 0)
        return r;
    r = define_exit(t, tracefs, i, p, returns);
    if (r < 0)
        undefine(tracefs, trace_probe_name(t, i, false, name));
    return r;
}

bool trace_probe_none(int r)
{
    return r == -EPERM || r == -EACCES || r == -ENOENT || r == -EOPNOTSUPP || r == -ENOMEM;
}

int trace_probe_refused(int r, struct fail *f)
{
    fail_set(f, -r, "kprobe_events");
    if (r == -EPERM || r == -EACCES)
        fail_hint(f, "it needs root, and a kernel that is not locked down: see psuite doctor");
    else if (r == -ENOENT)
        fail_hint(f, "the kernel has no kprobes: CONFIG_KPROBE_EVENTS");
    return r;
}

int trace_probe_place(struct trace *t, char tracefs[PATH_MAX], struct fail *f)
{
    if (t->ops->pages && split_dir(t->dir, tracefs)) {
        t->has_probes = true;
        return 0;
    }
    fail_set(f, EOPNOTSUPP, "kprobes: tracefs cannot be written");
    fail_hint(f, "run it as root, with a writable tracefs: see psuite doctor");
    return -EOPNOTSUPP;
}

int trace_probe(struct trace *t, const struct trace_probed *probe, size_t n, struct fail *f)
{
    char tracefs[PATH_MAX];
    int r = trace_probe_place(t, tracefs, f), returns = n <= FEW ? RETURNS_OF_FEW : RETURNS_OF_MANY;
    if (r < 0)
        return r;
    for (size_t i = 0; i < n; i++) {
        r = define_one(t, tracefs, i, &probe[i], returns);
        if (trace_probe_none(r))
            return trace_probe_refused(r, f);
    }
    return 0;
}

/* --- removal --- */

static void remove_group(const char *tracefs, const char *group)
{
    char path[PATH_MAX], name[TRACE_PROBE_NAME_BYTES];
    snprintf(path, sizeof path, "%.2000s/events/%.60s", tracefs, group);
    SCOPED_DIR dir = opendir(path);
    struct dirent *d;
    while (dir && (d = readdir(dir)))
        if ((d->d_name[0] == 'e' || d->d_name[0] == 'x') && strchr(d->d_name, '_') &&
            snprintf(name, sizeof name, "%s/%s", group, d->d_name) < (int)sizeof name)
            undefine(tracefs, name);
}

void trace_probes_remove(const char *instance)
{
    char tracefs[PATH_MAX], group[TRACE_PROBE_NAME_BYTES];
    const char *name = split_dir(instance, tracefs);
    if (!name)
        return;
    snprintf(group, sizeof group, "%.60s", name);
    swap_letter(group, '-', '_');
    remove_group(tracefs, group);
}

static void remove_if_stale(const char *tracefs, const char *group)
{
    char name[TRACE_PROBE_NAME_BYTES];
    snprintf(name, sizeof name, "%.60s", group);
    swap_letter(name, '_', '-');
    int pid = trace_instance_pid(name);
    if (pid > 0 && kill(pid, 0) < 0 && errno == ESRCH)
        remove_group(tracefs, group);
}

void trace_remove_stale_probes(const char *tracefs)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.2000s/events", tracefs);
    SCOPED_DIR dir = opendir(path);
    struct dirent *d;
    while (dir && (d = readdir(dir)))
        if (strncmp(d->d_name, "psuite_", strlen("psuite_")) == 0)
            remove_if_stale(tracefs, d->d_name);
}

/* --- counts: a line `  NAME  HITS  MISSED' an event --- */

static void count_line(const char *line, const char *suffix, struct trace_probe_counts *out)
{
    uint64_t hits, missed;
    size_t len = scan_word(&line), end = strlen(suffix);
    const char *at = line + len;
    if (len <= end || strncmp(at - end, suffix, end) != 0 || !scan_u64(&at, &hits) ||
        !scan_u64(&at, &missed))
        return;
    *(line[0] == 'x' ? &out->exits : &out->entries) += hits;
    out->missed += missed;
}

void trace_probe_count(struct trace *t, struct trace_probe_counts *out)
{
    char tracefs[PATH_MAX], group[TRACE_PROBE_NAME_BYTES];
    SCOPED_BUF text = BUF_INIT;
    *out = (struct trace_probe_counts){0};
    trace_probe_group(t, group);
    if (!strchr(group, '_') || !split_dir(t->dir, tracefs) ||
        trace_file_read(tracefs, "kprobe_profile", &text) < 0)
        return;
    for (const char *s = buf_str(&text); s; s = scan_next(s))
        count_line(s, strchr(group, '_'), out);
}

/* --- what else of an instance events of functions need --- */

bool trace_use_ticks(struct trace *t)
{
    if (trace_file_write(t->dir, "trace_clock", "x86-tsc") == 0)
        return true;
    trace_file_write(t->dir, "trace_clock", "mono_raw");
    return false;
}

int trace_types(const char *module, struct buf *out)
{
    if (module && strchr(module, '/'))
        return -ENOENT;
    return trace_file_read("/sys/kernel/btf", module ? module : "vmlinux", out);
}

#ifdef PROBE_NO_STACKS
int trace_stacks(struct trace *t, struct fail *f)
{
    fail_set(f, 0, "stacks of calls: Linux on 32-bit ARM crashes when it records them at a probe");
    fail_hint(f, "for call chains of the kernel by samples: psuite tprof -a -k -g");
    return -EOPNOTSUPP;
}
#else
int trace_stacks(struct trace *t, struct fail *f)
{
    int r = t->ops->pages ? trace_file_write(t->dir, "options/stacktrace", "1") : -EOPNOTSUPP;
    if (r == 0)
        return 0;
    trace_refused("options/stacktrace", -r, f);
    if (r == -ENOENT)
        fail_hint(f, "the kernel needs CONFIG_STACKTRACE");
    return r;
}
#endif

/* The file holds what one write has. */
static int write_pids(struct trace *t, const int *pid, size_t n)
{
    SCOPED_BUF text = BUF_INIT;
    for (size_t i = 0; i < n; i++)
        buf_printf(&text, "%d ", pid[i]);
    int r = buf_error(&text);
    if (r == 0)
        r = trace_file_write(t->dir, "options/event-fork", "1");
    if (r == 0)
        r = trace_file_write(t->dir, "set_event_pid", buf_str(&text));
    return r;
}

int trace_only(struct trace *t, const int *pid, size_t n, struct fail *f)
{
    int r = t->ops->pages && trace_names_ours() ? write_pids(t, pid, n) : -EOPNOTSUPP;
    if (r == -EOPNOTSUPP) {
        fail_set(f, EOPNOTSUPP, "tracing single processes");
        fail_hint(f, "in a PID namespace, as containers have, only all processes can be traced");
        return r;
    }
    return r < 0 ? trace_refused("set_event_pid", -r, f) : 0;
}

int trace_own_pid(void)
{
    return trace_names_ours() ? getpid() : 0;
}
