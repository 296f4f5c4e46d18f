#include "applets/time_running.h"

#include "applets/applet.h"
#include "applets/progress.h"
#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/time/running.h"
#include "plat/clock.h"
#include "plat/count_running.h"
#include "plat/file.h"
#include "plat/proc.h"
#include "plat/wait.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 100, MAX_WAIT_MS = 1000 }; /* how often to look for an end that no handle says */

struct counting {
    const struct applet *applet;
    struct time_running *t;
    struct count_running *counters;
    int handle[TIME_MAX_PIDS]; /* ready when the process has ended; -1: not known by a handle */
    bool ended[TIME_MAX_PIDS];
    uint64_t start_ns, last_ns, next_ns, end_ns; /* next_ns, end_ns: 0: none */
    struct counter_reading last[TIME_COUNTERS], now[TIME_COUNTERS];
    unsigned long intervals;
    struct progress progress;
    int status;
};

/* --- operands --- */

static bool parse_pid(const char *at, size_t len, int *out)
{
    char *end;
    errno = 0;
    long pid = len ? strtol(at, &end, 10) : 0;
    if (pid < 1 || pid > INT_MAX || errno || end != at + len || strspn(at, "0123456789") != len)
        return false;
    *out = (int)pid;
    return true;
}

static void add_pid(struct time_running *t, int pid)
{
    for (size_t i = 0; i < t->pids; i++)
        if (t->pid[i] == pid)
            return;
    t->pid[t->pids++] = pid;
}

int time_running_pids(const struct applet *a, const char *list, struct time_running *t)
{
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        int pid;
        if (!parse_pid(at, len, &pid))
            return applet_misuse(a, "-p: %s: not a PID, nor PIDs with commas between", list);
        if (t->pids == TIME_MAX_PIDS)
            return applet_misuse(a, "-p: at most %d processes", TIME_MAX_PIDS);
        add_pid(t, pid);
        at += len;
        if (!*at)
            return 0;
    }
}

/* --- output --- */

static void write_report(struct counting *c, struct buf *text)
{
    const struct time_running *t = c->t;
    struct fail f;
    int r = buf_error(text);
    if (c->status)
        return;
    if (!t->out || r < 0) {
        c->status = applet_print_err(c->applet, text, DONE);
        return;
    }
    r = file_append(t->handle, buf_str(text), text->len, t->out, &f);
    if (r < 0)
        c->status = applet_fail(c->applet, &f);
}

static void finish_report(struct counting *c)
{
    const struct time_running *t = c->t;
    struct fail f;
    if (!t->out)
        return;
    if (c->status)
        file_abandon(t->handle, t->out);
    else if (file_finish(t->handle, t->out, &f) < 0)
        c->status = applet_fail(c->applet, &f);
}

static void report_interval(struct counting *c, uint64_t now_ns)
{
    struct time_report *r = c->t->report;
    SCOPED_BUF text = BUF_INIT;
    struct time_interval at = {.number = ++c->intervals, .end_ns = now_ns - c->start_ns};
    time_span(r, c->last, c->now, now_ns - c->last_ns, &at.run);
    switch (c->t->form) {
    case RUNNING_TEXT:
        time_interval_text(r, &at, &text);
        break;
    case RUNNING_JSON:
        time_interval_json(r, &at, &text);
        break;
    case RUNNING_CSV:
        time_interval_csv(r, &at, &text);
        break;
    }
    write_report(c, &text);
    memcpy(c->last, c->now, sizeof c->last);
    c->last_ns = now_ns;
}

static void report_totals(struct counting *c, uint64_t now_ns)
{
    const struct time_running *t = c->t;
    const struct time_running_of of = {
        .pid = t->pid, .pids = t->pids, .targets = count_running_targets(c->counters)};
    struct time_run run;
    SCOPED_BUF text = BUF_INIT;
    time_span(t->report, NULL, c->now, now_ns - c->start_ns, &run);
    if (t->form == RUNNING_JSON)
        time_running_json(t->report, &of, &run, &text);
    else
        time_running_text(t->report, &of, &run, &text);
    write_report(c, &text);
}

/* --- waiting --- */

static bool all_ended(struct counting *c)
{
    size_t ended = 0;
    for (size_t i = 0; i < c->t->pids; i++) {
        if (!c->ended[i] && c->handle[i] < 0)
            c->ended[i] = !proc_alive(c->t->pid[i]);
        ended += c->ended[i];
    }
    return c->t->pids && ended == c->t->pids;
}

/* Until the next interval, the end, or the next look. */
static int timeout_ms(const struct counting *c)
{
    uint64_t now_ns = clock_mono_ns();
    int ms = c->progress.width ? MAX_WAIT_MS : -1;
    if (c->next_ns)
        ms = wait_min_ms(ms, ms_until(now_ns, c->next_ns));
    if (c->end_ns)
        ms = wait_min_ms(ms, ms_until(now_ns, c->end_ns));
    for (size_t i = 0; i < c->t->pids; i++)
        if (c->handle[i] < 0 && !c->ended[i])
            ms = wait_min_ms(ms, LOOK_MS);
    return ms;
}

/* False: interrupted, or all processes have ended. */
static bool wait_on(struct counting *c)
{
    struct wait_on set[1 + TIME_MAX_PIDS] = {{.handle = interrupt_open()}};
    size_t n = c->t->pids;
    for (size_t i = 0; i < n; i++)
        set[1 + i].handle = c->ended[i] ? -1 : c->handle[i];
    wait_ready(set, 1 + n, timeout_ms(c));
    for (size_t i = 0; i < n; i++)
        c->ended[i] |= set[1 + i].ready;
    return !(set[0].ready && interrupt_read(NULL)) && !all_ended(c);
}

/* The interval after now; those that passed while psuite did not run are one. */
static void plan_next(struct counting *c, uint64_t now_ns)
{
    uint64_t each = (uint64_t)(c->t->interval * NS_PER_S);
    c->next_ns += each * ((now_ns - c->next_ns) / each + 1);
}

static void count_on(struct counting *c)
{
    uint64_t now_ns = c->start_ns;
    for (bool on = true; on && c->status == DONE;) {
        on = wait_on(c);
        now_ns = clock_mono_ns();
        on &= !c->end_ns || now_ns < c->end_ns;
        bool due = c->next_ns && (!on || now_ns >= c->next_ns);
        if (due || !on)
            count_running_read(c->counters, c->now);
        if (due)
            report_interval(c, now_ns);
        if (due && on)
            plan_next(c, now_ns);
        if (!on)
            progress_wipe(&c->progress);
        else if (!c->next_ns && progress_due(&c->progress))
            progress_draw(&c->progress, "%.0f s", (double)c->progress.spent_ns / 1e9);
    }
    if (c->status == DONE && c->t->form == RUNNING_CSV && !c->intervals)
        report_interval(c, now_ns);
    if (c->status == DONE && c->t->form != RUNNING_CSV)
        report_totals(c, now_ns);
}

/* --- all --- */

static void say_begun(struct counting *c)
{
    SCOPED_BUF what = BUF_INIT;
    if (c->t->machine)
        buf_adds(&what, "on all CPUs");
    else if (c->t->pids == 1)
        progress_process(&what, c->t->pid[0]);
    else
        buf_adds(&what, counted(c->t->pids, "process").text);
    progress_start(&c->progress, true);
    progress_begin(&c->progress, "counting %s", buf_str(&what));
}

static void start_clock(struct counting *c)
{
    const struct time_running *t = c->t;
    c->start_ns = c->last_ns = clock_mono_ns();
    if (t->interval > 0)
        c->next_ns = c->start_ns + (uint64_t)(t->interval * NS_PER_S);
    if (t->seconds > 0)
        c->end_ns = c->start_ns + (uint64_t)(t->seconds * NS_PER_S);
}

/* The handles are opened before: a PID that ends and is given away again in between is not waited
 * for. */
static int open_counters(struct counting *c)
{
    const struct time_running *t = c->t;
    const struct count_running_want want = {
        .event = t->event, .events = t->events, .pid = t->pid, .pids = t->pids};
    struct fail f;
    interrupt_open();
    for (size_t i = 0; i < t->pids; i++)
        c->handle[i] = proc_handle(t->pid[i]);
    return count_running_open(&want, &c->counters, &f) < 0 ? applet_fail(c->applet, &f) : DONE;
}

static void warn_of_unsure(const struct counting *c)
{
    size_t n = count_running_unsure(c->counters);
    if (n)
        applet_warn(c->applet, "%s began while the counters were opened: they may not be counted",
                    counted(n, "thread").text);
}

int time_running_count(const struct applet *a, struct time_running *t)
{
    struct counting c = {.applet = a, .t = t};
    t->report->machine = t->machine;
    c.status = open_counters(&c);
    if (c.status == DONE) {
        start_clock(&c);
        warn_of_unsure(&c);
        say_begun(&c);
        count_on(&c);
    }
    finish_report(&c);
    count_running_close(c.counters);
    for (size_t i = 0; i < t->pids; i++)
        proc_handle_close(c.handle[i]);
    return c.status;
}
