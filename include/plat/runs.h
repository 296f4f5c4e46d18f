/*
 * runs: runs commands repeatedly, one at a time, from a small process: the runner.
 *
 * A command's peak RSS can not read lower than what the process that starts it has used, and its
 * counters are opened in the process that starts it; so neither is done here. The runner starts
 * each with vfork and exec (PATH is searched once, as execvp does; a script without `#!' goes to
 * /bin/sh) and reports each end through a pipe.
 *
 * The commands have our standard streams, process group and terminal, and the signal dispositions
 * that psuite was started with. The interrupt key ends neither us nor the runner, but the series. A
 * command that stops itself stops us too, so that the shell gets the terminal back. When we die,
 * the runner ends after the run at hand.
 */
#pragma once

#include "plat/child.h"
#include "plat/count.h"

#include <stdbool.h>
#include <stddef.h>

enum { RUNS_COUNTERS = 24 };

struct runs_plan {
    char *const *const
        *command; /* argument vectors, each ends with NULL; they outlive the series */
    char *const *const
        *prepare; /* as many: what runs before each run, unmeasured; NULL: nothing does */
    size_t commands;
    unsigned long rounds; /* a round is each command once, in order; each second one backwards */
    bool hide_output;     /* what they write to standard output is lost */
    bool end_at_failure;  /* a run that fails is the last */
    const struct count_event *event;
    size_t events; /* at most RUNS_COUNTERS */
};

/* One run, in the order of the plan. */
struct runs_end {
    size_t command;
    int exec_errno;   /* not 0: the command could not be executed, nothing else here counts, the
                         series is over */
    bool unprepared;  /* its preparation failed, as end tells: the series is over */
    bool interrupted; /* ended by the interrupt key: cut short */
    struct child_end end;
    struct counter_reading count[RUNS_COUNTERS]; /* of this run alone */
};

struct runs;

/* -ENOENT, -EACCES when a command is not there or not executable: nothing ran. */
int runs_start(const struct runs_plan *plan, struct runs **out, struct fail *f);

/* Ready when runs_next has something. */
int runs_handle(const struct runs *r);

/* Takes the next run's end, waiting for it: 1, or 0 when the series is over. */
int runs_next(struct runs *r, struct runs_end *out, struct fail *f);

/* No run after the one at hand; signal, if not 0, is sent to its command. */
void runs_stop(struct runs *r, int signal);

void runs_free(struct runs *r);
