/* The tracer function_graph, in an instance of ours where the kernel allows it there (since 6.11);
 * else in tracefs' own buffers. The start function is one setting for all of tracefs either way. */
#include "backends.h"
#include "files.h"
#include "fs/tracefs.h"
#include "pipes.h"
#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRACER "function_graph"

struct graph {
    struct trace base;
    struct trace *instance; /* NULL: in tracefs itself */
    struct trace_pipes pipes;
    struct trace_settings settings;
    bool guarded;
};

static bool has_word(const char *dir, const char *file, const char *word)
{
    SCOPED_BUF text = BUF_INIT;
    trace_file_read(dir, file, &text);
    const char *at = strstr(buf_str(&text), word);
    return at && (at[strlen(word)] == ' ' || at[strlen(word)] == '\n') &&
           (at == buf_str(&text) || at[-1] == ' ');
}

/* `#### all functions enabled ####', or `no pid'. */
static bool is_empty_list(const char *dir, const char *file)
{
    SCOPED_BUF text = BUF_INIT;
    return trace_file_read(dir, file, &text) < 0 || !text.len || buf_str(&text)[0] == '#' ||
           strncmp(buf_str(&text), "no pid", 6) == 0;
}

/* --- whether it can be had --- */

static int refuse_tracer(struct fail *f)
{
    fail_set(f, 0, "this kernel has no tracer " TRACER);
    fail_hint(f, "it needs CONFIG_FUNCTION_GRAPH_TRACER, or CONFIG_KPROBE_EVENTS and "
                 "CONFIG_PROC_KCORE; files of another machine can be drawn");
    return -EOPNOTSUPP;
}

static int refuse_busy(const char *tracefs, const char *file, struct fail *f)
{
    fail_set(f, EBUSY, "%s/%s", tracefs_is_private(tracefs) ? "tracefs" : tracefs, file);
    fail_hint(f, "another program traces functions; if none does, reset this file");
    return -EBUSY;
}

static int check_free(const char *tracefs, bool own_buffers, struct fail *f)
{
    static const char *const lists[] = {"set_graph_function", "set_graph_notrace",
                                        "set_ftrace_filter", "set_ftrace_notrace",
                                        "set_ftrace_pid"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!is_empty_list(tracefs, lists[i]))
            return refuse_busy(tracefs, lists[i], f);
    if (!own_buffers && !has_word(tracefs, "current_tracer", "nop"))
        return refuse_busy(tracefs, "current_tracer", f);
    return own_buffers || is_empty_list(tracefs, "set_event")
               ? 0
               : refuse_busy(tracefs, "set_event", f);
}

/* --- setting up --- */

static int write_setting(struct graph *t, const char *file, const char *text, struct fail *f)
{
    int r = trace_file_write(t->settings.tracefs, file, text);
    return r < 0 ? trace_refused(file, -r, f) : 0;
}

/* What a file lacks in this kernel needs no change. */
static int change_noted(struct graph *t, const char *file, const char *text, struct fail *f)
{
    const struct trace_settings *s = &t->settings;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->setting[i].file, file) == 0 && strcmp(s->setting[i].before, text) != 0)
            return write_setting(t, file, text, f);
    return 0;
}

/* Of a file whose first word is not its value, it is what follows `before', up to a character of
 * `end'. */
static void note_value(struct graph *t, const char *file, const char *before, const char *end)
{
    SCOPED_BUF text = BUF_INIT;
    struct trace_settings *s = &t->settings;
    trace_file_read(s->tracefs, file, &text);
    const char *at = strstr(buf_str(&text), before);
    at = at ? at + strlen(before) : NULL;
    for (size_t i = 0; at && i < s->count; i++)
        if (strcmp(s->setting[i].file, file) == 0)
            snprintf(s->setting[i].before, TRACE_SETTING_BYTES, "%.*s", (int)strcspn(at, end), at);
}

/* Buffers that nobody has used yet are `7 (expanded: 1408)': their first user expects those 1408.
 * The kernel forgets this when an instance gets buffers. Sizes that differ by CPU, `X', stay as
 * they are. */
static void note_buffers(struct graph *t)
{
    SCOPED_BUF text = BUF_INIT;
    trace_file_read(t->settings.tracefs, "buffer_size_kb", &text);
    if (buf_str(&text)[0] != 'X' && trace_settings_note(&t->settings, "buffer_size_kb"))
        note_value(t, "buffer_size_kb", "expanded: ", ")");
}

/* The list has our own process: otherwise to read the events may leave more of them, of the calls
 * that reading takes. Kernels before 5.8 have none; one that somebody else uses is left alone. */
static const char not_traced[] = "set_ftrace_notrace_pid";

static bool can_leave_out(const struct graph *t)
{
    return trace_names_ours() && is_empty_list(t->base.dir, not_traced);
}

static void note_left_out(struct graph *t)
{
    struct trace_settings *s = &t->settings;
    if (can_leave_out(t) && trace_settings_note(s, not_traced))
        s->setting[s->count - 1].before[0] = '\0';
}

static void leave_out_ourselves(struct graph *t)
{
    char pid[24];
    snprintf(pid, sizeof pid, "%d", getpid());
    if (can_leave_out(t))
        trace_file_write(t->base.dir, not_traced, pid);
}

static void note_settings(struct graph *t)
{
    static const char *const always[] = {"set_graph_function", "max_graph_depth", "tracing_thresh",
                                         "options/sleep-time"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        trace_settings_note(&t->settings, always[i]);
    if (t->instance)
        return;
    if (trace_settings_note(&t->settings, "trace_clock"))
        note_value(t, "trace_clock", "[", "]");
    trace_settings_note(&t->settings, "tracing_on");
    note_left_out(t);
}

static int set_up_buffers(struct graph *t, struct fail *f)
{
    char kb[24];
    snprintf(kb, sizeof kb, "%zu", t->base.buffer_bytes >> 10);
    int r = change_noted(t, "tracing_on", "0", f);
    if (r == 0)
        r = change_noted(t, "trace_clock", "mono", f);
    return r < 0 ? r : change_noted(t, "buffer_size_kb", kb, f);
}

static int set_function(struct graph *t, const char *function, struct fail *f)
{
    int r = trace_file_write(t->settings.tracefs, "set_graph_function", function);
    if (r == -EINVAL) {
        fail_set(f, 0, "%s: the kernel cannot trace this function", function);
        fail_hint(f, "it is inlined, or excluded: those it can are in tracefs, "
                     "available_filter_functions");
        return r;
    }
    return r < 0 ? trace_refused("set_graph_function", -r, f) : 0;
}

static int set_up(struct graph *t, const char *function, struct fail *f)
{
    note_settings(t);
    int r = trace_settings_guard(&t->settings, f);
    if (r < 0)
        return r;
    t->guarded = true;
    if (!t->instance)
        r = set_up_buffers(t, f);
    if (r == 0)
        r = change_noted(t, "max_graph_depth", "0", f);
    if (r == 0)
        r = change_noted(t, "tracing_thresh", "0", f);
    if (r == 0)
        r = change_noted(t, "options/sleep-time", "1", f);
    leave_out_ourselves(t);
    return r < 0 ? r : set_function(t, function, f);
}

/* --- as a trace --- */

static int close_graph(struct trace *base, struct fail *f)
{
    SCOPED_FREE struct graph *t = (struct graph *)base;
    trace_pipes_close(&t->pipes);
    int r = t->guarded ? trace_settings_restore(&t->settings, f) : 0;
    int closed = trace_close(t->instance, r < 0 ? NULL : f);
    return r < 0 ? r : closed;
}

static int enable_event(struct trace *t, const char *name, struct fail *f)
{
    return fail_set(f, EOPNOTSUPP, "%s", name);
}

/* The tracer begins with the next call of the function that is set. It cannot be changed while the
 * pages are open. */
static int start_graph(struct trace *base, struct fail *f)
{
    struct graph *t = (struct graph *)base;
    int r = trace_file_write(base->dir, "tracing_on", "1");
    if (r == 0)
        r = trace_file_write(base->dir, "current_tracer", TRACER);
    return r < 0 ? trace_refused("current_tracer", -r, f)
                 : trace_pipes_open(&t->pipes, base->dir, f);
}

static void stop_graph(struct trace *base)
{
    trace_file_write(base->dir, "tracing_on", "0");
}

static size_t read_graph(struct trace *base, trace_bytes_fn *emit, void *arg)
{
    struct graph *t = (struct graph *)base;
    return trace_pipes_read(&t->pipes, base->buffer_bytes, emit, arg);
}

static const struct trace_ops ops = {.method = TRACER,
                                     .pages = true,
                                     .close = close_graph,
                                     .enable = enable_event,
                                     .start = start_graph,
                                     .stop = stop_graph,
                                     .read = read_graph};

/* An instance that has the tracer; NULL: none. */
static struct trace *open_instance(const char *tracefs, const struct ring_size *size)
{
    struct trace *t;
    if (trace_instance_make(tracefs, size, &t, NULL) < 0)
        return NULL;
    if (has_word(t->dir, "available_tracers", TRACER))
        return t;
    trace_close(t, NULL);
    return NULL;
}

static int make_graph(const char *tracefs, const struct ring_size *size, struct graph **out,
                      struct fail *f)
{
    struct graph *t = calloc(1, sizeof *t);
    if (!t)
        return fail_set(f, ENOMEM, "trace");
    trace_init(&t->base, &ops, size);
    t->settings.guardian = -1;
    snprintf(t->settings.tracefs, sizeof t->settings.tracefs, "%s", tracefs);
    note_buffers(t);
    t->instance = open_instance(tracefs, size);
    if (t->instance)
        t->settings.count = 0; /* the others' buffers stay as they are */
    snprintf(t->base.dir, sizeof t->base.dir, "%s", t->instance ? t->instance->dir : tracefs);
    snprintf(t->settings.tracer, sizeof t->settings.tracer, "%s", t->base.dir);
    if (t->instance)
        t->base.buffer_bytes = t->instance->buffer_bytes;
    *out = t;
    return check_free(tracefs, t->instance != NULL, f);
}

int trace_graph_open(const char *function, size_t buffer_bytes, struct trace **out, struct fail *f)
{
    char tracefs[TRACE_DIR_BYTES / 2];
    struct ring_size size;
    struct graph *t = NULL;
    int r = tracefs_find(tracefs, sizeof tracefs);
    if (r < 0)
        return tracefs_refused("tracing functions", r, f);
    trace_remove_leftovers(tracefs);
    if (!has_word(tracefs, "available_tracers", TRACER))
        return access(tracefs, X_OK) < 0 ? trace_refused(tracefs, errno, f) : refuse_tracer(f);
    r = ring_size_decide(BUFFERS_TRACEFS, (int)sysconf(_SC_NPROCESSORS_CONF), buffer_bytes, &size,
                         f);
    if (r == 0)
        r = make_graph(tracefs, &size, &t, f);
    if (r == 0)
        r = set_up(t, function, f);
    if (r < 0 && t)
        close_graph(&t->base, NULL);
    else if (r == 0)
        *out = &t->base;
    return r;
}
