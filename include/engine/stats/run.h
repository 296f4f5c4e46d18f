/*
 * stats_run: runs stats from its first sample to its last: as text, as graphs on the terminal, or
 * from a recording.
 */
#pragma once

#include "core/stats/record.h"
#include "core/stats/view.h"
#include "engine/stats/sources.h"

/* What else has to do with samples: a recording, a server with its clients. Each may be NULL. */
struct stats_sink {
    /* False ends the run. f: filled by one that failed. */
    bool (*sample)(void *arg, const struct stats_sample *s, struct fail *f);
    size_t (*handles)(void *arg, struct wait_on *on, size_t most); /* to be waited for */
    void (*ready)(void *arg, const struct wait_on *on,
                  size_t n);      /* any of these is, or time has passed */
    int (*timeout_ms)(void *arg); /* how long a wait may be at most; negative: for ever */
    void *arg;
};
enum { STATS_MAX_SINKS = 4, STATS_MAX_HANDLES = 512 };

/* None is NULL. */
struct stats_start_hooks {
    void (*left_out)(void *arg, const char *name, const char *why);
    void (*waiting)(void *arg, const struct stats_watch *w); /* once a second or more often */
    void *arg;
};

/* The first sample, in w->sample: at most 5 s after the first answer, for which it waits as long as
 * dialling may take. Sources that cannot be reached are left out, each reported to left_out; none
 * left: -ENOENT. */
int stats_start(struct stats_watch *w, const struct stats_choice *choice,
                const struct stats_start_hooks *hooks, struct fail *f);

/* Behind stats_start: samples, the first one too, until one of also says that it was the last, or
 * an interrupt, which ends it in order. Negative when one of them failed. */
int stats_run(struct stats_watch *w, const struct stats_choice *choice,
              const struct stats_sink *sinks, size_t n, struct fail *f);

/* The same on the screen, until a key ends it. choice: of the samples; NULL: what the view shows.
 * -ENOTTY, -ENOTSUP as screen_open. */
int stats_live(struct stats_watch *w, const struct stats_choice *choice, struct statsview *v,
               const struct stats_sink *sinks, size_t n, struct fail *f);

/* A recording on the screen. */
int stats_replay_show(struct stats_replay *r, struct statsview *v, struct fail *f);
