#include "machine_read.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/procfs/counters.h"
#include "core/procfs/proc_stat.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "plat/sysfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSES = 1 << 16, MAX_THREADS = 1 << 16, KB = 1024 };

/* Of one round. */
struct reader {
    struct io_machine *m;
    bool has_wait;
    struct fail denied; /* of a process that was not readable */
    struct buf path, text, stat;
    struct io_thread *thread;
    size_t threads, thread_cap;
};

static int read_text(struct reader *r, const char *folder, const char *name, struct buf *out)
{
    buf_clear(&r->path);
    buf_printf(&r->path, "%s/%s", folder, name);
    buf_clear(out);
    int err = sysfile_text(buf_str(&r->path), out, NULL);
    return err ? err : buf_error(out);
}

static int read_io(struct reader *r, const char *folder, struct proc_io *out)
{
    int err = read_text(r, folder, "io", &r->text);
    if (err)
        return err;
    return proc_io_parse(buf_str(&r->text), out) ? 0 : -ESRCH;
}

/* --- threads --- */

static void add_thread(struct reader *r, const char *folder, int tid)
{
    struct io_thread t = {.tid = tid};
    struct proc_stat s;
    if (!grow(&r->thread, &r->thread_cap, r->threads, sizeof *r->thread) ||
        read_io(r, folder, &t.io) < 0)
        return;
    if (r->has_wait && read_text(r, folder, "stat", &r->text) == 0 &&
        proc_stat_parse(buf_str(&r->text), &s))
        t.wait_ns = s.wait_ticks * (NS_PER_S / proc_ticks_hz());
    r->thread[r->threads++] = t;
}

static void read_threads(struct reader *r, const char *process)
{
    SCOPED_BUF tasks = BUF_INIT, names = BUF_INIT, folder = BUF_INIT;
    buf_printf(&tasks, "%s/task", process);
    r->threads = 0;
    if (sysfile_names(buf_str(&tasks), MAX_THREADS, &names, NULL) == 0)
        for (size_t at = 0; at < names.len; at += strlen(names.data + at) + 1) {
            buf_clear(&folder);
            buf_printf(&folder, "%s/%s", buf_str(&tasks), names.data + at);
            add_thread(r, buf_str(&folder), atoi(names.data + at));
        }
}

/* --- processes --- */

static void read_counters(struct reader *r, const char *folder, struct io_reading *to)
{
    if (!io_machine_changed(r->m, to))
        return;
    read_threads(r, folder);
    to->thread = r->thread;
    to->threads = r->threads;
    if (read_io(r, folder, &to->after) < 0)
        to->after = to->whole;
}

static void read_process(struct reader *r, int pid)
{
    char folder[32];
    struct proc_stat s;
    struct io_reading to = {.pid = pid};
    snprintf(folder, sizeof folder, "/proc/%d", pid);
    if (read_text(r, folder, "stat", &r->stat) < 0 || !proc_stat_parse(buf_str(&r->stat), &s) ||
        !(to.name = proc_stat_name(buf_str(&r->stat), &to.name_len)))
        return;
    to.parent = s.parent;
    to.started = s.start_ticks;
    int err = read_io(r, folder, &to.whole);
    if (err && err != -EACCES && err != -EPERM)
        return;
    to.readable = err == 0;
    if (err && !*r->denied.hint) {
        buf_clear(&r->text);
        proc_text(pid, "io", &r->text, &r->denied);
    }
    read_counters(r, folder, &to);
    io_machine_add(r->m, &to);
}

static void read_processes(struct reader *r)
{
    SCOPED_BUF names = BUF_INIT;
    if (sysfile_names("/proc", MAX_PROCESSES, &names, NULL) == 0)
        for (size_t at = 0; at < names.len; at += strlen(names.data + at) + 1)
            if (isdigit((unsigned char)names.data[at]))
                read_process(r, atoi(names.data + at));
}

/* --- the machine --- */

static void read_devices(struct reader *r, struct io_round *to)
{
    uint64_t in, out;
    if (read_text(r, "/proc", "vmstat", &r->text) < 0 ||
        !kernel_count(buf_str(&r->text), "pgpgin", &in) ||
        !kernel_count(buf_str(&r->text), "pgpgout", &out))
        return;
    to->has_devices = true;
    to->device_read = in * KB;
    to->device_written = out * KB;
}

/* Before 5.14 there is no such switch, and nothing says whether they are measured. */
static bool measures_waits(struct reader *r)
{
    return read_text(r, "/proc/sys/kernel", "task_delayacct", &r->text) == 0 &&
           *buf_str(&r->text) == '1';
}

void machine_read(struct io_machine *m)
{
    struct reader r = {.m = m};
    struct io_round round = {0};
    r.has_wait = round.has_wait = measures_waits(&r);
    io_machine_begin(m);
    read_processes(&r);
    read_devices(&r, &round);
    round.time_ns = clock_mono_ns();
    snprintf(round.unreadable, sizeof round.unreadable, "%.*s", IO_MACHINE_REASON - 1,
             r.denied.hint);
    io_machine_end(m, &round);
    buf_release(&r.path);
    buf_release(&r.text);
    buf_release(&r.stat);
    free(r.thread);
}
