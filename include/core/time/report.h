/*
 * time_report: the reports of the time applet besides Plan 9's line: one run in detail, the
 * statistics of a series, a comparison of commands; as text and as JSON.
 */
#pragma once

#include "core/time/counter.h"
#include "core/time/paired.h"
#include "core/time/parameter.h"

#include <stdbool.h>
#include <stddef.h>

struct buf;

enum { TIME_COUNTERS = 24 };

/* What is measured of each run; the counters follow. */
enum time_measure {
    TIME_REAL, /* ns, as the next two */
    TIME_USER,
    TIME_SYSTEM,
    TIME_PEAK_RSS, /* bytes */
    TIME_MINOR_FAULTS,
    TIME_MAJOR_FAULTS,
    TIME_VOLUNTARY,
    TIME_INVOLUNTARY,
    TIME_BLOCKS_IN, /* of 512 bytes */
    TIME_BLOCKS_OUT,
    TIME_BASIC,                           /* how many these are */
    TIME_CPU = TIME_BASIC + TIME_COUNTERS /* TIME_USER and TIME_SYSTEM: for comparisons alone */
};

struct time_run {
    bool signalled, core;
    int code;          /* exit status or signal */
    bool rss_at_floor; /* the peak RSS is that of the process that started it: the command's own may
                          be less */
    bool idle;         /* nothing ran: a counter that reads 0 may count all the same */
    double value[TIME_BASIC + TIME_COUNTERS]; /* counters: scaled by their share of the time */
    double share[TIME_COUNTERS];              /* 0..1; 0: never counted */
};

struct time_counter {
    const char *name;
    enum counter_state state;
};

struct time_command {
    char *const *argv;
    struct time_run *run;
    size_t runs, cap;
};

enum gate_verdict { GATE_OPEN, GATE_NOT_SLOWER, GATE_SLOWER, GATE_UNDECIDED };

struct time_report {
    struct time_command *command;
    size_t commands;
    const struct time_parameter *parameter; /* not owned; each combination of their values has */
    size_t parameters, each;                /* so many commands, one after the other */
    struct time_counter counter[TIME_COUNTERS];
    size_t counters;
    unsigned long wanted, warmups; /* runs of each command that were asked for */
    bool interrupted, stopped;     /* fewer were made: by the user, at a failure */
    double gate_ratio;             /* gate.h; 0: none */
    bool gate_cpu;                 /* of CPU time, else of real time */
    enum gate_verdict gate;
    bool machine; /* the counters are those of all CPUs, idle or not, of no command */
};

/* Takes the run over; 0 or -ENOMEM. */
int time_command_add(struct time_command *c, const struct time_run *run);
void time_command_release(struct time_command *c);

bool time_failed(const struct time_run *run);
size_t time_failures(const struct time_command *c);

/* Plan 9's line of a run. */
void time_line(const struct time_command *c, const struct time_run *run, struct buf *out);
/* Its other measures, a line each; its counters. */
void time_details(const struct time_run *run, struct buf *out);
void time_counters(const struct time_report *r, const struct time_run *run, struct buf *out);

/* A series' measures summed up (details: all of them), and of several commands how they compare. */
void time_series(const struct time_report *r, bool details, struct buf *out);

/* Everything, as one object. */
void time_json(const struct time_report *r, struct buf *out);

/* How far a series is, cut to width characters: made of all runs, since spent_ns. */
void time_progress(unsigned long made, unsigned long all, double spent_ns, size_t width,
                   struct buf *out);

/* How a second command's runs relate to the first's: the ratio of the medians, and of the pairs of
 * runs made in the same round the middle nine tenths; in how many of these pairs it was more, and
 * less; what they show (with PAIRED_MIN rounds at least). All zero without runs. */
struct time_ratio {
    double of_medians, pairs_p5, pairs_p95;
    size_t rounds, more, less;
    struct paired_estimate estimate;
};
struct time_ratio time_compare(const struct time_command *first, const struct time_command *other,
                               enum time_measure measure);

/* A measure's median, outliers, ... over a command's runs. */
struct summary;
int time_summary(const struct time_command *c, size_t measure, struct summary *out);

/* The words of a measure (a counter's are its name): label for people, key with the unit for JSON.
 */
const char *time_label(const struct time_report *r, size_t measure);
const char *time_key(const struct time_report *r, size_t measure);
