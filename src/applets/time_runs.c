#include "applets/time_runs.h"

#include "applets/applet.h"
#include "applets/progress.h"
#include "core/base/buf.h"
#include "core/time/gate.h"
#include "plat/child.h"
#include "plat/wait.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TIME_COUNTERS == (int)RUNS_COUNTERS,
               "as many counters are reported as are taken");

static void draw_progress(struct progress *p, unsigned long made, unsigned long all)
{
    SCOPED_BUF line = BUF_INIT;
    if (!progress_due(p))
        return;
    time_progress(made, all, (double)p->spent_ns, (size_t)p->width - 1, &line);
    progress_draw(p, "%s", buf_str(&line));
}

static void basic_values(const struct child_end *e, double *value)
{
    value[TIME_REAL] = (double)e->real_ns;
    value[TIME_USER] = (double)e->user_ns;
    value[TIME_SYSTEM] = (double)e->sys_ns;
    value[TIME_PEAK_RSS] = (double)e->peak_rss_bytes;
    value[TIME_MINOR_FAULTS] = (double)e->minor_faults;
    value[TIME_MAJOR_FAULTS] = (double)e->major_faults;
    value[TIME_VOLUNTARY] = (double)e->voluntary_switches;
    value[TIME_INVOLUNTARY] = (double)e->involuntary_switches;
    value[TIME_BLOCKS_IN] = (double)e->blocks_in;
    value[TIME_BLOCKS_OUT] = (double)e->blocks_out;
}

static int add_run(struct time_runs *t, const struct runs_end *e)
{
    struct time_run run = {
        .signalled = e->end.signalled,
        .core = e->end.core,
        .code = e->end.code,
        .rss_at_floor = e->end.peak_rss_bytes <= e->end.floor_rss_bytes,
    };
    basic_values(&e->end, run.value);
    for (size_t i = 0; i < t->events; i++) {
        t->report.counter[i].state = e->count[i].state;
        run.value[TIME_BASIC + i] = counter_scaled(&e->count[i]);
        run.share[i] = counter_share(&e->count[i]);
    }
    return time_command_add(&t->report.command[e->command], &run);
}

/* A whole command line in quotes, as hyperfine takes it. */
static void hint_at_shell(const struct time_report *r, struct fail *f)
{
    for (size_t i = 0; i < r->commands; i++) {
        const char *name = r->command[i].argv[0], *next = r->command[i].argv[1];
        if (f->err != ENOENT || !strchr(name, ' ') || strncmp(f->what, name, strlen(f->what)) != 0)
            continue;
        if (next)
            fail_hint(f, "to compare commands: psuite time -n 10 -- %s -- %s", name, next);
        else
            fail_hint(f, "write it without quotes, or run a shell: sh -c '%s'", name);
        return;
    }
}

/* A second command line in quotes, which is an argument of the first. */
static void warn_of_quoted(const struct applet *a, const struct time_report *r)
{
    char first[256];
    const char *name = r->command[0].argv[0], *next = r->command[0].argv[1];
    size_t len = next && r->commands == 1 ? strcspn(next, " ") : 0;
    if (!len || !next[len] || len >= sizeof first)
        return;
    memcpy(first, next, len);
    first[len] = '\0';
    if (child_finds(name) && child_finds(first))
        applet_warn(a, "`%s' is an argument of %s; to compare: psuite time -n 10 -- %s -- %s", next,
                    name, name, next);
}

/* `-c cycles', where -ccycles was meant. */
static void hint_at_events(const struct time_report *r, struct fail *f)
{
    struct count_event event;
    const char *name = r->command[0].argv[0];
    if (f->err == ENOENT && r->counters && count_find(name, strcspn(name, ","), &event, NULL) == 0)
        fail_hint(f, "events are joined to the option: -c%s", name);
}

static int not_run(const struct applet *a, const struct time_report *r, struct fail *f)
{
    hint_at_shell(r, f);
    hint_at_events(r, f);
    applet_fail(a, f);
    switch (f->err) {
    case ENOENT:
    case ENOTDIR:
        return NOT_FOUND;
    case EACCES:
    case ENOEXEC:
        return NOT_EXECUTABLE;
    default:
        return FAILED;
    }
}

/* A single run is the command's own business to end; of a series it is the last. */
static void handle_interrupt(struct time_runs *t, struct runs *r)
{
    int signal = interrupt_read(NULL);
    if (!signal || (signal == SIGINT && !t->series))
        return;
    t->report.interrupted = t->series;
    if (t->series)
        t->status = SIGNALLED + signal;
    runs_stop(r, signal == SIGINT ? 0 : signal);
}

/* Waits for a run's end while answering interrupts: 1, 0 when all are made, negative with f set. */
static int next_end(struct time_runs *t, struct runs *r, struct runs_end *end, struct fail *f)
{
    struct wait_on set[] = {{.handle = interrupt_open()}, {.handle = runs_handle(r)}};
    while (!set[1].ready) {
        wait_ready(set, 2, -1);
        if (set[0].ready)
            handle_interrupt(t, r);
    }
    return runs_next(r, end, f);
}

/* Whether the run ended, or failed, because of the interrupt: it says nothing about the command. */
static bool cut_short(const struct time_runs *t, const struct runs_end *e)
{
    return t->series && (e->interrupted || (t->report.interrupted && child_status(&e->end) != 0));
}

/* A run's end; 0, or a negative errno. */
static int take_end(struct time_runs *t, const struct runs_end *end)
{
    struct time_report *report = &t->report;
    int status = child_status(&end->end);
    if (cut_short(t, end)) {
        report->interrupted = true;
        t->status = status;
        return 0;
    }
    if (status) {
        t->status = status;
        report->stopped = t->series && !t->ignore_failure;
    }
    return t->made++ < report->warmups * report->commands ? 0 : add_run(t, end);
}

static int not_prepared(const struct applet *a, const char *option, const struct child_end *end)
{
    return applet_error(a, "%s: %s %d", option, end->signalled ? "ended by signal" : "exit status",
                        end->code);
}

static int gather_runs(const struct applet *a, struct time_runs *t, struct runs *r)
{
    struct time_report *report = &t->report;
    struct progress p;
    unsigned long all = (report->wanted + report->warmups) * report->commands;
    struct runs_end end;
    struct fail f;
    int got = 1, err = 0;
    progress_start(&p, t->series);
    while (err == 0 && !report->stopped && (got = next_end(t, r, &end, &f)) > 0) {
        if (end.exec_errno || (end.unprepared && !end.interrupted))
            break;
        err = take_end(t, &end);
        draw_progress(&p, t->made, all);
    }
    progress_wipe(&p);
    if (err < 0)
        got = fail_set(&f, -err, "runs");
    if (got <= 0)
        return got < 0 ? applet_fail(a, &f) : 0;
    if (report->stopped)
        return 0;
    if (end.unprepared)
        return not_prepared(a, "--prepare", &end.end);
    fail_set(&f, end.exec_errno, "%s", report->command[end.command].argv[0]);
    return not_run(a, report, &f);
}

/* One batch of rounds of all commands. */
static int make_batch(const struct applet *a, struct time_runs *t, unsigned long rounds)
{
    struct time_report *report = &t->report;
    struct runs *r;
    struct fail f;
    char *const **argvs = calloc(report->commands, sizeof *argvs);
    if (!argvs)
        return applet_error(a, "commands: %s", strerror(ENOMEM));
    for (size_t i = 0; i < report->commands; i++)
        argvs[i] = report->command[i].argv;
    struct runs_plan plan = {
        .command = argvs,
        .prepare = t->commands.prepare_argv,
        .commands = report->commands,
        .rounds = rounds + (report->wanted ? 0 : report->warmups),
        .hide_output = t->series && !t->show_output,
        .end_at_failure = t->series && !t->ignore_failure,
        .event = t->event,
        .events = t->events,
    };
    report->wanted += rounds;
    int status = runs_start(&plan, &r, &f) < 0 ? not_run(a, report, &f) : 0;
    if (status == 0) {
        status = gather_runs(a, t, r);
        runs_free(r);
    }
    free(argvs);
    return status;
}

/* --- once, before and after --- */

static int run_shell(const struct applet *a, struct time_runs *t, const char *option,
                     const struct time_shell *shell)
{
    char *const *const argv[] = {shell->argv};
    struct runs_plan plan = {
        .command = argv, .commands = 1, .rounds = 1, .hide_output = !t->show_output};
    struct runs_end end = {0};
    struct runs *r;
    struct fail f;
    int status = runs_start(&plan, &r, &f) < 0 ? applet_fail(a, &f) : 0;
    if (status)
        return status;
    int got = next_end(t, r, &end, &f);
    runs_free(r);
    if (got < 0)
        return applet_fail(a, &f);
    if (end.exec_errno)
        return applet_error(a, "sh: %s", strerror(end.exec_errno));
    return child_status(&end.end) ? not_prepared(a, option, &end.end) : 0;
}

/* By each combination of the parameters that makes another text. */
static int run_once(const struct applet *a, struct time_runs *t, const char *option,
                    const char *text)
{
    const struct time_commands *c = &t->commands;
    size_t n = text ? time_combinations(c->parameter, c->parameters) : 0;
    char *before = NULL;
    int status = 0;
    for (size_t i = 0; status == 0 && i < n; i++) {
        struct time_shell shell;
        if (time_shell_make(&shell, text, c, i) < 0)
            status = applet_error(a, "%s: %s", option, strerror(ENOMEM));
        else if (!before || strcmp(before, shell.text) != 0)
            status = run_shell(a, t, option, &shell);
        free(before);
        before = shell.text;
    }
    free(before);
    return status;
}

/* --- all --- */

static int make_all(const struct applet *a, struct time_runs *t)
{
    unsigned long rounds = 1;
    int status = 0;
    /* A batch without a run: the runner was killed. */
    for (unsigned long before = t->made + 1;
         status == 0 && !t->report.interrupted && !t->report.stopped && before != t->made;) {
        before = t->made;
        if (time_plan_next(&t->plan, &t->report, &rounds) < 0)
            return applet_error(a, "runs: %s", strerror(ENOMEM));
        if (rounds == 0)
            break;
        status = make_batch(a, t, rounds);
    }
    return status;
}

int time_runs_make(const struct applet *a, struct time_runs *t)
{
    interrupt_open();
    warn_of_quoted(a, &t->report);
    int status = run_once(a, t, "--setup", t->setup);
    if (status == 0) {
        status = make_all(a, t);
        int last = run_once(a, t, "--cleanup", t->cleanup);
        status = status ? status : last;
    }
    if (status == 0 && t->plan.gate && time_gate(&t->report, &t->report.gate) < 0)
        status = applet_error(a, "gate: %s", strerror(ENOMEM));
    return status;
}
