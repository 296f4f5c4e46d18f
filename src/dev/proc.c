/*
 * #p, proc(3): a directory a process, from /proc/PID. In each:
 *   args     its words, as rc quotes them (cmdline)
 *   ctl      takes `stop', `start', `kill', `profile' (counts from zero); reads the process's
 * number fd       its directory, then a line a descriptor: number, mode, type and device (both -),
 * file and version, bytes a message (0: any), offset, name (fd, fdinfo) profile  where in its
 * program it was: core/profile_file.h; an error before ctl took `profile' status   core/dev_text.h
 * (stat, status) text     its program (exe)
 */
#include "dev.h"

#include "core/dev_text.h"
#include "core/kernel_counts.h"
#include "engine/profiling.h"
#include "plat/cpustat.h"
#include "plat/proc.h"
#include "plat/sysfile.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROFILES = 64, MOST_DESCRIPTORS = 65536, MOST_PID = 1 << 22 };

struct proc {
    struct held {
        int pid;
        struct profiling *profiling;
    } held[MOST_PROFILES];
    size_t profiles;
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

static void drop(struct proc *p, struct held *h)
{
    if (!h)
        return;
    profiling_free(h->profiling);
    *h = p->held[--p->profiles];
}

static int start_profile(struct proc *p, uint64_t pid, struct fail *f)
{
    drop(p, held_of(p, pid));
    if (p->profiles == MOST_PROFILES) {
        fail_set(f, ENOSPC, "profile");
        fail_hint(f, "%d processes are profiled already", MOST_PROFILES);
        return -ENOSPC;
    }
    struct held *h = &p->held[p->profiles];
    *h = (struct held){.pid = (int)pid};
    int r = profiling_start((int)pid, &h->profiling, f);
    p->profiles += r == 0;
    return r;
}

static int profile(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    const struct held *h = held_of(device, pid);
    return h ? profiling_text(h->profiling, out, f) : fail_set(f, 0, "profile is off");
}

/* --- ctl --- */

static int order(void *device, uint64_t pid, const char *message, struct fail *f)
{
    static const char *const words[] = {
        [PROC_STOP] = "stop", [PROC_GO_ON] = "start", [PROC_KILL] = "kill"};
    for (int i = PROC_STOP; i <= PROC_KILL; i++)
        if (strcmp(message, words[i]) == 0)
            return proc_order((int)pid, (enum proc_order)i, f);
    if (strcmp(message, "profile") == 0)
        return start_profile(device, pid, f);
    if (strncmp(message, "trace", 5) == 0 || strcmp(message, "event") == 0)
        return fail_set(f, 0, "trace is not supported");
    return fail_set(f, 0, "bad process or channel control request");
}

static int number(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    (void)device;
    (void)f;
    buf_printf(out, "%d", (int)pid);
    return 0;
}

/* --- status, args, text --- */

static void user_of(uint64_t pid, char *out, size_t room)
{
    struct buf text = BUF_INIT, users = BUF_INIT;
    uint32_t uid = 0;
    snprintf(out, room, "?");
    if (text_of(pid, "status", &text, NULL) == 0 && proc_about_uid(buf_str(&text), &uid)) {
        snprintf(out, room, "%" PRIu32, uid);
        sysfile_text("/etc/passwd", &users, NULL);
        proc_about_user(buf_str(&users), uid, out, room);
    }
    buf_release(&text);
    buf_release(&users);
}

static uint64_t now_ticks(uint64_t hz)
{
    struct buf text = BUF_INIT;
    uint64_t ms = 0;
    if (sysfile_text("/proc/uptime", &text, NULL) == 0)
        kernel_load(buf_str(&text), &ms);
    buf_release(&text);
    return ms * hz / 1000;
}

static int status(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    struct buf text = BUF_INIT;
    struct proc_about about;
    char user[28];
    (void)device;
    int r = text_of(pid, "stat", &text, f);
    if (r == 0 && !proc_about_parse(buf_str(&text), &about))
        r = fail_set(f, 0, "/proc/%d/stat is no such line", (int)pid);
    if (r == 0) {
        uint64_t hz = cpustat_hz();
        struct dev_status s = {&about, user, hz, sysfile_page_bytes(), now_ticks(hz)};
        user_of(pid, user, sizeof user);
        dev_status(&s, out);
    }
    buf_release(&text);
    return r;
}

static int args(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    struct buf text = BUF_INIT;
    (void)device;
    int r = text_of(pid, "cmdline", &text, f);
    if (r == 0)
        proc_about_args(text.data, text.len, out);
    buf_release(&text);
    return r;
}

static int program(void *device, uint64_t pid, struct fail *f)
{
    char path[64];
    (void)device;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return sysfile_open(path, f);
}

/* --- fd --- */

static void add_descriptor(uint64_t pid, const char *number, struct buf *out)
{
    static const char *const modes[] = {"r", "w", "rw", "?"};
    struct buf text = BUF_INIT, name = BUF_INIT;
    struct proc_fdinfo info;
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%.20s", (int)pid, number);
    bool known = sysfile_text(path, &text, NULL) == 0 && proc_fdinfo_parse(buf_str(&text), &info);
    snprintf(path, sizeof path, "/proc/%d/fd/%.20s", (int)pid, number);
    if (known && sysfile_link(path, &name, NULL) == 0)
        buf_printf(out, "%3s %-2s - %4s (%.16" PRIx64 " 0 00) %5d %8" PRIu64 " %s\n", number,
                   modes[info.access], "-", info.inode, 0, info.offset, buf_str(&name));
    buf_release(&text);
    buf_release(&name);
}

static int compare(const void *a, const void *b)
{
    long x = atol(*(char *const *)a), y = atol(*(char *const *)b);
    return x < y ? -1 : x > y;
}

/* In the order of their numbers. */
static int add_descriptors(uint64_t pid, const struct buf *names, struct buf *out)
{
    size_t n = 0;
    for (size_t at = 0; at < names->len; at += strlen(names->data + at) + 1)
        n++;
    char **name = malloc((n + 1) * sizeof *name), **last = name;
    if (!name)
        return -ENOMEM;
    for (size_t at = 0; at < names->len; at += strlen(names->data + at) + 1)
        *last++ = names->data + at;
    qsort(name, n, sizeof *name, compare);
    for (size_t i = 0; i < n; i++)
        add_descriptor(pid, name[i], out);
    free(name);
    return 0;
}

static int descriptors(void *device, uint64_t pid, struct buf *out, struct fail *f)
{
    struct buf names = BUF_INIT;
    char path[64];
    (void)device;
    snprintf(path, sizeof path, "/proc/%d/cwd", (int)pid);
    int r = sysfile_link(path, out, f);
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    if (r == 0)
        r = sysfile_names(path, MOST_DESCRIPTORS, &names, f);
    buf_addc(out, '\n');
    if (r == 0 && add_descriptors(pid, &names, out) < 0)
        r = fail_set(f, ENOMEM, "%s", path);
    buf_release(&names);
    return r;
}

/* --- directories: their numbers are the processes' --- */

static bool pid_of(const char *name, uint64_t *pid)
{
    size_t digits = strspn(name, "0123456789");
    if (!digits || name[digits] || digits > 7 || name[0] == '0')
        return false;
    *pid = strtoul(name, NULL, 10);
    return *pid <= MOST_PID;
}

static bool is_there(uint64_t pid)
{
    struct buf text = BUF_INIT;
    bool there = text_of(pid, "stat", &text, NULL) == 0;
    buf_release(&text);
    return there;
}

/* One that has ended is there as long as its profile is. */
static int find(void *device, const char *name, uint64_t *directory, struct fail *f)
{
    uint64_t pid;
    if (!pid_of(name, &pid) || (!is_there(pid) && !held_of(device, pid)))
        return fail_set(f, ENOENT, "%s", name);
    *directory = pid;
    return 0;
}

static int nth(void *device, size_t index, uint64_t *directory, struct fail *f)
{
    struct proc *p = device;
    size_t at = 0;
    (void)f;
    if (index == 0) {
        buf_clear(&p->listed);
        sysfile_names("/proc", MOST_DESCRIPTORS, &p->listed, NULL);
    }
    for (; at < p->listed.len; at += strlen(p->listed.data + at) + 1)
        if (pid_of(p->listed.data + at, directory) && index-- == 0)
            return 1;
    return 0;
}

static int name_of(void *device, uint64_t pid, char out[NS_NAME_MOST + 1], struct fail *f)
{
    (void)device;
    (void)f;
    snprintf(out, NS_NAME_MOST + 1, "%d", (int)pid);
    return 0;
}

static void *start(void)
{
    return calloc(1, sizeof(struct proc));
}

static void end(void *device)
{
    struct proc *p = device;
    while (p->profiles)
        drop(p, &p->held[p->profiles - 1]);
    buf_release(&p->listed);
    free(p);
}

static int tend(void *device)
{
    struct proc *p = device;
    int soonest = -1;
    for (size_t i = 0; i < p->profiles; i++) {
        int ms = profiling_tend(p->held[i].profiling);
        if (ms >= 0 && (soonest < 0 || ms < soonest))
            soonest = ms;
    }
    return soonest;
}

static const struct dev_file inner[] = {
    {.name = "args", .mode = 0444, .text = args},
    {.name = "ctl", .mode = 0600, .text = number, .write = order},
    {.name = "fd", .mode = 0444, .text = descriptors},
    {.name = "profile", .mode = 0400, .alignment = 4, .text = profile},
    {.name = "status", .mode = 0444, .text = status},
    {.name = "text", .mode = 0444, .bytes = program},
    {.name = NULL},
};
static const char *const names[] = {"#p", "/proc", NULL};

const struct dev dev_proc = {.names = names,
                             .inner = inner,
                             .start = start,
                             .end = end,
                             .tend = tend,
                             .find = find,
                             .nth = nth,
                             .name = name_of};
