/*
 * runtime: what the files of libpsprof share. The library lives inside other people's programs: it
 * calls only libc, takes memory by mmap alone, keeps errno, exports nothing but psprof.h and the
 * hooks, and is compiled without instrumentation.
 *
 * A call becomes a node: a hook (hook_instrument.c), made anew for each mode, is rt_enter and
 * rt_exit (event.h; for calls alone rt_count, count.h), which
 * find the thread's top frame (its private shadow stack) and the child of that frame's node. All
 * that is not the common case is in stack.c (stacks, missed exits), tree.c (nodes), thread.c,
 * fork.c.
 *
 * A call whose node exists takes no lock.
 */
#pragma once

#include "runtime/psprof_file.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_LIKELY(x)   __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RT_ORDERED()   __asm__ volatile("" ::: "memory") /* as a signal handler sees it */
#define RT_COLD        __attribute__((cold, noinline))
#define RT_PROBE                                                                                   \
    __attribute__((                                                                                \
        section("psprof_hooks"))) /* samples.c: a sample there is none of the program's */
#define RT_HOT static inline __attribute__((always_inline))

#ifndef RT_TLS_MODEL
#define RT_TLS_MODEL "initial-exec"
#endif

/* A call that is open. Above the top frame span and timed are 0 everywhere. A top frame with span 0
   is one that a hook was filling or taking off when a signal came. */
struct rt_frame {
    uintptr_t span; /* the function's stack pointer at its entry hook, less its stack's lower end */
    struct psprof_node *node;
    uintptr_t site;  /* the address the function returns to: an inlined one has that of its host */
    uintptr_t back;  /* the one its entry hook returned to: no second call here while it is open;
                        when it is closed, that of its exit hook */
    uintptr_t timed; /* adaptive: this call is timed since; else 0 */
};

/* Of files: addresses and the command line are the user's own. */
enum { RT_FILE_MODE = 0600 };

/* A real frame of a stack takes no less, so there is a frame for each that fits between its bounds.
 */
enum { RT_BYTES_A_FRAME = 2 * sizeof(void *) };

/* A stack that a thread runs on: its own, a signal stack, a coroutine's. frames[0] represents what
   is outside; its node is what the others hang under. */
struct rt_stack {
    struct rt_stack *next;
    uintptr_t lo, hi;
    struct rt_frame *top, *limit; /* top of one that is left; limit: no frame there */
    unsigned in_hook;             /* so many hooks were interrupted where it came in */
    struct rt_stack *from;        /* the one it came in on, to which its last exit leads back */
    bool paused;                  /* a coroutine that is not running: its calls are closed */
    size_t bytes;
    bool own; /* the thread's own: frames[0] is the root */
    struct rt_frame frames[];
};

struct rt_range {
    uintptr_t lo, hi;
    bool heap, main_stack;
};

enum {
    RT_CACHE = 2048,
    RT_CHAINS = 2 * RT_CACHE,
    RT_FILTER_BYTES = 1024,
    RT_NEW = 0,
    RT_BUSY,
    RT_LIVE,
    RT_GONE
};

/* A tree and the thread that writes it. Trees outlive their threads and are given to later ones. */
struct rt_thread {
    struct rt_thread *next;
    struct psprof_thread *slot;
    struct psprof_node *root;
    uint32_t node_next, node_end; /* the rest of the claimed block of nodes */
    struct rt_stack *stacks, *current;
    uintptr_t pointer;   /* the thread pointer of its last owner, 0 none yet, */
    struct rt_range own; /* and that one's stack */
    struct rt_tls *tls;  /* of the owner; NULL: it ended */
    struct rt_thread *same_bucket, *next_free, **link_here; /* reuse.c; link_here: NULL not free */
    int destructor_rounds;
    bool jumped;            /* a longjmp: the top frames may be dead, whatever their sp says */
    bool parked;            /* its calls are closed while recording is stopped */
    uint64_t clock_base;    /* added to a thread's own clock, so that it never goes back */
    struct rt_watch *watch; /* thread_event.c; NULL: none yet */
    uint64_t mark_ns,
        mark_cpu_ns; /* clock_thread.c: when on-CPU and off-CPU time were last separated */
    long mark_waits;
    uintptr_t long_ticks;            /* adapt.c: a call that may have been preempted */
    bool marking;                    /* a handler leaves that alone */
    struct psprof_node refused_node; /* takes the place of nodes that were refused */
    unsigned char refused_filter[RT_FILTER_BYTES];
    struct rt_arcs
        *arcs; /* count: the table in use, NULL none; how often one took another's place */
    size_t arc_clashes;
    union {
        struct {
            struct psprof_node *parent, *child;
        } cache[RT_CACHE];
        struct psprof_node *arcs_of[RT_CHAINS]; /* count */
    };
};

enum { RT_WATCH_BYTES = 2048 }; /* less than a page of memory, more than an event's header */

/* Where the page of the thread's event is. Lies in memory that is wiped in a forked child, which
   does not have that page. Offset 0 is this memory itself: where there is no event, and in such a
   child, it is read as an event's page of zeros. */
struct rt_watch {
    uintptr_t offset; /* from here */
    char zeros[RT_WATCH_BYTES - sizeof(uintptr_t)];
};

struct rt_tls {
    struct rt_frame *top;
    uintptr_t lo;           /* of the current stack */
    struct rt_frame *limit; /* of the current stack */
    uint64_t *last;         /* the thread's last_ticks */
    struct rt_thread *thread;
    int state;           /* RT_NEW ... */
    uint32_t clock_seen; /* where the page's lock stood when the offset was made */
    uint64_t head_seen;  /* samples up to here were looked at */
    const volatile struct rt_watch *watch; /* never NULL */
    uint64_t clock_offset;
    struct rt_arcs *arcs; /* count.h; never NULL */
};

enum rt_mode {
    RT_EXACT,       /* by the processor's counter */
    RT_EXACT_PAGE,  /* by it and the thread's page, with samples */
    RT_EXACT_CLOCK, /* by psprof_clock */
    RT_COUNT,       /* no clock */
    RT_ADAPTIVE,    /* by the processor's counter */
    RT_ADAPTIVE_CLOCK,
    RT_SAMPLED, /* no call is timed: samples, and the thread's waits */
    RT_OFF,
    RT_UNSTARTED
};

#define RT_NO_TLS                                                                                  \
    {                                                                                              \
        .top = &psprof_outside, .arcs = &psprof_no_arcs, .watch = &psprof_no_watch                 \
    }

#pragma GCC visibility push(hidden)

extern __thread struct rt_tls psprof_tls __attribute__((tls_model(RT_TLS_MODEL)));
extern struct rt_frame psprof_outside; /* the top frame of an empty stack: nothing is inside it */
extern int psprof_mode;                /* enum rt_mode; rt_mode_set */
extern uint64_t (*psprof_clock)(void);
extern const volatile struct rt_watch psprof_no_watch;

/* lock.c. Between rt_signals_block and rt_signals_restore the thread runs no signal handler and is
   not cancelled, for which open, read and close are places. A lock is taken so: no handler waits
   for its own thread, and no thread ends with the lock. */
struct rt_sigstate {
    sigset_t signals;
    int cancel;
};
void rt_signals_block(struct rt_sigstate *held);
void rt_signals_restore(const struct rt_sigstate *held);
void rt_lock(int *lock, struct rt_sigstate *held);
void rt_unlock(int *lock, const struct rt_sigstate *held);

/* quiet.c: between these no call raises SIGXFSZ or SIGPIPE in the calling thread; err is the error
   of the call that failed, 0 none */
struct rt_quiet {
    sigset_t mask, pending;
    int cancel;
};
void rt_quiet_begin(struct rt_quiet *q);
void rt_quiet_end(struct rt_quiet *q, int err);

/* store.c: the file. A claim gives the index of the first of n new zero slots, 0 when the file
   is full. nodes: whether the slots count as nodes. */
extern struct psprof_header *psprof_header; /* NULL: no file */
extern unsigned char *psprof_slots;         /* a node's address is psprof_slots + 64 * index */
int rt_store_open(const char *path, uint32_t nodes); /* 0, -errno */
void rt_store_forget(void); /* in a child: the parent's file is let go of */
uint32_t rt_store_claim(uint32_t n, bool nodes);
uint32_t rt_store_block(void); /* how many nodes a thread claims at once */
static inline void *rt_slot(uint32_t index)
{
    return psprof_slots + (size_t)index * PSPROF_SLOT_BYTES;
}
static inline uint32_t rt_index(const void *slot)
{
    return (uint32_t)(((const unsigned char *)slot - psprof_slots) / PSPROF_SLOT_BYTES);
}

/* tree.c. in_hook: how many interrupted hooks lie under the call; their nodes are never written by
   those. Never NULL: the thread's `nowhere' when the tree is full. */
struct psprof_node *rt_child(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn,
                             unsigned in_hook);
/* One that is there, of no interrupted hook; else NULL. */
struct psprof_node *rt_child_known(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn);
struct psprof_node *rt_node_new(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn);
void rt_node_init(struct psprof_node *n, uintptr_t fn, unsigned in_hook);

/* adapt.c: once the cost of timing is in the header */
void rt_adapt_start(const struct psprof_header *h);
/* Of a node that is closed one more call is timed; how many are skipped behind it */
void rt_adapt(struct psprof_node *n);
/* Such a timed call took long enough to have been preempted: that is taken out of its node. */
void rt_adapt_long(struct psprof_node *n, uint64_t ticks);

/* count.c: a call whose arc is not in the thread's table */
extern struct rt_arcs psprof_no_arcs;
void rt_count_slow(uintptr_t fn, uintptr_t site);

/* hook_instrument.c: from now on calls are recorded so */
void rt_hooks_set(int mode);

/* stack.c: what is not the common case of a call, and frames that were left without an exit. Other:
   a call inside the top frame, of another function than the last one that was called there. */
void rt_enter_other(uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back);
void rt_enter_slow(uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back);
void rt_exit_slow(uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back, uint64_t now);
void rt_time_slow(struct rt_frame *n); /* its call begins now, and is not skipped */
void rt_push(struct rt_tls *t, uintptr_t fn, uintptr_t span, uintptr_t site, uintptr_t back);
void rt_close_stack(struct rt_thread *t, struct rt_stack *s, struct rt_frame *top, uint64_t now);
void rt_park(void);
bool rt_live(struct rt_tls *t, uintptr_t sp, bool entry); /* recording, and the thread has a tree */

/* stacks.c: the stacks of a thread */
bool rt_stack_add(struct rt_thread *t, uintptr_t lo, uintptr_t hi, struct psprof_node *under);
void rt_stacks_release(struct rt_thread *t);
void rt_stack_attach(struct rt_stack *s); /* below what is current on the one it came in on */
void rt_stack_time(struct rt_stack *s, uint64_t ticks); /* to what is open and timed */
/* now: of the event that was met on another stack; 0 not read yet */
bool rt_stack_switch(struct rt_tls *t, uintptr_t sp, bool may_add, uint64_t now);
void rt_stack_use(struct rt_tls *t, struct rt_stack *s);
void rt_stack_register(uintptr_t lo, uintptr_t hi); /* a new context will run there */

/* thread.c */
bool rt_thread_begin(uintptr_t sp); /* the calling thread gets a tree; false: it stays silent */
void rt_threads_forget(void);
void rt_threads_end(void); /* the process ends in order */
extern struct rt_thread *psprof_threads;
int rt_tid(void);

/* reuse.c, under the threads' lock. take: a tree whose thread has ended, NULL none is known; one
   with its tls still there ended without notice. The trees of the same thread pointer come first:
   their stack's bounds are known. own: the tree has an owner now. */
struct rt_thread *rt_reuse_take(uintptr_t pointer);
void rt_reuse_own(struct rt_thread *t, uintptr_t pointer);
void rt_reuse_free(struct rt_thread *t);
void rt_reuse_forget(void);

/* filter.c: whether a filter of system calls has come since the watch began */
void rt_filter_watch(void);
bool rt_is_filtered(void);

/* stack_bounds.c: the mapping around an address; the calling thread's own stack, on which sp is */
bool rt_mapping_of(uintptr_t address, struct rt_range *out);
bool rt_own_stack(uintptr_t sp, struct rt_range *out);

/* modules.c: 0 unknown */
uint32_t rt_module_of(uintptr_t pc);
void rt_modules_scan(void);
void rt_modules_forget(void);

/* clock.c */
int rt_clock_choose(struct psprof_header *h, int asked); /* fills the header's; the mode */
uint64_t rt_now(void);                                   /* as the hooks read it */
uint64_t rt_run_ticks(const struct psprof_header *h);    /* elapsed, the same for all threads */
void rt_clock_remeasure(struct psprof_header *h);        /* the frequency over the run */
uint64_t rt_clock_ns(int id);
/* clock_thread.c: the thread's time on a CPU, and elapsed time without that of being preempted */
bool rt_thread_clock_start(struct psprof_header *h);  /* whether pages are to be had */
void rt_thread_clock_rate(uint64_t ticks_per_second); /* once, before threads are recorded */
uint64_t rt_thread_clock(void);
uint64_t rt_elapsed_clock(void);
void rt_thread_clock_begin(struct rt_thread *t);
/* clock_user.c: the thread's cycles in user mode */
bool rt_user_clock_start(struct psprof_header *h); /* whether programs may count them */
uint64_t rt_user_clock(void);
uint64_t rt_preempted_ticks(struct rt_thread *t); /* since it was asked last */
void rt_thread_clock_sync(struct rt_thread *t);   /* the calling thread's: its accounts up to now */

/* thread_event.c: a sampling event of each thread, and its page */
bool rt_event_start(
    struct psprof_header *h);             /* whether events are to be had: writes the header's */
void rt_event_begin(struct rt_thread *t); /* for the calling thread, which has this tree */
void rt_event_end(struct rt_thread *t);
bool rt_event_count(void); /* from now on they count cycles of user mode; whether they can */
void rt_event_stop(void);  /* from now on threads get none */
void rt_event_check(void); /* the calling thread's: notes when it did not count all the time */
void rt_watch_free(struct rt_thread *t);

/* samples.c: of the calling thread, up to now */
/* They belong to the top frame, to the function it called last, or to the hooks. entering: the
   function whose entry hook this is, up to back; the number of its samples is returned. 0 none. */
uint64_t rt_samples_read(struct rt_tls *t, uintptr_t entering, uintptr_t back);
void rt_samples_add(struct psprof_node *n, uint64_t samples);
void rt_samples_to_hooks(struct rt_tls *t); /* they belong to the hooks */
void rt_samples_drop(struct rt_tls *t);
struct psprof_node *rt_top_node(const struct rt_tls *t);

/* calibrate.c */
/* Sets what the probes cost in the header, where it is less than measured before. */
void rt_calibrate(struct psprof_header *h);

/* start.c */
void rt_mode_set(int mode);
extern int psprof_running; /* the mode while recording */
extern bool psprof_forks;  /* PROFFORK: children record on */
void rt_start(void);       /* once; reads the environment */
bool rt_has_started(void);
int rt_start_child(void); /* in a child */
int rt_start_with(uint32_t nodes, int type);
void rt_warn(const char *what, const char *why);

/* fork.c */
void rt_fork_watch(void);

#pragma GCC visibility pop
