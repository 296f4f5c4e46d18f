/*
 * psprof_file: the layout of prof.PID, version 2: the dynamic call tree of a program as libpsprof
 * (src/runtime) keeps it in a mapped file while the program runs. The writer is src/runtime, the
 * reader core/prof_read; both include this.
 *
 * A file is a header of PSPROF_HEADER_BYTES and an array of slots of 64 bytes, named by their index
 * from 0. All numbers are in the byte order of the program that wrote them; byte_order says which.
 * Slots hold, as whole runs of one or several: threads, modules, nodes. Index 0 is never used, so
 * that 0 is "none" everywhere.
 *
 * The file is whole at every instant: a slot is filled first, then its index is stored where it is
 * found (release order), and the file is at least as long as what was claimed. So a reader that
 * takes the links of a file whose writer was killed anywhere sees only what was filled. A reader
 * trusts nothing: an index at or above slots_claimed, or one met twice, is an error of the file.
 *
 * Times are ticks of the clock that clock_name names, ticks_per_second of them in a second.
 *
 * Version 1, Plan 9's, has no header: its first two bytes are the index of the root's first callee,
 * which cannot be 0, the root itself. The magic here begins with zeros for that reason.
 */
#pragma once

#include <stdint.h>

#define PSPROF_MAGIC "\0\0\0\0psprof2\n" /* 12 bytes, without the string's end */

enum {
    PSPROF_MAGIC_BYTES = 12,
    PSPROF_BYTE_ORDER = 0x01020304,
    PSPROF_HEADER_BYTES = 4096,
    PSPROF_SLOT_BYTES = 64,
    PSPROF_USUAL_NODES =
        1048576, /* at most so many, unless the environment's profsize says otherwise */
    PSPROF_PATH_BYTES = 1024,
    PSPROF_COMMAND_BYTES = 1024
};

/* What is measured; the words of the environment's proftype. */
enum psprof_type {
    PSPROF_ELAPSED = 1, /* "elapsed", "time": cycle counter */
    PSPROF_KERNEL,      /* "kernel": the thread's time on a CPU, user and kernel mode */
    PSPROF_USER,        /* "user": the thread's time in user mode, by a hardware counter */
    PSPROF_SAMPLE,      /* "sample": a coarse clock that costs next to nothing */
    PSPROF_COUNT,       /* "count": calls only, by call site; all times are 0 */
    PSPROF_ADAPTIVE /* "adaptive": elapsed; by samples, or of one call in many once a node is hot */
};

/* How the threads were sampled while they ran (sample_ns apart, of their time on a CPU). */
enum psprof_sampling {
    PSPROF_SAMPLED_KERNEL = 1, /* in the kernel, too */
    PSPROF_SAMPLED_ALONE = 2,  /* no call was timed: a node's time is what it waited itself, callees
                                  not included (adaptive) */
    PSPROF_SAMPLES_REFUSED = 4, /* not at all: the kernel does not let the program */
    PSPROF_SAMPLES_SLOW = 8,    /* not at all: a sample takes sample_cost_ns, which is too long */
    PSPROF_SAMPLES_NO_KERNEL = 16, /* refused: those of kernel mode, which adaptive needs */
    PSPROF_SAMPLES_UNWANTED = 32,  /* not at all: profsample=0 */
    PSPROF_SAMPLES_UNKNOWN = 64, /* not at all: too few came at the start to know what one takes */
    PSPROF_UNSAMPLED = PSPROF_SAMPLES_REFUSED | PSPROF_SAMPLES_SLOW | PSPROF_SAMPLES_UNWANTED |
                       PSPROF_SAMPLES_UNKNOWN
};

/* Adaptive without samples: of a node's calls all are timed up to the first number, and later as
 * long as they are long; else one in 16, and of very short ones, behind the second number, one in
 * 128. What was timed is scaled when they get sparser or denser, so that all have one weight.
 */
enum {
    PSPROF_ALL_TIMED = 256,
    PSPROF_MANY_TIMED = 16384,
    PSPROF_SPARSE = 4, /* log2 of how many calls one that is timed stands for */
    PSPROF_SPARSER = 7
};
#define PSPROF_SPARSE_NOW(sparse)  ((sparse)&15)
#define PSPROF_SPARSE_MOST(sparse) ((sparse) >> 4)

/* At offset 0. Fields are naturally aligned; what follows them in the header's bytes is 0. */
struct psprof_header {
    char magic[PSPROF_MAGIC_BYTES];
    uint32_t byte_order; /* PSPROF_BYTE_ORDER */
    uint32_t header_bytes, slot_bytes;
    uint32_t machine; /* ELF's e_machine */
    uint32_t type;    /* enum psprof_type */
    uint32_t pid, parent_pid;
    uint64_t start_ns;              /* CLOCK_REALTIME */
    uint64_t start_ticks;           /* the clock when recording began */
    uint64_t ticks_per_second;      /* of the clock; 0: no times (count) */
    uint64_t resolution_ps;         /* the smallest step seen between two readings, picoseconds */
    char clock_name[32];            /* "tsc", "cntvct", "thread cpu clock", ... */
    char type_note[96];             /* why type is not the one that was asked for; "" it is */
    uint64_t inside_ps, outside_ps; /* what the probes add to a timed call: between its two clock
                                       readings, and around them (in its caller's time) */
    uint64_t untimed_ps;      /* and a call that is not timed (adaptive) adds to its caller's */
    uint32_t slots_limit;     /* never more slots than these (profsize) */
    uint32_t slots_claimed;   /* slots of the file that may be in use; it is as long */
    uint32_t threads;         /* the newest thread: its slot; 0 none */
    uint32_t modules;         /* the newest module: its slot; 0 none */
    uint64_t end_ticks;       /* recording was ended in order at this time; 0 it was not */
    uint32_t threads_refused; /* threads that found no place at all */
    uint32_t modules_refused;
    uint32_t marks;             /* the newest mark: its slot; 0 none */
    uint32_t sample_ns;         /* between two samples; 0: there are none */
    uint32_t sampling;          /* enum psprof_sampling */
    uint32_t sample_cost_ns;    /* what the timer's interrupt takes; 0: not measured */
    uint32_t threads_unsampled; /* threads that could not be sampled */
    uint32_t reserved;
    char command[PSPROF_COMMAND_BYTES]; /* arguments, each ended by a 0; cut to whole arguments */
    uint64_t cpu_ns; /* CPU time of the process from start to end; 0: not known, or no end */
};

/* A thread, or several that followed each other (threads > 1): two slots. */
struct psprof_thread {
    uint32_t next;    /* the thread before it: a slot, 0 none */
    uint32_t root;    /* its root node's slot: no function, its children are the outermost calls */
    uint32_t tid;     /* of the last that wrote here */
    uint32_t threads; /* how many threads wrote here, one after another */
    uint64_t start_ticks,
        end_ticks;       /* of the last one; end 0: it runs, or did when the program was killed */
    uint64_t last_ticks; /* of its newest event: closes what is open */
    uint64_t refused;    /* calls that got no node: their time is their nearest recorded caller's */
    uint64_t refused_nodes; /* and nodes that would have been made, as far as they are known */
    uint64_t missed_exits;  /* frames that were left without an exit: longjmp, exceptions, threads
                               cancelled */
    uint64_t orphan_exits;  /* exits that had no entry */
    char name[16];          /* as the kernel has it, ended by a 0 */
    uint64_t spent_ticks;   /* of all that ended: sum of end - start */
    uint64_t hook_samples;  /* of its samples, those that fell into the probes */
    uint64_t preempted_ns;  /* runnable and not running; not in the times of elapsed */
    uint64_t cpu_ns;        /* on a CPU, as the kernel counts it; 0: not known */
    uint64_t reserved;
};

/* A loaded ELF file: one slot and the path's, 16 in all. Never removed: unloaded ones are marked.
 */
struct psprof_module {
    uint32_t next;          /* the module before it: a slot, 0 none */
    uint32_t unloaded;      /* 1: dlclose has removed it */
    uint64_t start, end;    /* addresses of its executable segments: from, up to */
    uint64_t bias;          /* address in memory less address in the file */
    uint8_t build_id_bytes; /* 0: none */
    uint8_t build_id[23];   /* the first that many bytes of it, at most 20 */
    uint64_t reserved;
    char path[PSPROF_PATH_BYTES - 64]; /* ended by a 0; "" the vDSO or unknown */
};

/* A place in the call tree of one thread: one slot. Count has no chains: the root's callees are
 * call sites, with count 0 and as pc the address before the one that the call returns to; theirs
 * are the functions that were called from there. Among siblings the same pc may occur several times
 * (a signal handler or a second stack was inside the first): a reader adds them up. */
struct psprof_node {
    uint64_t pc;    /* address of the function, in memory; bit 63: its module was unloaded since */
    uint64_t count; /* calls */
    int64_t time;   /* ticks, callees included; negative: it is open, add the thread's last_ticks */
    uint32_t timed; /* adaptive: how many calls time is of, evenly out of all; else 0 */
    uint32_t samples; /* that fell into it, callees and probes not included */
    uint32_t down;    /* first callee: a slot, 0 none */
    uint32_t right;   /* next sibling, newest first */
    uint32_t module;  /* where pc lies: a slot, 0 unknown */
    uint8_t inside;   /* the writer's own: no meaning in a file */
    uint8_t sparse;   /* adaptive: PSPROF_SPARSE or SPARSER, or 0 all are timed: now, and the
                         sparsest so far: 16 times that */
    uint16_t skip;    /* the writer's own, as private_ */
    uint64_t private_[2];
};

/* A point in time that the program named (psprof_mark): one slot. */
struct psprof_mark {
    uint32_t next; /* the mark before it: a slot, 0 none */
    uint32_t tid;
    uint64_t ticks;
    char name[32]; /* ended by a 0 */
    uint64_t reserved[2];
};

_Static_assert(sizeof(struct psprof_header) <= PSPROF_HEADER_BYTES, "header");
_Static_assert(sizeof(struct psprof_thread) == 2 * PSPROF_SLOT_BYTES, "thread");
_Static_assert(sizeof(struct psprof_module) == 16 * PSPROF_SLOT_BYTES, "module");
_Static_assert(sizeof(struct psprof_mark) == PSPROF_SLOT_BYTES, "mark");
_Static_assert(sizeof(struct psprof_node) == PSPROF_SLOT_BYTES, "node");
