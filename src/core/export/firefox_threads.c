#include "firefox.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static void add_samples_stacks(struct firefox *f, size_t first, size_t end)
{
    json_array(&f->j, "stack");
    for (size_t i = first; i < end; i++)
        json_any(&f->j, NULL, firefox_index(f->s->sample[f->threads.sample[i]].node));
    json_array_end(&f->j);
}

/* In milliseconds behind the first sample of all; or made up, see above. */
static void add_samples_times(struct firefox *f, size_t first, size_t end)
{
    bool time = write_weight_is(f->s, "nanoseconds");
    uint64_t made_up = 0;
    json_array(&f->j, "time");
    for (size_t i = first; i < end; i++) {
        uint64_t at = f->s->sample[f->threads.sample[i]].time_ns;
        json_decimal(&f->j, NULL, f->s->timed ? at - f->s->sample[0].time_ns : made_up, FIREFOX_MS);
        made_up += time ? write_threads_weight(f->s, &f->threads, i) : 1000000;
    }
    json_array_end(&f->j);
}

static void add_samples_weights(struct firefox *f, size_t first, size_t end)
{
    bool time = write_weight_is(f->s, "nanoseconds");
    json_array(&f->j, "weight");
    for (size_t i = first; i < end; i++)
        json_decimal(&f->j, NULL, write_threads_weight(f->s, &f->threads, i),
                     time ? FIREFOX_MS : 0);
    json_array_end(&f->j);
    json_str(&f->j, "weightType",
             time                             ? "tracing-ms"
             : write_weight_is(f->s, "bytes") ? "bytes"
                                              : "samples");
}

/* The process's: its first thread has its number. */
static const char *process_name(const struct firefox *f, uint32_t pid)
{
    uint64_t thread = imap_get(&f->leaders, pid);
    return thread ? f->s->thread[thread - 1].name : f->s->origin.applet;
}

static void add_identity(struct firefox *f, const struct stacks_thread *t)
{
    char pid[12];
    snprintf(pid, sizeof pid, "%" PRIu32, t->pid);
    json_members(&f->j, "name processName isMainThread? pid tid", t->name, process_name(f, t->pid),
                 t->pid == t->tid, pid, t->tid);
}

static void add_thread(struct firefox *f, size_t thread)
{
    static const struct stacks_thread none = {0, 0, "all threads"};
    size_t first = f->threads.start[thread], end = f->threads.start[thread + 1];
    json_object(&f->j, NULL);
    add_identity(f, thread < f->s->threads ? &f->s->thread[thread] : &none);
    json_members(&f->j,
                 "processType processStartupTime processShutdownTime registerTime unregisterTime",
                 "default", 0, NULL, 0, NULL);
    firefox_array(f, "pausedRanges", 0, NULL);
    firefox_table(f, "markers", 0, "data name startTime endTime phase category", NULL);
    firefox_table_open(f, "samples", end - first);
    add_samples_stacks(f, first, end);
    add_samples_times(f, first, end);
    add_samples_weights(f, first, end);
    json_object_end(&f->j);
    json_object_end(&f->j);
}

static int find_leaders(struct firefox *f)
{
    for (size_t i = 0; i < f->s->threads; i++) {
        if (f->s->thread[i].tid != f->s->thread[i].pid)
            continue;
        uint64_t *at = imap_at(&f->leaders, f->s->thread[i].pid);
        if (!at)
            return -ENOMEM;
        *at = i + 1;
    }
    return 0;
}

int firefox_threads(struct firefox *f)
{
    int r = stacks_by_thread(f->s, &f->threads);
    if (r == 0)
        r = find_leaders(f);
    json_array(&f->j, "threads");
    for (size_t t = 0; r == 0 && t <= f->s->threads; t++)
        if (write_threads_has(f->s, &f->threads, t) || !f->s->threads)
            add_thread(f, t);
    json_array_end(&f->j);
    stacks_by_thread_release(&f->threads);
    imap_release(&f->leaders);
    return r;
}
