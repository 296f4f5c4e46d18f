/*
 * browse_private: the parts of a browser, in the order in which they build on each other: sums
 * (graph.c), lists of rows (rows.c), trees (branches.c, branch_search.c), what is shown and where
 * it was before (place.c), keys (keys.c, keys_time.c), drawing (draw.c).
 */
#pragma once

#include "core/base/buf.h"
#include "core/browse/browse.h"
#include "core/stacks/call_tree.h"
#include "core/tui/list.h"
#include "core/tui/typed.h"

enum { BROWSE_BINS = 1000, BROWSE_TEXT = 64, BROWSE_PATH = 64, BROWSE_PAST = 100 };

/* --- graph.c: one call tree, and what is counted of it --- */

struct browse_sums {
    uint64_t self, total;
};

/* Whether a node is the first of its function, or of its module, on its chain. */
enum { BROWSE_OUTER_FUNCTION = 1, BROWSE_OUTER_MODULE = 2 };

struct browse_graph {
    const struct stacks *stacks;
    struct call_tree tree; /* of all chains, direct recursion folded; self and total are in scope */
    uint32_t *node_of;     /* a node of each of the stacks' */
    uint32_t unknown;      /* the node of samples without a frame */
    uint8_t *outer;        /* of each node, ored */
    uint32_t *by_row;      /* nodes in order of their rows */
    uint32_t *row_first;   /* of each row: its first one in by_row; and one more */
    uint32_t *module_of;   /* of each row */
    const char **module;   /* names; "" outside every module */
    size_t modules;

    /* of what is in scope */
    struct browse_sums *row, *of_module;
    uint64_t *thread;          /* of each thread, in the time of the scope alone */
    uint64_t bin[BROWSE_BINS]; /* over all the time, of the threads in scope */
    uint64_t samples, whole;   /* whole: of everything, in scope or not */
    uint64_t duration_ns;      /* 0: times are not known */
};

int browse_graph_init(struct browse_graph *g, const struct browse_source *source);
void browse_graph_release(struct browse_graph *g);
void browse_graph_count(struct browse_graph *g, const struct browse_source *source,
                        const struct browse_scope *scope);

/* The stacks' function of a row; NULL: it stands for none. */
const struct stacks_function *browse_row_function(const struct browse_graph *g, uint32_t row);

/* --- rows.c: lists --- */

enum browse_view {
    BROWSE_FUNCTIONS,
    BROWSE_MODULES,
    BROWSE_THREADS,
    BROWSE_PROCESSES,
    BROWSE_TREE,
    BROWSE_CALLEES,
    BROWSE_CALLERS,
    BROWSE_TEXT_OF, /* a function's source or instructions */
};
enum browse_sort { BROWSE_BY_SELF, BROWSE_BY_TOTAL, BROWSE_BY_NAME, BROWSE_SORTS };

/* A line of a list or a tree. */
struct browse_row {
    const char *name, *module;
    uint32_t id; /* a row of the graph, a module, a thread of the stacks, a pid; a branch */
    struct browse_sums sums;
};

struct browse_rows {
    struct browse_row *row;
    size_t count, cap;
    struct buf names; /* of threads and processes */
    int err;
};

/* What a list shows: those of a module, UINT32_MAX all; those whose name has the text. */
struct browse_pick {
    enum browse_view view;
    enum browse_sort sort;
    uint32_t module;
    const struct browse_scope *scope;
    const char *text;
};
void browse_list(struct browse_rows *rows, const struct browse_graph *g,
                 const struct browse_pick *pick);
void browse_rows_add(struct browse_rows *rows, const struct browse_row *row);
void browse_rows_release(struct browse_rows *rows);

/* --- branches.c: trees that unfold --- */

/* Of a branch: `amount' was counted at a node, and `at' is where its chain is by now: the node
 * itself in a tree of callees, one of its callers in a tree of callers. */
struct browse_member {
    uint32_t row, at;
    uint64_t amount;
};

struct browse_branch {
    uint32_t parent, row; /* parent STACKS_NONE: the first one */
    uint32_t first;       /* of its children, which are adjacent */
    uint32_t children;
    size_t member, members;
    struct browse_sums sums;
    uint32_t depth;            /* frames of direct recursion */
    uint32_t level;            /* how far it is indented: an only child as far as its parent */
    bool leaf, made, unfolded; /* made: its children are there */
};

struct browse_branches {
    const struct browse_graph *graph;
    enum browse_view view; /* BROWSE_TREE, whose first branch is not shown; CALLEES, CALLERS */
    struct browse_branch *at;
    size_t count, cap;
    struct browse_member *member;
    size_t members, member_cap;
    int err; /* -ENOMEM, -EFBIG: more than BROWSE_MAX_MEMBERS */
};
enum { BROWSE_MAX_MEMBERS = 8 << 20 }; /* 128 MB */

/* The tree of a function (a row); of BROWSE_TREE of everything. The first branch is unfolded. */
void browse_branches_make(struct browse_branches *b, const struct browse_graph *g,
                          enum browse_view view, uint32_t row);
void browse_branches_release(struct browse_branches *b);
/* The same tree after other sums were counted: what was unfolded is so again. *marked: a branch
 * that becomes the same one, or the nearest around it that is left. */
void browse_branches_again(struct browse_branches *b, uint32_t *marked);

void browse_children(struct browse_branches *b, uint32_t branch);
/* The next branch in order that is not below i; STACKS_NONE: none is. */
uint32_t browse_next_outside(const struct browse_branches *b, uint32_t i);
/* With an only child that one is unfolded, too, and so on. */
void browse_unfold(struct browse_branches *b, uint32_t branch);
/* All below that have min or more; at most BROWSE_UNFOLD_MAX. */
enum { BROWSE_UNFOLD_MAX = 20000 };
void browse_unfold_all(struct browse_branches *b, uint32_t branch, uint64_t min);
/* The child of a row; STACKS_NONE: none. */
uint32_t browse_child(const struct browse_branches *b, uint32_t branch, uint32_t row);

/* The lines that are shown: what is unfolded, in order. */
void browse_lines(const struct browse_branches *b, struct browse_rows *rows);

/* --- branch_search.c --- */

/* The next branch after `from', folded ones too, whose function's name has the text, around the
 * end; the one before when backward. What is around it is unfolded. STACKS_NONE: there is none. */
uint32_t browse_search(struct browse_branches *b, const char *text, uint32_t from, bool backward);

/* --- place.c: what is shown --- */

struct browse_place {
    enum browse_view view;
    uint32_t function; /* of callees, callers and text: a row */
    uint32_t module;   /* functions of this one alone; UINT32_MAX: of all */
    bool code;         /* of text: instructions, also where source is */
    bool by_process;
    uint32_t pid, thread; /* of the scope */
    uint32_t marked;      /* a row's id; in a tree: by path; in text: the line */
    uint32_t path[BROWSE_PATH];
    size_t depth;
};

enum browse_typing { BROWSE_NOT_TYPING, BROWSE_PATTERN, BROWSE_RANGE };

struct browse {
    struct browse_source source;
    struct browse_graph graph;
    struct browse_scope scope;
    struct browse_place place;
    struct browse_place *past;
    size_t pasts, past_cap;
    enum browse_sort sort;
    struct browse_rows rows;
    struct browse_branches branches;
    struct list list;
    struct annotate_text text; /* of BROWSE_TEXT_OF */
    bool text_due;             /* it is that of another function or scope */
    char no_text[2][256];      /* why it is empty, and a remedy */
    char pattern[BROWSE_TEXT], typed[BROWSE_TEXT];
    enum browse_typing typing;
    bool help, dragging;
    uint64_t drag_ns;
    char said[128];
    int lines; /* of rows on the screen */
};

/* Makes the rows of b->place, with the cursor where the place says. */
void browse_open(struct browse *b);
/* The same rows after the scope changed; after the pattern or the order did. The cursor stays at
 * its row. */
void browse_renew(struct browse *b);
void browse_relist(struct browse *b);
/* To another place; the one before is kept for the way back. */
void browse_go(struct browse *b, const struct browse_place *to);
/* False: there is no way back. */
bool browse_back(struct browse *b);
/* The function that the cursor is at, as a row of the graph; STACKS_NONE: at none. */
uint32_t browse_marked(const struct browse *b);

static inline bool browse_is_tree(enum browse_view view)
{
    return view == BROWSE_TREE || view == BROWSE_CALLEES || view == BROWSE_CALLERS;
}

/* --- keys_time.c --- */

/* + - < >; false: another key. */
bool browse_time_key(struct browse *b, uint32_t rune);
/* "2.5-4": seconds; either may be left out; nothing: all. */
void browse_time_typed(struct browse *b);
void browse_time_mouse(struct browse *b, const struct key *k, int width);

/* --- draw.c --- */

/* Lines above the rows, and the line of the graph over time. */
enum { BROWSE_HEAD = 4, BROWSE_STRIP_LINE = 2 };
/* Where that graph is. */
void browse_strip(const struct browse *b, int width, int *x, int *columns);
