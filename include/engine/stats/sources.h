/*
 * stats_watch: reads the sources of stats once per interval: name spaces with Plan 9's files.
 *
 *     stats_watch_init(&w, 1.0);
 *     stats_watch_add(&w, "board", &ns, true, &f);        as many as there are
 *     for (;;)
 *         if (stats_watch_step(&w, &choice)) show(&w.sample);
 *         else wait for stats_watch_handles, at most stats_watch_wait_ms
 *
 * A sample is made when all sources have answered, or half an interval after it began: who is
 * slower comes with the next one. A source that does not answer for 5 s is given up, and tried
 * again after five samples; its last values are kept, with their age (FORMATS 9). So is a file
 * that cannot be read. One that is another machine is dialled by its own clock
 * (engine/ns/remote.h), and asked as soon as it is back; one that cannot be reached at all does not
 * hold up the first sample. That waits for a first answer as long as dialling may take, and 5 s
 * from then for the others. Between samples nothing is allocated or formatted.
 *
 * stats_watch_processes, before the first sample, has all processes of this machine read for each,
 * in one go: about 20 us a process.
 */
#pragma once

#include "core/base/fail.h"
#include "core/ns/ns.h"
#include "core/stats/meter.h"
#include "core/stats/sample.h"
#include "engine/ns/remote.h"
#include "plat/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STATS_WATCH_MAX = 64,
    STATS_WATCH_TEXT = 1 << 20,
    STATS_WATCH_HANDLES = STATS_WATCH_MAX * (1 + NS_REMOTE_HANDLES)
};

/* A file of a source; all that are wanted are asked for at once. */
struct stats_watch_file {
    struct ns_file *open;
    struct buf text;   /* as far as it came */
    unsigned retry_in; /* samples until it is tried again */
};

struct stats_source {
    char *name;
    struct ns *ns;
    struct ns_remote *remote; /* which ns ends; NULL: it is none */
    unsigned reached;         /* by which of its connections it was asked last */
    bool reopens;             /* files may be replaced by others: each is opened for every sample */
    struct stats_meter meter;
    struct stats_watch_file file[STATS_FILES];
    unsigned due;                   /* bits of files that are still to be read for this sample */
    uint64_t begun_ns;              /* when the reading began; 0: it is at rest */
    uint64_t last_ns;               /* when it last answered */
    unsigned retry_in;              /* samples until it is tried again */
    bool asked;                     /* why columns are absent */
    struct stats_watch_file absent; /* which lists what is absent */
    bool silent;                    /* it was given up, and has not answered since */
    bool has_answered;              /* a file of it was read */
    struct stats_value value[STATS_GRAPHS];
};

struct stats_watch {
    double interval;
    struct stats_source *source;
    struct stats_source_sample *source_sample;
    size_t sources, cap;
    uint64_t due_ns;   /* when the next sample begins */
    uint64_t begun_ns; /* the one that is made; 0: none */
    struct stats_sample sample;
    struct stats_top *top; /* of the first source, this machine, with each sample; NULL: none */
};

void stats_watch_init(struct stats_watch *w, double interval_s);
void stats_watch_release(struct stats_watch *w);

/* Takes ns over, also when it fails: its memory is freed by ns_release and free. -ENOMEM, -E2BIG.
 */
int stats_watch_add(struct stats_watch *w, const char *name, struct ns *ns, bool reopens,
                    struct fail *f);
/* The same of another machine, whose files ns has. */
int stats_watch_add_remote(struct stats_watch *w, const char *name, struct ns *ns,
                           struct ns_remote *remote, struct fail *f);

/* Of a watch whose first source is this machine. -ENOMEM. */
int stats_watch_processes(struct stats_watch *w, struct fail *f);

/* Leaves out sources none of whose files could be read so far, also of w->sample; told, when not
 * NULL, is called for each with its reason. To be called behind the first sample. How many are
 * left. */
size_t stats_watch_reached(struct stats_watch *w,
                           void (*left_out)(void *arg, const char *name, const char *why),
                           void *arg);

/* The sample that is made waits for it. */
bool stats_source_is_awaited(const struct stats_source *s);

/* Does what can be done now. True: w->sample is one, of these graphs. */
bool stats_watch_step(struct stats_watch *w, const struct stats_choice *choice);
size_t stats_watch_handles(const struct stats_watch *w, struct wait_on *on, size_t max);
int stats_watch_wait_ms(const struct stats_watch *w);
