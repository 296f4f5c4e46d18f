/*
 * browse: a browser of recorded call chains in the terminal: functions, modules, threads and
 * processes by their amounts; the call tree, a function's callees and its callers as trees that
 * unfold; a function's source or instructions, which the caller provides; all of it of every
 * sample, or of a range of time, a thread or a process.
 *
 * Rows are those of the reports (core/stacks/functions.h). In trees a function that calls itself is
 * one row. An amount of callees is the function's with all that it calls, so that callees below a
 * row and its self amount add up to it; an amount of callers is what of the function's total they
 * called. A function that is on a chain several times counts once, by its outermost frame.
 *
 * Memory: one call tree, 60 bytes a node, whose sums are those of the samples in scope: another
 * scope counts them again, in place. A tree that is shown adds 16 bytes a node below what was
 * unfolded. Time: linear in samples and nodes for another scope.
 */
#pragma once

#include "core/report/annotate.h"
#include "core/stacks/stacks.h"
#include "core/tui/canvas.h"
#include "core/tui/keys.h"

/* A sample by itself. thread and node are the stacks'; STACKS_NONE where they have none. */
struct browse_event {
    uint64_t time_ns, amount; /* since the first one; of the stacks' last value */
    uint32_t thread, node;
};

/* What is browsed. All of it outlives the browser. */
struct browse_source {
    const char *name;            /* of the file */
    const char *sampled_by;      /* the event, where there are several; NULL: there is one */
    const struct stacks *stacks; /* not timed */
    size_t events;               /* the same samples one by one; 0: their times are not known */
    struct browse_event (*event)(const void *arg, size_t i);
    const void *arg;
};

/* Which samples are counted. */
struct browse_scope {
    bool by_time, by_process;
    uint64_t from_ns, to_ns; /* of time: from <= t < to */
    uint32_t pid;            /* of by_process */
    uint32_t thread;         /* STACKS_NONE: all */
};

struct browse;

/* NULL: out of memory. */
struct browse *browse_new(const struct browse_source *source);
void browse_free(struct browse *b); /* NULL: nothing */

enum browse_action {
    BROWSE_GO_ON,
    BROWSE_END,
    BROWSE_NEXT_EVENT, /* the samples of the next event are wanted, of several */
    BROWSE_ANNOTATE, /* the text of browse_function is wanted: browse_show_text or browse_no_text */
};

/* A key, on a canvas of this size. The view is drawn again after each. */
enum browse_action browse_press(struct browse *b, const struct key *k, int width, int height);
void browse_draw(struct browse *b, struct canvas *c);

/* The function whose text is wanted, of the samples in scope; NULL: none. */
const struct stacks_function *browse_function(const struct browse *b);
/* Its instructions are wanted, also where its source is known. */
bool browse_wants_code(const struct browse *b);
const struct browse_scope *browse_scope(const struct browse *b);
bool browse_scope_has(const struct stacks *s, const struct browse_scope *scope, uint32_t thread);

/* Takes the rows; text is empty afterwards. */
void browse_show_text(struct browse *b, struct annotate_text *text);
/* There is none: why, and a remedy, or "". */
void browse_no_text(struct browse *b, const char *why, const char *remedy);

/* In the last line, until the next key. */
void browse_say(struct browse *b, const char *message);
