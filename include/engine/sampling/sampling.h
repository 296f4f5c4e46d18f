/*
 * sampling: runs a sampling of a command, of a running process or of the whole system, from start
 * to end; or reads a recording.
 */
#pragma once

#include "core/base/fail.h"
#include "core/procfs/cpu_stat.h"
#include "core/sample/recording.h"
#include "core/sample/sampled.h"
#include "engine/sampling/cgroups.h"
#include "engine/sampling/keeper.h"
#include "engine/sampling/recorder.h"
#include "engine/symbols/symbols.h"
#include "plat/child.h"
#include "plat/sample.h"
#include "plat/wait.h"

/* How call chains are taken: not; by frame pointers, in the kernel; by registers and a slice of the
 * stack, unwound by call frame information while sampling. */
enum sampling_chains { CHAINS_NONE, CHAINS_FP, CHAINS_CFI };

struct sampling_want {
    char *const *command; /* run this, and follow what it starts; NULL: */
    bool everything;      /* with a command: whatever runs while it does, on every CPU */
    int pid;              /* sample this process; 0: everything, on every CPU */
    const int *other;     /* with pid: these processes, too, by perf events alone; all differ */
    size_t others;        /* at most SAMPLED_MAX_OTHERS */
    const char
        *binary; /* the main module's symbols are read from this file; NULL: from what is mapped */
    struct debugfile_search search; /* of debug files */
    bool children;                  /* of pid, too */
    bool same_text;                 /* of them only while they run pid's program */
    bool kernel, no_user;           /* also what the kernel does; only that */
    bool user_apart;                /* with no_user: how much is in user mode is counted */
    bool idle;                      /* idle CPUs' time is in the table */
    enum sampling_chains chains;    /* call chains */
    bool waits;                     /* also where threads wait; event is a clock */
    bool waits_live;                /* and so far, before each call of round */
    bool timeline;                  /* each sample is kept with its time */
    bool recent;                    /* which cells were counted lately is kept */
    bool by_function; /* places are counted by function, chains at their innermost one: without
                         lines and recording */
    bool forgets;     /* a live view, whose report is all that is written: core/sample/forget.h */
    enum sampled_by by;
    const char *event;                             /* NULL: cpu-clock */
    const char *more_event[SAMPLE_MAX_EVENTS - 1]; /* and by these: what was sampled is read from
                                                      the recording, an event at a time: record,
                                                      or run.recorder.memory. Not with waits */
    size_t mores;
    unsigned of_file; /* reading: which of its events, where event does not name one */
    enum sample_backend backend;
    uint64_t hz;
    uint64_t period; /* of the event (of a clock: ns): in the place of hz; 0: hz */
    const int *cpu;  /* what runs on these alone; none: on all */
    size_t cpus;
    double seconds;      /* 0: to the end */
    const char *record;  /* write a recording there; "-": standard output; NULL: none */
    bool keeps;          /* without record: a recording in run.recorder.memory */
    bool force;          /* over an existing file */
    double keep_seconds; /* of record only so much, at each SIGUSR1 and at the end: counts and
                            reports are of these seconds, too; 0: all. Not with waits_live */

    /* Called after each round of reading, some ten times a second; may be NULL. */
    void (*round)(void *arg, const struct sampled *so_far);
    /* Called before that when numbers of nodes and cells have changed (core/sample/rare.h); who
     * keeps none leaves it NULL. */
    void (*renumbered)(void *arg, const struct forgotten *to);
    /* Waits in the place of wait_ready; the first is the interrupts' handle. False ends the
     * sampling. May be NULL. */
    bool (*wait)(void *arg, struct wait_on *on, size_t n, int timeout_ms);
    /* With keep_seconds: after each file. May be NULL. */
    void (*written)(void *arg, const struct keeper_written *w);
    void *arg;
};

/* A sampling that is running. */
struct sampling_run {
    struct sampler *sampler;
    struct perfrec_format format; /* of its records */
    struct order *order;
    /* with want.wait or keep_seconds: when the rings were read last (at first, when the sampling
     * started), and the time up to which samples are counted, one round behind that */
    uint64_t read_ns, counted_ns;
    uint64_t window_ns;   /* samples before that do not count; 0: all do */
    uint64_t lost_before; /* by the kernel's count, before the window */
    uint64_t lost_so_far; /* as records say */
    bool short_stack;     /* copies of the stack are short: sample_shorten_stack */
    bool partial;         /* not all that the kernel accounts for is counted */
    struct sample_event event[SAMPLE_MAX_EVENTS];            /* the first has no name: cpu-clock */
    bool user[SAMPLE_MAX_EVENTS], kernel[SAMPLE_MAX_EVENTS]; /* the modes of each */
    size_t events;
    struct recorder recorder;
    struct keeper keeper;
    struct cgroup_paths cgroups;
    uint64_t cpu_time_before_ms;  /* of a process: its CPU time at the start */
    struct cpu_times cpus_before; /* of everything: the times of the CPUs at the start */
};

struct sampling_command {
    char *const *words;
    struct child child;   /* when a command was given */
    bool runs;            /* it had not ended when the sampling did: sampling_wait */
    bool executed;        /* the command became itself */
    struct child_end end; /* else how it ended */
    int interrupted;      /* by this signal, 0 none */
};

/* A recording that is reported. */
struct sampling_source {
    struct recording recording;
    bool is_recording;             /* else perf.data */
    unsigned events;               /* that it was sampled by */
    struct image image;            /* while it is read */
    const struct reading *reading; /* the same, of perf.data */
    char warning[160];             /* what is wrong with it; empty: nothing */
    char unsure[320];              /* which files are perhaps not those that ran; empty: none */
};

struct sampling {
    struct sampled sampled; /* want.hz is what was really given */
    char method[192], mode[32];
    char described[240]; /* both, for the head of a report */
    struct symbols symbols;
    struct debugfile_search search;
    const char *binary;
    struct sampling_run run;
    struct sampling_command command;
    struct sampling_source source;
};

/* Samples until the target ends, seconds have passed or an interrupt comes (which goes to the
 * command first). 0, or -errno and f: nothing was sampled. -ENOENT and the like with a command: it
 * could not be executed. Either way the caller calls sampling_release. */
int sampling_run(const struct sampling_want *want, struct sampling *s, struct fail *f);

/* The same in steps, for a caller that does other things meanwhile; of a process or of all
 * processes. Interrupts are left alone. sampling_poll reads what there is: some four times a
 * second at least, or the rings run over. Behind sampling_stop nothing more is counted. */
int sampling_begin(const struct sampling_want *want, struct sampling *s, struct fail *f);
void sampling_poll(struct sampling *s);
int sampling_stop(struct sampling *s, struct fail *f);

/* Waits for a command that outlives its sampling, and hands it what interrupts us meanwhile. */
int sampling_wait(struct sampling *s, struct fail *f);

/* Reads a recording, or a perf.data file: the samples of want.event, else of event want.of_file;
 * path "-": from standard input. Of want: event, of_file, by, by_function, timeline, binary,
 * search.
 */
int sampling_read(const struct sampling_want *want, const char *path, struct sampling *s,
                  struct fail *f);

/* The same of bytes, which it takes and gives back; name: for the failure. */
int sampling_read_image(const struct sampling_want *want, struct image *image, const char *name,
                        struct sampling *s, struct fail *f);

/* Whether a file is an ELF file or a script, and so no recording. */
bool sampling_is_program(const char *path);

/* Adds to f how such a file is run: a name alone is that of a command on PATH, not of one here. */
void sampling_hint_program(const char *path, struct fail *f);

/* The functions at a link-time address. */
void sampling_frames(struct sampling *s, struct module *m, uint64_t vaddr, struct frames *out);

void sampling_release(struct sampling *s);

/* --- of the two ways to one --- */

/* Before anything is sampled or read. */
void sampling_init(const struct sampling_want *want, struct sampling *s);
/* For sampled.counted: into the recording. */
void sampling_counted(void *arg, const struct sampled *sampled, const struct sampled_one *one);
/* For sampled.need_cfi. */
void sampling_need_cfi(void *arg, struct module *m);
/* What is asked of processes that run, while samples are counted. */
void sampling_set_hooks(struct sampling *s);
/* Behind the last sample: symbols of what was hit. */
int sampling_finish(struct sampling *s, struct fail *f);
