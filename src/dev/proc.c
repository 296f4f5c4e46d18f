/*
 * #p, proc(3): a directory a process, from /proc/PID, and in its own:
 * - trace: the stream of engine/trace/stream.h, by one opener at a time. When it is opened it is
 *   brought up to date; later it grows as the name space is tended. A read is -EAGAIN when nothing
 *   waits, and 0 also when no process is traced. Unlike Plan 9's, events are kept from `trace 1'
 *   on, not only while the file is open.
 * - tracing: its state, a number and a word per line; our own.
 * In each process's:
 * - args: its words, as rc quotes them (cmdline)
 * - ctl: takes `stop', `start', `kill', `profile' (counts from zero); `trace' turns tracing on or
 *   off, `trace 1' on, `trace 0' off, `event' posts a User event of a process that is traced; reads
 *   the process's number
 * - fd: its directory, then a line a descriptor: number, mode, type and device (both -), file and
 *   version, bytes a message (0: any), offset, name (fd, fdinfo)
 * - profile: where in its program it was, and the processes that it forked since:
 * core/report/profile_file.h; an error before ctl took `profile'
 * - status: core/procfs/plan9_text.h (stat, status)
 * - text: its program (exe)
 */
#include "dev.h"

#include "core/procfs/plan9_text.h"
#include "engine/sampling/held.h"
#include "engine/trace/stream.h"
#include "plat/cpustat.h"
#include "plat/proc.h"
#include "plat/rights.h"
#include "plat/sysfile.h"
#include "plat/wait.h"
#include "proc_fd.h"
#include "sys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROFILES = 64, MAX_PROCESSES = 65536, MAX_PID = 1 << 22 };

struct proc {
    struct held {
        int pid;
        struct profiling *profiling;
    } held[MAX_PROFILES];
    size_t profiles;
    struct tracing_stream *stream;
    bool stream_open;
    struct buf listed;
};

static int text_of(uint64_t pid, const char *name, struct buf *out, struct fail *f)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int r = sysfile_text(path, out, f);
    return r == -ENOENT ? fail_set(f, ESRCH, "process %d", (int)pid) : r;
}

/* --- profile --- */

static struct held *held_of(struct proc *p, uint64_t pid)
{
    for (size_t i = 0; i < p->profiles; i++)
        if (p->held[i].pid == (int)pid)
            return &p->held[i];
    return NULL;
}

static void drop_profile(struct proc *p, struct held *h)
{
    if (!h)
        return;
    profiling_free(h->profiling);
    *h = p->held[--p->profiles];
}

static int start_profile(struct proc *p, uint64_t pid, struct fail *f)
{
    drop_profile(p, held_of(p, pid));
    if (p->profiles == MAX_PROFILES) {
        fail_set(f, ENOSPC, "profile");
        fail_hint(f, "%d processes are already being profiled", MAX_PROFILES);
        return -ENOSPC;
    }
    struct held *h = &p->held[p->profiles];
    *h = (struct held){.pid = (int)pid};
    int r = profiling_start((int)pid, &h->profiling, f);
    p->profiles += r == 0;
    return r;
}

static int show_profile(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    const struct held *h = held_of(device, pid);
    return h ? profiling_text(h->profiling, out, f) : fail_set(f, 0, "profile is off");
}

static size_t profile_length(void *device, uint64_t pid)
{
    const struct held *h = held_of(device, pid);
    return h ? profiling_length(h->profiling) : 0;
}

/* --- ctl --- */

static int handle_trace(struct proc *p, int pid, const char *message, struct fail *f)
{
    bool toggle = strcmp(message, "trace") == 0;
    if (strcmp(message, "event") == 0)
        tracing_stream_mark(p->stream, pid);
    else if (strcmp(message, "trace 1") == 0 || (toggle && !tracing_stream_has(p->stream, pid)))
        return tracing_stream_add(p->stream, pid, f);
    else if (strcmp(message, "trace 0") == 0 || toggle)
        tracing_stream_drop(p->stream, pid);
    else
        return fail_set(f, 0, "bad process or channel control request");
    return 0;
}

static int handle_message(void *device, uint64_t pid, const char *message, struct fail *f)
{
    static const char *const words[] = {
        [PROC_STOP] = "stop", [PROC_CONTINUE] = "start", [PROC_KILL] = "kill"};
    for (int i = PROC_STOP; i <= PROC_KILL; i++)
        if (strcmp(message, words[i]) == 0)
            return proc_order((int)pid, (enum proc_order)i, f);
    if (strcmp(message, "profile") == 0)
        return start_profile(device, pid, f);
    return handle_trace(device, (int)pid, message, f);
}

static int show_pid(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    buf_printf(out, "%d", (int)pid);
    return 0;
}

/* --- status, args, text, fd --- */

static void user_of(uint64_t pid, char *out, size_t cap)
{
    SCOPED_BUF text = BUF_INIT, users = BUF_INIT;
    uint32_t uid = 0;
    snprintf(out, cap, "?");
    if (text_of(pid, "status", &text, NULL) == 0 && pid_status_uid(buf_str(&text), &uid)) {
        snprintf(out, cap, "%" PRIu32, uid);
        sysfile_text("/etc/passwd", &users, NULL);
        pid_status_user(buf_str(&users), uid, out, cap);
    }
}

static int show_status(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    struct pid_status about;
    char user[28];
    int r = text_of(pid, "stat", &text, f);
    if (r == 0 && !pid_status_parse(buf_str(&text), &about))
        r = fail_set(f, 0, "/proc/%d/stat: unknown format", (int)pid);
    if (r == 0) {
        uint64_t hz = cpustat_hz();
        struct dev_status s = {&about, user, hz, sysfile_page_bytes(), sys_uptime_ticks(hz)};
        user_of(pid, user, sizeof user);
        dev_status(&s, out);
    }
    return r;
}

static int show_args(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = text_of(pid, "cmdline", &text, f);
    if (r == 0)
        pid_status_args(text.data, text.len, out);
    return r;
}

/* The kernel lets a process trace itself, whatever rights it has taken: ours is not the asker's. */
static int may_trace(uint64_t pid, struct fail *f)
{
    bool asks_for_us = (int)pid == sysfile_self() && !rights_are_own();
    return asks_for_us ? fail_set(f, EACCES, "process %d", (int)pid) : 0;
}

static int open_program(void *device, uint64_t pid, struct fail *f)
{
    char path[64];
    int r = may_trace(pid, f);
    if (r < 0)
        return r;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return sysfile_open(path, f);
}

static int show_descriptors(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    int r = may_trace(pid, f);
    return r < 0 ? r : proc_fd_text((int)pid, out, f);
}

/* --- directories: their numbers are the processes' --- */

static bool pid_of(const char *name, uint64_t *pid)
{
    size_t digits = strspn(name, "0123456789");
    if (!digits || name[digits] || digits > 7 || name[0] == '0')
        return false;
    *pid = strtoul(name, NULL, 10);
    return *pid <= MAX_PID;
}

static bool is_there(uint64_t pid)
{
    SCOPED_BUF text = BUF_INIT;
    return text_of(pid, "stat", &text, NULL) == 0;
}

/* One that has ended is there as long as its profile is. */
static int find_process(void *device, const char *name, uint64_t *directory, struct fail *f)
{
    uint64_t pid;
    if (!pid_of(name, &pid) || (!is_there(pid) && !held_of(device, pid)))
        return fail_set(f, ENOENT, "%s", name);
    *directory = pid;
    return 0;
}

static int find_nth_process(void *device, size_t index, uint64_t *directory, struct fail *f)
{
    struct proc *p = device;
    size_t at = 0;
    if (index == 0) {
        buf_clear(&p->listed);
        sysfile_names("/proc", MAX_PROCESSES, &p->listed, NULL);
    }
    for (; at < p->listed.len; at += strlen(p->listed.data + at) + 1)
        if (pid_of(p->listed.data + at, directory) && index-- == 0)
            return 1;
    return 0;
}

static int name_of(void *device, uint64_t pid, char out[NS_NAME_MAX + 1], struct fail *f)
{
    snprintf(out, NS_NAME_MAX + 1, "%d", (int)pid);
    return 0;
}

/* --- trace --- */

static int open_stream(void *device, uint64_t directory, void **opened, struct fail *f)
{
    struct proc *p = device;
    if (p->stream_open)
        return fail_set(f, 0, "already open");
    p->stream_open = true;
    tracing_stream_tend(p->stream);
    return 0;
}

static long read_stream(void *device, void *opened, void *bytes, size_t len, struct fail *f)
{
    return tracing_stream_read(((struct proc *)device)->stream, bytes, len, f);
}

static void close_stream(void *device, void *opened)
{
    ((struct proc *)device)->stream_open = false;
}

static int show_tracing(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct tracing_stream_state s = tracing_stream_state(((struct proc *)device)->stream);
    buf_printf(out, "%zu tasks\n%" PRIu64 " waiting\n%" PRIu64 " dropped\n", s.tasks, s.waiting,
               s.dropped);
    buf_printf(out, "%" PRIu64 " lost\n%" PRIu64 " losses\n", s.lost, s.losses);
    return 0;
}

/* --- the device --- */

static int start_proc(void *device)
{
    struct proc *p = device;
    p->stream = tracing_stream_new();
    return p->stream ? 0 : -ENOMEM;
}

static void free_proc(void *device)
{
    struct proc *p = device;
    while (p->profiles)
        drop_profile(p, &p->held[p->profiles - 1]);
    tracing_stream_free(p->stream);
    buf_release(&p->listed);
}

static int tend_profiles(void *device)
{
    struct proc *p = device;
    int soonest = tracing_stream_tend(p->stream);
    for (size_t i = 0; i < p->profiles; i++)
        soonest = wait_min_ms(soonest, profiling_tend(p->held[i].profiling));
    return soonest;
}

static const struct dev_stream stream = {
    .open = open_stream, .read = read_stream, .close = close_stream};
static const struct dev_file files[] = {
    {.name = "trace", .mode = 0400, .stream = &stream},
    {.name = "tracing", .mode = 0444, .text = show_tracing},
    {.name = NULL},
};
static const struct dev_file inner[] = {
    {.name = "args", .mode = 0444, .text = show_args},
    {.name = "ctl", .mode = 0600, .text = show_pid, .write = handle_message},
    {.name = "fd", .mode = 0444, .guarded = true, .text = show_descriptors},
    {.name = "profile",
     .mode = 0400,
     .alignment = 4,
     .text = show_profile,
     .length = profile_length},
    {.name = "status", .mode = 0444, .text = show_status},
    {.name = "text", .mode = 0444, .guarded = true, .bytes = open_program},
    {.name = NULL},
};
static const char *const names[] = {"#p", "/proc", NULL};

const struct dev dev_proc = {.names = names,
                             .files = files,
                             .inner = inner,
                             .bytes = sizeof(struct proc),
                             .start = start_proc,
                             .end = free_proc,
                             .tend = tend_profiles,
                             .find = find_process,
                             .nth = find_nth_process,
                             .name = name_of};
