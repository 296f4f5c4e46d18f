/*
 * statsview: shows samples as rolling graphs on a canvas: the history, the keys, and the drawing.
 *
 * The processes of the first source are below the graphs: a third of the lines at most, so many
 * that each graph keeps a line, and no fewer than three.
 *
 * Graphs are one above the other in the order of the choice, those that never had a value last,
 * sources side by side; the newest sample is at the right, a column a sample. What is remembered is
 * 8 bytes a value, the last STATSVIEW_HISTORY of each graph that was ever shown.
 */
#pragma once

#include "core/stats/sample.h"
#include "core/tui/canvas.h"
#include "core/tui/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATSVIEW_HISTORY = 1024, STATSVIEW_SOURCES = 64, STATSVIEW_NAME = 64, STATSVIEW_WHY = 160 };

struct statsview_point {
    float value, natural; /* NAN: absent */
};

struct statsview_source {
    char name[STATSVIEW_NAME];
    uint32_t cpus;
    uint64_t age_ms;
    char why[STATSVIEW_WHY]; /* it does not answer; empty: not known */
    struct stats_value newest[STATS_GRAPHS];
    struct statsview_point *point[STATS_GRAPHS]; /* rings; NULL until it is shown */
};

struct statsview {
    struct stats_choice choice;
    double scale; /* of -S: full scales are so much higher */
    bool log, labels;
    bool fit; /* full scales, except of shares, are what the visible values need */
    bool paused, help, menu;
    struct key_answer answer; /* to the last key, if it is none of the view's */
    bool halves;              /* the terminal's characters have no eighths */
    bool replay;              /* samples come from a file: other keys, and they may be sought */
    double speed;             /* of a replay */
    size_t replay_index, replay_count; /* of a replay: which sample, of how many */
    struct list graphs;                /* of the menu */
    bool processes;                    /* are shown below the graphs, where there is room */
    const struct stats_top *top;       /* of the newest sample's first source; NULL: not read */
    struct statsview_source *source;
    size_t sources;
    uint64_t time_ms; /* of the newest sample */
    double interval;
    uint64_t samples; /* taken; where the rings are written is this modulo their length */
    uint64_t held;    /* while paused: how many samples ago the right edge is */
};

/* Nothing is to be released of one that is all zero but for its settings. */
void statsview_release(struct statsview *v);

/* Takes a sample: its sources are at most STATSVIEW_SOURCES and stay the same. Reasons are kept as
 * pointers until the next. -ENOMEM: it is left out. */
int statsview_add_sample(struct statsview *v, const struct stats_sample *s);
/* Forgets all samples: those of another place in a replay come next. */
void statsview_forget(struct statsview *v);

enum statsview_action {
    STATSVIEW_NOTHING, /* but draw */
    STATSVIEW_END,
    STATSVIEW_SEEK, /* a replay: by so many samples */
};
enum statsview_action statsview_press(struct statsview *v, const struct key *key, int height,
                                      int64_t *seek);

void statsview_draw(const struct statsview *v, struct canvas *c);

/* --- parts of the view that are specified exactly (FORMATS 9) --- */

/* A source's heading in at most so many columns: the name behind its last `!', of a folder its last
 * element, up to the first `.'; the CPUs in parentheses if there are several and room. */
void statsview_heading(const char *name, uint32_t cpus, int columns, char out[STATSVIEW_NAME]);

/* The labels of a graph for one CPU: 1/4, 1/2, 3/4 of the full scale, or with log 1/10 and 1. How
 * many; out has their values from below, at what share of the height. */
struct statsview_label {
    double value, height;
};
size_t statsview_labels(const struct stats_value *v, uint32_t cpus, double scale, bool log,
                        struct statsview_label out[3]);
