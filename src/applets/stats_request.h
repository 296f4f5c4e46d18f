/* stats_request: what the files of stats share: what was asked for, and who takes the samples. */
#ifndef PSUITE_APPLETS_STATS_REQUEST_H
#define PSUITE_APPLETS_STATS_REQUEST_H

#include "applets/applet.h"
#include "core/buf.h"
#include "core/statsview.h"
#include "engine/stats_run.h"

extern const struct applet applet_stats;

enum stats_form { STATS_SCREEN, STATS_ONCE, STATS_JSON, STATS_CSV, STATS_OPENMETRICS };

struct stats_request {
    struct statsview view; /* its settings are options, too */
    double interval;
    enum stats_form form;
    unsigned long long samples; /* then it ends; 0: it does not */
    const char *record, *replay;
    bool force;
    const char *folder[STATS_WATCH_MOST];
    size_t folders;
    /* the run */
    struct stats_choice all; /* graphs of all samples that are told */
    struct stats_also also[STATS_ALSO_MOST];
    size_t alsos;
    struct buf text;
    unsigned long long told;
    int recording; /* a handle; negative: none */
};

/* Adds those that write samples: the form, a recording. Returns an exit status. */
int stats_outputs_open(struct stats_request *q);
/* Ends them: the exit status, status if all was written. */
int stats_outputs_close(struct stats_request *q, int status);

/* A recording's samples in the wanted form. */
int stats_replay_told(struct stats_request *q, struct stats_replay *r);

#endif
