/* trace: the scheduler's events, live or recorded: Plan 9's trace(1) (FORMATS 8). */
#include "trace_request.h"

#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "plat/child.h"
#include "plat/file_stream.h"
#include "plat/folder.h"
#include "plat/trace.h"
#include "plat/tty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUMMARY = 256,
    LATENCY,
    JSON,
    ROWS,
    INTERRUPTS,
    CALLS,
    ALL,
    LATE,
    MISSED,
    KEEP,
    FROM,
    TO,
    AT,
    DELAYS,
    FUNCTIONS,
    WHERE,
    SLOWER,
    STACK
};

static const struct opt options[] = {
    {OPT_COMMAND | 'x', NULL, NULL, "run COMMAND and trace it; exit with its status"},
    {'w', "view", NULL, "show a timeline in the terminal (its default)"},
    {OPT_ADVANCED | 'p', "pid", "PID", "trace this process (as the operand PID); repeatable"},
    {'t', NULL, "PID", "stop (-w: freeze) when PID has run"},
    {LATE, "late", "SECONDS", "stop (-w: freeze) when a wake-up takes longer"},
    {MISSED | OPT_ADVANCED, "missed", NULL, "stop (-w: freeze) when a deadline is missed"},
    {KEEP | OPT_ADVANCED, "keep", "SECONDS", "write only the last SECONDS to -o"},
    {FROM | OPT_ADVANCED, "from", "SECONDS", "write to -o from this time after the start"},
    {TO | OPT_ADVANCED, "to", "SECONDS", "write to -o up to this time"},
    {AT | OPT_ADVANCED, "at", "SECONDS", "open the timeline at this time after the start"},
    {'s', "seconds", "SECONDS", "stop after SECONDS (default: ^C, end of PIDs)"},
    {'v', NULL, NULL, "print each event as Plan 9 does: `pid time Name'"},
    {'e', "events", NULL, "print each event, with its CPU, task and cause"},
    {SUMMARY, "summary", NULL, "one row per task and CPU (default without -w)"},
    {LATENCY | OPT_ADVANCED, "latency", NULL, "show histograms of wake-up latency"},
    {DELAYS, "delays", "[SECONDS]", "list wake-ups that took longer, and who ran then"},
    {ROWS | OPT_ADVANCED, "rows", "N|all", "show the N tasks that ran longest"},
    {JSON, "json", NULL, "print JSON; with -v or -e one object per event"},
    {'o', "output", "[FORMAT:]FILE", "record, or draw: html, svg, chrome"},
    {OPT_ADVANCED | 'f', "force", NULL, "overwrite an existing file"},
    {OPT_ADVANCED | 'd', NULL, "FILE", "read this: a recording, or Plan 9's /proc/trace"},
    {OPT_ADVANCED | INTERRUPTS, "interrupts", NULL, "trace interrupts and softirqs, too"},
    {CALLS, "calls", "[PATTERN]", "trace system calls, too; =PATTERN: only these"},
    {FUNCTIONS, "functions", "PATTERN", "trace calls of the kernel's functions instead"},
    {OPT_ADVANCED | WHERE, "where", "CONDITION", "only calls for which it holds: 'count > 4096'"},
    {OPT_ADVANCED | SLOWER, "slower", "TIME", "only calls that take longer: 1ms, 500us"},
    {OPT_ADVANCED | STACK, "stack", NULL, "show the kernel's call chain of each call"},
    {OPT_ADVANCED | ALL, "all", NULL, "with -v: print events that Plan 9 does not have, too"},
    {OPT_ADVANCED | 'b', "buffer", "KB", "buffer size of each CPU (at most 8192)"},
    {0},
};

static int run_trace(int argc, char **argv);
static bool begins_mark(const struct opt_state *o, const char *operand);

const struct applet applet_trace = {
    .name = "trace",
    .usage = "[OPTION...] [PID...]\n[OPTION...] -x COMMAND [ARGUMENT...]\n[OPTION...] FILE\n"
             "mark TEXT",
    .opts = options,
    .notes = "FILE is a recording, or Plan 9's 16-byte events. `mark' adds a User event to\n"
             "every running trace. With -x reports go to standard error.",
    .run = run_trace,
    .begins_command = begins_mark,
    .values = trace_values,
    .operands = "PID|FILE PID",
};

/* --- options --- */

static int parse_buffer(struct trace_request *q, const struct opt_state *o)
{
    uint64_t kb = 0;
    int r = opt_u64(o, 1, TRACE_BUFFER_BYTES >> 10, &kb);
    q->want.buffer_bytes = (size_t)kb << 10;
    return r;
}

static bool is_number(const char *word)
{
    return word[0] && strspn(word, "0123456789") == strlen(word);
}

static int parse_pid(const char *word)
{
    long pid = is_number(word) ? strtol(word, NULL, 10) : 0;
    return pid <= 1 << 30 ? (int)pid : 0;
}

static int add_pid(struct trace_request *q, const char *word)
{
    int pid = parse_pid(word);
    if (!pid)
        applet_misuse(&applet_trace, "%s: not a process id", word);
    else if (q->want.pids == TRACE_MAX_PIDS)
        applet_misuse(&applet_trace, "at most %d processes", TRACE_MAX_PIDS);
    else {
        q->pid[q->want.pids++] = pid;
        q->want.pid = q->pid;
        return 1;
    }
    return -1;
}

/* Plan 9's letter, which means seconds elsewhere. */
static int parse_trigger_pid(struct trace_request *q, const struct opt_state *o)
{
    q->trigger.run_pid = parse_pid(o->arg);
    return q->trigger.run_pid ? 1 : opt_wrong(o, "not a process id (-s SECONDS is the time limit)");
}

static int parse_ns(const struct opt_state *o, uint64_t *ns)
{
    double seconds = 0;
    int r = opt_seconds(o, 1e6, &seconds);
    *ns = (uint64_t)(seconds * 1e9 + 0.5);
    return r;
}

/* 0 is the beginning. */
static int parse_at(struct trace_request *q, struct opt_state *o)
{
    if (strspn(o->arg, "0.") == strlen(o->arg) && strchr(o->arg, '0')) {
        q->at_s = 0;
        return 1;
    }
    return opt_seconds(o, 1e9, &q->at_s);
}

static int parse_delays(struct trace_request *q, struct opt_state *o)
{
    q->delayed = true;
    q->delays.limit_ns = 0;
    return o->arg ? parse_ns(o, &q->delays.limit_ns) : 1;
}

/* Calls of the kernel's functions and of the system. */
static int parse_calls(struct trace_request *q, const struct opt_state *o, int id)
{
    switch (id) {
    case CALLS:
        q->want.calls |= !o->arg;
        return o->arg ? trace_functions_add_calls(q, o->arg) : 1;
    case FUNCTIONS:
        return trace_functions_add(q, o->arg);
    case WHERE:
        return trace_functions_where(q, o->arg);
    default:
        return trace_functions_slower(q, o);
    }
}

/* The one of an option that sets no more than that; NULL: it is another. */
static const struct opt_member members[] = {
    {'w', OPT_FLAG(struct trace_request, view)},
    {'v', OPT_FLAG(struct trace_request, lines)},
    {'e', OPT_FLAG(struct trace_request, events)},
    {'f', OPT_FLAG(struct trace_request, want.force)},
    {SUMMARY, OPT_FLAG(struct trace_request, summary)},
    {LATENCY, OPT_FLAG(struct trace_request, latency)},
    {JSON, OPT_FLAG(struct trace_request, json)},
    {INTERRUPTS, OPT_FLAG(struct trace_request, want.interrupts)},
    {ALL, OPT_FLAG(struct trace_request, all)},
    {MISSED, OPT_FLAG(struct trace_request, trigger.missed)},
    {STACK, OPT_FLAG(struct trace_request, functions.stacks)},
    {'d', OPT_TEXT(struct trace_request, file)},
    {'x', OPT_FLAG(struct trace_request, executes)},
    {KEEP, OPT_SECONDS(struct trace_request, keep_s, 1e9)},
    {FROM, OPT_SECONDS(struct trace_request, from_s, 1e9)},
    {TO, OPT_SECONDS(struct trace_request, to_s, 1e9)},
    {'s', OPT_SECONDS(struct trace_request, want.seconds, 1e9)},
    {0},
};

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct trace_request *q = request;
    switch (id) {
    case 'p':
        return add_pid(q, o->arg);
    case 't':
        return parse_trigger_pid(q, o);
    case LATE:
        return parse_ns(o, &q->trigger.late_ns);
    case AT:
        return parse_at(q, o);
    case DELAYS:
        return parse_delays(q, o);
    case ROWS:
        return report_rows_opt(o, &q->size);
    case 'o':
        return trace_parse_output(q, o);
    case CALLS:
    case FUNCTIONS:
    case WHERE:
    case SLOWER:
        return parse_calls(q, o, id);
    case 'b':
        return parse_buffer(q, o);
    default:
        return -1;
    }
}

/* --- operands --- */

static int write_mark(int words, char **word)
{
    struct fail f;
    SCOPED_BUF text = BUF_INIT;
    for (int i = 0; i < words; i++)
        buf_printf(&text, "%s%s", i ? " " : "", word[i]);
    int r = words ? trace_mark(buf_str(&text), &f) : 0;
    if (!words)
        return applet_misuse(&applet_trace, "mark: TEXT is missing");
    return r < 0 ? applet_fail(&applet_trace, &f) : DONE;
}

/* `mark' and its text, which may be like options. */
static bool begins_mark(const struct opt_state *o, const char *operand)
{
    return !o->passed && strcmp(operand, "mark") == 0;
}

static int parse_pids(struct trace_request *q, int words, char **word)
{
    for (int i = 0; i < words; i++)
        if (add_pid(q, word[i]) < 0)
            return USAGE;
    return DONE;
}

/* Another tool's habit: neither a process nor a file, but a command. */
static bool is_command(const struct trace_request *q, const char *word)
{
    struct folder_file file;
    return !q->file && !is_number(word) && folder_stat(word, &file, NULL) < 0 && child_finds(word);
}

static int parse_operands(struct trace_request *q, int words, char **word)
{
    if (words && is_command(q, word[0]))
        return applet_misuse(&applet_trace, "%s: no such file; did you mean `psuite trace -x %s'?",
                             word[0], word[0]);
    if (words > 1 && !is_number(word[0]) && is_command(q, word[1]))
        return applet_misuse(&applet_trace,
                             "%s: not a process id; did you mean `psuite trace --calls=NAME -x "
                             "%s'?",
                             word[0], word[1]);
    if (!q->file && words == 1 && !is_number(word[0])) {
        q->file = word[0];
        return DONE;
    }
    return parse_pids(q, words, word);
}

static const char *find_conflict(const struct trace_request *q)
{
    if (q->view &&
        (q->outputs || q->lines || q->events || q->summary || q->latency || q->delayed || q->json))
        return "-w cannot be used with -o FORMAT:FILE, --json or another report";
    if ((q->keep_s > 0 || q->from_s > 0 || q->to_s > 0) && !q->outputs)
        return "--keep, --from and --to: only with -o FORMAT:FILE";
    if (q->at_s >= 0 && !q->outputs && !q->view)
        return "--at: only with -w or -o html:FILE";
    if (q->at_s >= 0 && q->view && !q->file && !q->want.command)
        return "--at with -w: only with a recording or -x";
    if (q->all && !q->lines)
        return "--all: only with -v; -e prints every event anyway";
    if (q->file && q->want.record)
        return "-o cannot be used with FILE: copy the recording instead";
    if (q->file && q->want.buffer_bytes)
        return "-b cannot be used with FILE";
    if (q->file && q->want.seconds > 0 && file_stream_kind(q->file) == FILE_WHOLE)
        return "-s cannot be used with a recording: see --keep, --from and --to";
    if (q->want.record && strcmp(q->want.record, "-") == 0 && q->want.command)
        return "-o - cannot be used with -x, whose command has standard output: name a file";
    return trace_functions_conflict(q);
}

bool trace_triggered(const struct trace_request *q)
{
    return q->trigger.run_pid || q->trigger.late_ns || q->trigger.missed;
}

/* Where somebody looks at a terminal, as trace(1): a picture. */
static void apply_defaults(struct trace_request *q)
{
    bool text = q->lines || q->events || q->latency || q->delayed || q->summary || q->json;
    size_t kept = q->file || q->want.command || q->outputs ? TRACE_KEPT_WHOLE : TRACE_KEPT_LIVE;
    if (!text && !q->want.record && !q->outputs && !q->want.command && tty_is_stdout_terminal())
        q->view = true;
    if (!q->lines && !q->events && !q->latency && !q->delayed && !q->summary)
        q->summary = !q->want.record && !q->outputs && !q->view;
    bool reported = q->summary || q->latency || q->delayed;
    if (q->view || trace_choose_streams(q))
        q->keep = (struct sched_limits){
            .runs = kept, .marks = kept, .dead = kept == TRACE_KEPT_LIVE ? TRACE_KEPT_DEAD : 0};
    else if (q->outputs && !reported)
        q->keep.dead = TRACE_KEPT_DEAD;
    else if (!q->file && !q->want.command)
        q->keep.dead = TRACE_KEPT_DEAD_ROWS;
}

static int run_trace(int argc, char **argv)
{
    struct trace_request q = {.at_s = -1};
    struct opt_state o = opt_start(&applet_trace, argc, argv);
    int status = opt_read(&o, members, parse_option, &q);
    if (status != OPT_END)
        return status;
    int words = argc - o.next;
    if (!q.executes && !o.dashes && words && strcmp(argv[o.next], "mark") == 0)
        return write_mark(words - 1, argv + o.next + 1);
    if (q.executes && (!words || q.file))
        return applet_misuse(&applet_trace,
                             words ? "-x cannot be used with -d" : "-x: COMMAND is missing");
    if (q.executes)
        q.want.command = argv + o.next;
    status = q.executes ? DONE : parse_operands(&q, words, argv + o.next);
    if (status == DONE && find_conflict(&q))
        status = applet_misuse(&applet_trace, "%s", find_conflict(&q));
    bool calls = q.functions.patterns && !trace_functions_as_marks(&q);
    if (!calls)
        apply_defaults(&q);
    if (status == DONE)
        status = trace_drop_missing(&q);
    if (status == DONE)
        status = trace_check_trigger(&q);
    if (status)
        return status;
    if (calls)
        return trace_functions(&q);
    return q.view ? trace_view(&q) : trace_session(&q);
}
