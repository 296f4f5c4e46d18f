/*
 * sampled: counts the samples of a sampling. It takes decoded records in order of time and counts
 * samples by call chain (a chain of one place when chains are not taken), a set for all, or one a
 * thread or process. Recordings are read into it, too: below what is counted, nothing knows where
 * it came from.
 *
 * Memory: up to SAMPLED_NODE_BYTES a node (a place and its callers), plus maps and modules. Over
 * want.max_nodes a sample of a new chain is counted at its innermost place, without callers, and
 * as shortened, so that no target can exhaust the board's memory and flat reports stay right. So
 * that this is seldom, rare chains are merged before (core/sample/rare.h).
 */
#pragma once

#include "core/containers/imap.h"
#include "core/containers/intern.h"
#include "core/heap/heap.h"
#include "core/perf/perfrec.h"
#include "core/perf/switches.h"
#include "core/sample/mapped.h"
#include "core/sample/stack_need.h"

enum {
    SAMPLED_NODE_BYTES = 64,     /* with its hash slots and cell, while the arrays grow */
    SAMPLED_MIN_NODES = 1 << 16, /* 4 MB */
    SAMPLED_MAX_NODES = 1 << 28,
    SAMPLED_USUAL_NODES = 2000000,
    SAMPLED_MAX_DEPTH = 1024,
    SAMPLED_MAX_IDLE = 32,
    SAMPLED_OUTSIDE = 0xffff,
    SAMPLED_MAX_TIMELINE = 4000000,
    SAMPLED_MAX_EVENTS = 8
};

/* The pid of a task that is no longer among the living while its last work is done; its name is
 * "(ended)". */
#define SAMPLED_GONE ((uint32_t)-1)

/* The pid of all processes outside the PID namespace that sampled: they have no numbers in it, and
 * perf gives them 0, as it does the idle task. Their name is "(outside this PID namespace)". */
#define SAMPLED_FOREIGN ((uint32_t)-2)

/* SAMPLED_BY_CGROUP: of records that have control groups. */
enum sampled_by { SAMPLED_WHOLE, SAMPLED_BY_THREAD, SAMPLED_BY_PROCESS, SAMPLED_BY_CGROUP };

/* One thread, or with SAMPLED_BY_PROCESS one process (tid is pid), that was sampled. A tid used
 * again by another thread is another one. With SAMPLED_BY_CGROUP one control group: both are 1 +
 * the number of its path, or 0. */
struct sampled_thread {
    uint32_t pid, tid;
    uint32_t ppid; /* of a process's main thread: by which it was started; 0: not known */
    char name[32];
    uint64_t samples, weight;
    uint32_t cgroup; /* 1 + the number of its path in sampled.cgroups; 0: not known */
    bool by_record;  /* its samples tell */
    bool asked;      /* for that, since it has this name */
    bool ended;
};

/* Whether its pid and tid are numbers of a process and a thread. */
bool sampled_has_pid(const struct sampled_thread *t);

/* A call chain: a place, called from its parent's. Callers' places are in their call, not where it
 * returns to. */
struct sampled_node {
    uint64_t offset; /* in the module's file; of memory without a file the address */
    uint32_t module; /* SAMPLED_OUTSIDE: none covers it, and offset is 0 */
    uint32_t parent; /* INTERN_NONE: no caller is known */
};

struct sampled_cell {
    uint32_t set, node; /* set: the thread's index, 0 when all are one */
    uint64_t samples, weight;
};

/* Why chains ended, a module at a time: what core/unwind/unwind.h returned, and how often. Of
 * several events the first one's; of another, SAMPLED_EVENT_ENDS times its number is added to end,
 * and what sampled_unwound counts of the first one are rows, too. */
enum {
    SAMPLED_EVENT_ENDS = 256,
    SAMPLED_END_BY_CODE = 253,
    SAMPLED_END_GUESSED,
    SAMPLED_END_FROM_CACHE
};
struct sampled_end {
    uint32_t module; /* of the last frame, or where it was guessed; SAMPLED_OUTSIDE */
    uint32_t end;    /* enum unwind_end */
    uint64_t chains;
};

/* Why a thread did not run: the offset of a node in the module of waits ("[wait]", module.wait),
 * which is put where it waited as if it were called from there. */
enum sampled_wait { SAMPLED_ASLEEP = 1, SAMPLED_PREEMPTED, SAMPLED_WAITS };

struct sampled_waits {
    uint64_t count;
    uint64_t weight[SAMPLED_WAITS]; /* ns, by why; [0]: of all */
    uint64_t forgotten, spanning;   /* as core/perf/switches.h counts them */
};

struct buf;

enum { SAMPLED_MAX_OTHERS = 63 };

struct sampled_want {
    uint32_t pid;                       /* the process, 0 = any */
    uint32_t other[SAMPLED_MAX_OTHERS]; /* with pid: these processes, too */
    size_t others;
    uint32_t own;     /* the process that samples, which is counted apart; 0: none */
    bool children;    /* and those it starts */
    bool same_text;   /* of these, while they have the main module mapped */
    bool kernel;      /* samples in the kernel count, too */
    bool no_user;     /* only they do */
    bool user_apart;  /* those in user mode are counted apart; with no_user */
    bool idle;        /* those of idle CPUs are samples like others */
    bool foreign;     /* there are processes without a pid: what of pid 0 is not idle is theirs */
    bool leaf_only;   /* of chains their innermost place alone is taken */
    bool innermost;   /* the same of chains that are there; callers are nodes without samples, so
                         that their modules are known to be hit */
    bool waits;       /* waits are samples, too; records of period 1 are switches */
    bool bulk;        /* cells are complete only after sampled_count_tally */
    bool timeline;    /* each sample is kept, up to SAMPLED_MAX_TIMELINE */
    bool recent;      /* the cells that were counted lately are kept: struct sampled_recent */
    size_t max_nodes; /* with callers; a quarter more without. 0: SAMPLED_USUAL_NODES */
    enum sampled_by by;
    uint64_t hz;    /* samples a second of running time; 0: by event */
    unsigned event; /* of a recording with several: whose samples count */
};

/* What weights are. */
struct sampled_event {
    char name[64];
    bool clock; /* nanoseconds, else events */
};

/* A sample that counts. */
struct sampled_one {
    uint64_t time_ns, weight;
    uint32_t thread, node;
    uint32_t cpu;
    bool shortened; /* the node lacks its callers */
    uint8_t event;  /* of several: which */
};

struct sampled_idle_code { /* until one is given, all of the idle task is idle */
    struct mapped_code range[SAMPLED_MAX_IDLE];
    size_t count;
};

struct sampled_threads {
    struct imap of_tid; /* tid -> index + 1 */
    struct sampled_thread *thread;
    size_t count, cap;
    size_t spare; /* index + 1 of one that may be used again */
    size_t ended; /* of count */
};

/* The control groups of records, by the kernel's numbers, and of processes that were asked for
 * them. */
struct sampled_cgroups {
    struct imap of_id; /* 1 + the number of the path */
    struct intern path;
};

/* The cells of the samples since the list was cleared, in that order: one may be there more than
 * once. With more than SAMPLED_MAX_RECENT they are perhaps not all there. */
enum { SAMPLED_MAX_RECENT = 1 << 16 };
struct sampled_recent {
    uint32_t *cell;
    size_t count, cap;
    bool overrun;
};

/* Of the chains that were unwound. */
struct sampled_unwound {
    struct intern ends;                /* struct sampled_end */
    uint64_t by_code;                  /* with a frame found by its instructions */
    uint64_t guessed;                  /* with a guessed frame */
    uint64_t from_cache;               /* whole by what read_stack read */
    struct stack_cache *cached_stacks; /* what it read; NULL: nothing yet */
    struct stack_need need;            /* how much of the stack the chains take */
};

struct sampled_counts {
    uint64_t samples, weight;   /* that count */
    uint64_t outside;           /* of them: at an address that no module covers */
    uint64_t shortened;         /* of them: counted without callers, as max_nodes were known */
    uint64_t merged;            /* of them: have lost their callers since (rare.h) */
    uint64_t in_kernel;         /* of them: in the kernel */
    uint64_t idle, idle_weight; /* not among them: of CPUs that had nothing to do */
    uint64_t user, user_weight; /* not among them: in user mode */
    uint64_t own, own_weight;   /* not among them: of the process that samples */
    uint64_t forks;             /* processes that began meanwhile, as far as records told */
};

struct sampled_waiting {
    struct waits pairing;
    bool ready;
    uint32_t root[SAMPLED_WAITS]; /* nodes of waits without a caller, once ready */
};

/* The kernel's accounting. */
struct sampled_accounted {
    uint64_t cpu_time_ms;                 /* of the targets in these modes; 0: not known */
    uint64_t irq_ms, softirq_ms, idle_ms; /* of all CPUs */
};

struct sampled_loss {
    uint64_t lost;      /* records that the kernel dropped, samples among them */
    uint64_t throttled; /* times that it paused the sampling */
};

struct sampled_timeline {
    struct sampled_one *one;
    size_t count, cap;
};

/* Samples by their places, which are not yet counted in cells. */
struct sampled_tally {
    struct tally_slot *slot;
    size_t used, waiting;
};

/* When all are one set: where the cell of a node is, + 1. */
struct sampled_cell_of {
    uint32_t *index;
    size_t count;
};

struct sampled;
struct sampled_hooks { /* each may be NULL */
    /* Called once for a module through which a chain goes: gives it its cfi, if it can. */
    void (*need_cfi)(void *arg, struct module *m);

    /* Called when a chain goes on beyond the slice of stack of its sample, which holds 64 KB at
     * most, and ends at a page that was never written: reads len bytes of the process at from, as
     * they are now: pages of 4 KB, 80 KB at most; how many bytes could be read. Used where the
     * calls prove it (unwind_is_call) and the chain becomes whole. */
    size_t (*read_stack)(void *arg, uint32_t pid, uint64_t from, void *bytes, size_t len);

    /* Called for each place in a module: where in it the place is counted, such as the start of its
     * function. What lies from there to *end, if that is set, is counted at the same place. */
    uint64_t (*place)(void *arg, struct module *m, uint64_t offset, uint64_t *end);

    /* Called for a control group that no record has named: appends its path. */
    bool (*cgroup)(void *arg, uint64_t number, struct buf *path);

    /* Called for each sample that counts, resolved, in order. */
    void (*counted)(void *arg, const struct sampled *s, const struct sampled_one *one);

    /* Called while a recording is read, when about a quarter of a MB more of it is read. */
    void (*consumed)(void *arg);
    void *arg;
};

struct sampled {
    struct sampled_want want;
    struct sampled_event event;
    struct mapped mapped;
    struct sampled_idle_code idle_code;
    struct sampled_threads threads;
    struct sampled_cgroups cgroups;
    struct intern nodes, cells; /* struct sampled_node, struct sampled_cell */
    struct sampled_cell_of cell_of;
    size_t merged_nodes; /* that were left when rare chains were merged last (rare.h) */
    struct sampled_tally tally;
    struct sampled_unwound unwound;
    uint64_t regs_user; /* which registers the samples' records carry */
    struct sampled_counts count;
    struct sampled_waits waits; /* of all samples: those of threads that did not run */
    struct sampled_waiting waiting;
    struct sampled_accounted accounted;
    struct sampled_loss loss;
    uint64_t first_ns, last_ns; /* times of the first and the last sample */
    struct sampled_timeline timeline;
    struct sampled_recent recent;
    struct heap_totals heap; /* of a heap profile, by node: samples are nodes that allocated */
    int err; /* -ENOMEM once out of memory: earlier counts are kept; mapped has its own */
    struct sampled_hooks hooks;
};

/* want.max_nodes for a machine with so much memory: a sixteenth of it. */
size_t sampled_nodes_for_memory(size_t memory_bytes);

void sampled_init(struct sampled *s, const struct sampled_want *want);
void sampled_release(struct sampled *s);

/* Gives back memory that only further counts would need; to be called behind the last. */
void sampled_settle(struct sampled *s);

/* The process, where it is known only after sampled_init. */
void sampled_process(struct sampled *s, uint32_t pid);

/* Whether it is pid, or one of other. */
bool sampled_follows(const struct sampled *s, uint32_t pid);

void sampled_add_record(struct sampled *s, const struct perfrec *r);

/* With want.bulk, before cells are read and before hooks.place is taken away: what samples were
 * added up by their places is counted. */
void sampled_count_tally(struct sampled *s);

/* Before each round of records: from here on stacks are read again. */
void sampled_round(struct sampled *s);
/* Some were, in one of the last rounds: rounds should be short. */
bool sampled_uses_stack_cache(const struct sampled *s);

/* What is known before the sampling begins: a thread's name; mappings are added to mapped directly.
 */
void sampled_name(struct sampled *s, uint32_t pid, uint32_t tid, const char *name);

/* Of the idle task, only what is sampled in one of these is idle; until one is given, all. */
void sampled_idle(struct sampled *s, uint64_t start, uint64_t end);

/* A thread that slept when the sampling began, at this time and place (0: not known). */
void sampled_asleep(struct sampled *s, uint32_t pid, uint32_t tid, uint64_t pc, uint64_t time_ns);

/* Counts what threads have waited that still do: so far, and at the end. */
void sampled_waits_until(struct sampled *s, uint64_t time_ns);
void sampled_waits_end(struct sampled *s, uint64_t time_ns);

/* The path of a control group by 1 + its number. NULL: 0. */
const char *sampled_cgroup_path(const struct sampled *s, uint32_t group);

/* To be called for each sample that counts: asks for its process's control group, once and after
 * an exec. A process that has ended meanwhile was in the group of the one that started it, or of
 * that one's parent. ask appends the path; false: there is no such process. */
typedef bool sampled_ask_cgroup_fn(void *arg, uint32_t pid, struct buf *path);
void sampled_ask_cgroup(struct sampled *s, uint32_t thread, sampled_ask_cgroup_fn *ask, void *arg);

/* --- for a live view: memory that depends on what runs --- */

void sampled_recent_clear(struct sampled *s);

/* Threads that ended become one, "(ended)" (SAMPLED_GONE), when there are SAMPLED_MAX_ENDED of them
 * and as many as run: their cells become its cells. Indexes of threads and cells change: *moved is
 * the cell that each became, for the caller to free; NULL: none did. Not with hooks.counted or a
 * timeline, which have indexes. */
enum { SAMPLED_MAX_ENDED = 1024 };
void sampled_fold_ended(struct sampled *s, uint32_t **moved);

/* --- for resolved samples: a recording --- */

/* The node of a sample's chain, INTERN_NONE: it has none. *shortened is set when callers are left
 * out. */
uint32_t sampled_chain_node(struct sampled *s, const struct perfrec *r, bool *shortened);

/* Index of the node. Where no more fit, *shortened is set, and it is that of the place without its
 * callers, or of the outside one. */
uint32_t sampled_node(struct sampled *s, const struct sampled_node *n, bool *shortened);
void sampled_count(struct sampled *s, const struct sampled_one *one);

/* --- asking --- */

/* A weight as reports show it: milliseconds, rounded, of a clock; else events. */
static inline uint64_t sampled_amount(const struct sampled *s, uint64_t weight)
{
    return s->event.clock ? (weight + 500000) / 1000000 : weight;
}

static inline const struct sampled_node *sampled_node_at(const struct sampled *s, uint32_t node)
{
    return (const struct sampled_node *)s->nodes.record + node;
}
/* Of a node, a hit or a chain's end; NULL for SAMPLED_OUTSIDE. */
static inline struct module *sampled_module(const struct sampled *s, uint32_t module)
{
    return module == SAMPLED_OUTSIDE ? NULL : s->mapped.modules.module[module];
}
static inline bool sampled_is_wait(const struct sampled *s, uint32_t node)
{
    uint32_t module = sampled_node_at(s, node)->module;
    return module != SAMPLED_OUTSIDE && s->mapped.modules.module[module]->wait;
}
/* The innermost place of a chain; of a wait that from which the thread waits, where one is known.
 */
static inline const struct sampled_node *sampled_place(const struct sampled *s, uint32_t node)
{
    const struct sampled_node *n = sampled_node_at(s, node);
    bool within = sampled_is_wait(s, node) && n->parent != INTERN_NONE;
    return within ? sampled_node_at(s, n->parent) : n;
}
static inline uint64_t sampled_running(const struct sampled *s)
{
    return s->count.weight - s->waits.weight[0];
}
static inline const struct sampled_cell *sampled_cell_at(const struct sampled *s, size_t i)
{
    return (const struct sampled_cell *)s->cells.record + i;
}
