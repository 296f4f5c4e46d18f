/* stats_request: what the files of stats share: what was asked for, and who takes the samples. */
#pragma once

#include "applets/applet.h"
#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/stats/view.h"
#include "engine/stats/run.h"

extern const struct applet applet_stats;

enum stats_form {
    STATS_SCREEN,
    STATS_ONCE,
    STATS_JSON,
    STATS_CSV,
    STATS_OPENMETRICS,
    STATS_LINES, /* the view, where standard output is no terminal */
};

struct stats_machine {
    const char *name;
    bool folder; /* whatever it looks like */
};

struct stats_request {
    struct statsview view; /* its settings are options, too */
    double interval;
    enum stats_form form;
    struct report_size size; /* --rows */
    bool once;               /* one sample, with rates */
    uint64_t samples;        /* then it ends; 0: it does not */
    const char *record, *replay;
    bool force;
    bool web, metrics; /* served (stats_serve.c) */
    bool pprof;        /* so are profiles, with web */
    bool usage;        /* --processes: samples have them, metrics control groups, too */
    bool overview;     /* --overview, which has the first processes of --once */
    struct stats_machine machine[STATS_WATCH_MAX];
    size_t machines;
    const char *dial; /* NULL: PSUITE_DIAL, or by ssh */
    /* the run */
    struct stats_choice all; /* graphs of all samples that are told */
    struct stats_sink sink[STATS_MAX_SINKS];
    size_t sinks;
    struct buf text;
    uint64_t printed;
    int recording; /* a handle; negative: none */
};

/* One more machine: 1, or -1 when there are too many, which was told. */
int stats_machine(struct stats_request *q, const char *name, bool folder);
/* Whether their names can be understood: 0, or -1, which was told. */
int stats_machines_check(const struct stats_request *q);
/* Makes sources of them; those that are not there are left out, which is told. */
int stats_machines_add(struct stats_request *q, struct stats_watch *w, struct fail *f);
void stats_left_out(void *arg, const char *name, const char *why);

/* Adds those that write samples: the form, a recording. Returns an exit status. */
int stats_outputs_open(struct stats_request *q);
/* Ends them: the exit status, status if all was written. */
int stats_outputs_close(struct stats_request *q, int status);

/* --web and --openmetrics with an address: 1, or -1 when it is none, which was told. */
int stats_serve_web(struct stats_request *q, const char *address);
int stats_serve_metrics(struct stats_request *q, const char *address);
/* Listens, says where, and takes part in the run. Returns an exit status. */
int stats_serve_begin(struct stats_request *q);
void stats_serve_end(void); /* harmless when it did not begin */

/* A recording's samples in the wanted form. */
int stats_replay_print(struct stats_request *q, struct stats_replay *r);
