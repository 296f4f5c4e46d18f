/*
 * top: the live table of a running sampling: its rows, the keys, and its drawing on a canvas.
 *
 * Counts come from a sampled that is counted by thread and keeps what was counted lately
 * (want.recent); top remembers what it was at the last update, so `now' is what came since. Rows
 * are functions, modules, threads or processes; going into one shows the functions in it. An update
 * costs as much as was sampled since the last, and a look at each row. Memory: 8 bytes a cell of
 * sampled, 4 a node, 16 a cell of the last update, and a row a name.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/sample/forget.h"
#include "core/sample/sampled.h"
#include "core/symbol/demangle.h"
#include "core/tui/canvas.h"
#include "core/tui/list.h"

enum top_by { TOP_FUNCTION, TOP_MODULE, TOP_THREAD, TOP_PROCESS, TOP_BYS };
enum top_sort { TOP_NOW, TOP_TOTAL, TOP_NAME, TOP_SORTS };

enum { TOP_FILTER = 64 };

/* Of what: `id' is the thread's pid and tid, the process's pid, the module's id, or the name's
 * place. */
struct top_key {
    uint64_t id;
    uint32_t module; /* of a function */
    uint32_t by;
};

struct top_row {
    struct top_key key;
    const char *name, *module; /* as shown; module NULL: none to be shown */
    bool kernel;
    uint64_t now, total; /* weight */
    uint64_t wait;       /* of total */
};

/* What is shown and how; the caller may set it before the first update. */
struct top_view {
    enum top_by by;
    enum top_sort sort;
    bool into; /* rows are functions of `inside' alone */
    struct top_key inside;
    char inside_name[64];
    char filter[TOP_FILTER];
    bool typing, paused, help;
    struct key_answer answer; /* to the last key, if it is none of the view's */
    struct list list;         /* of the rows that pass the filter */
};

/* Sums over all rows. */
struct top_sum {
    uint64_t time_ns, span_ns; /* of the last update, and since the one before */
    uint64_t now, now_kernel;  /* weight since the update before; of it in the kernel */
    uint64_t now_wait;         /* of now, weight of threads that did not run */
    uint64_t now_idle, idle;   /* since the update before, and in all, of idle CPUs; in no row */
    uint64_t total, samples;   /* in all: weight, how many */
    uint64_t lost;             /* records, in all */
};

/* A cell that was counted between the last two updates. */
struct top_change {
    uint32_t cell;
    uint64_t now; /* weight since the update before */
};

struct top_table {
    const struct sampled *sampled; /* of the last update */
    uint64_t *weight;              /* at the last update, of each cell of sampled */
    size_t cells, cell_cap;        /* a cell since then has none yet */
    struct top_change *change;     /* of the last update */
    size_t changes, change_cap;
    uint32_t *function; /* of each node: its row of places + 1; 0: not known yet */
    size_t nodes;
    struct intern places, tasks;     /* struct top_row, by key */
    struct intern names, task_names; /* of these rows */
    uint32_t *shown;                 /* those that pass the filter, sorted: view.list */
    size_t shown_cap;
};

struct top {
    const char *method; /* the caller's: "perf cpu-clock" */
    uint64_t start_ns;  /* the caller's: the base of the first update */
    struct demangler *names;
    bool waits;  /* are counted */
    bool kernel; /* the kernel is sampled, too */
    bool clock;  /* weights are nanoseconds, else events */
    struct top_view view;
    struct top_sum sum;
    struct top_table table;
    int err; /* -ENOMEM: earlier updates are kept */
};

/* names outlives it. */
void top_init(struct top *t, struct demangler *names);
void top_release(struct top *t);

/* Takes what was counted since, which is what was sampled until time_ns; s outlives the keys
 * pressed. Symbols of the modules are read: they are to be ready. While paused nothing changes, and
 * s->recent is kept: false; else the caller clears it. */
bool top_update(struct top *t, const struct sampled *s, uint64_t time_ns);

/* Cells have become others (sampled_fold_ended). */
void top_moved(struct top *t, const uint32_t *moved);

/* So have nodes and modules (sampled_forget), and names are about to: rows are made anew, by
 * symbols of the modules that are left. */
void top_forgot(struct top *t, const struct forgotten *f);

/* Whether a row on a screen of that height is of the module, or the rows are those in it. */
bool top_shows_module(const struct top *t, uint32_t module, int height);

/* What a key does; height: of the canvas. False: the view shall end. */
bool top_press(struct top *t, const struct key *key, int height);

void top_draw(const struct top *t, struct canvas *c);
