/*
 * recording: samples with all that a report needs of where they were taken, as a stream: written
 * while sampling, readable if it was cut off, and self-contained.
 *
 * The file: 8 bytes of magic, `psuite', 0, version 1; then records: type, length, that many bytes.
 * Numbers are LEB128, signed ones zigzag; indices count from 0 in the order of the records that
 * define them; a text is its length and its bytes, without an end.
 *
 *   1 fact       key, value: texts. Keys: recording_facts.
 *   2 module     flags (1 a file, 2 the kernel's, 4 deleted, 8 offsets are link-time addresses,
 *                16 none: nodes in it are waits, called from where the thread waited; the offset
 *                is the reason: enum sampled_wait), path, build-id: texts
 *   3 thread     index, pid, tid, name: a text. An index may be defined again.
 *   4 node       parent + 1 (0: none), module + 1 (0: no module), offset
 *   5 samples    for each, to the record's end: thread, node, CPU, 2 x (time less the last
 *                sample's, 0 before the first; zigzag) + w; when w is 1 the weight follows, else it
 *                is the period, 10^9 / hz
 *   6 state      lost, throttled, idle samples, idle weight, booked ms, and of all CPUs
 *                idle, interrupts' and softirqs' ms: so far; where they are not 0, samples that
 *                lack their callers (sampled_want.max_nodes)
 *   7 symbol     module, start, length, name: of functions that samples hit, or that are given
 *                along; no name: a function of that extent, whose name is not known
 *   8 place      module, address, number of frames, for each, innermost first: function, file:
 *                texts; line, column, discriminator
 *   9 main       module: the program's
 *  10 text       module, address: where its text begins
 *  11 end        nothing: the sampling ended; only what is given along may follow
 *  12 ends       for each, to the record's end: why chains ended (enum unwind_end), module + 1 of
 *                their last frame (0: no module), how many so far; those whose number has grown
 *  13 waits      how many, of them forgotten, spanning lost records (core/perf/switches.h): so far;
 * only where waits were sampled 14 guesses    how many chains have a guessed frame, how many were
 * read late, how many have a frame found by its code: so far; when one of them has grown
 *
 *  16 heap       of a heap profile: processes, frees, unknown, missed and lost calls, blocks and
 * bytes allocated, at the end, and at the peak (core/heap/heap.h); then, to the record's end, a
 * node and the same six numbers of it
 *
 *  17 event      of a recording by several events, those after the first, which the facts are of:
 *                its number, from 1; flags (1 its weights are nanoseconds, 2 user mode, 4 kernel
 *                mode); samples a second, 0: by event; name: a text. Before the first sample.
 *  18 samples    of such an event: its number, then as 5, with times relative to its own last one
 *  19 ends       of such an event: its number, then as 12; ends of 253 to 255 are what 14 has of
 * the first one: chains with a frame found by its code, with a guessed one, read late
 *
 *  20 cgroup     pid; the path of its control group: a text. The last one counts.
 *
 *  15 file       module, length of its file, checksum (module_sum): which file it was, where no
 *                build-id tells
 *
 * Names of files' functions, 10 and 15, are before the end, for what was sampled.
 * What is not known is passed over by its length. 6 to 10 bytes a sample.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/sample/rare.h"
#include "core/symbol/frames.h"

/* The control groups of processes. */
struct recording_cgroups {
    struct imap of_pid; /* 1 + the number of its path */
    struct intern path;
};

/* --- writing --- */

/* The samples of an event that are not in a record yet. */
struct recording_block {
    struct buf bytes;
    uint64_t period, time_ns; /* what weighs nothing in the file; of the last sample */
};

/* The numbers of nodes in the file, when they are others: rare chains were merged meanwhile. */
struct recording_numbers {
    uint32_t *of; /* a node; INTERN_NONE: it is not in the file. NULL: numbers are the same */
    size_t count, cap;
    uint32_t next;
    struct intern left; /* places in modules, of which the file has names to have: nodes that are no
                           more; 16 bytes each, as many as a quarter of max_nodes */
};

/* Bytes gather in out; who writes them to a file clears it then. */
struct recording_writer {
    struct buf out;
    struct recording_block block[SAMPLED_MAX_EVENTS];
    size_t modules, nodes; /* defined so far */
    struct recording_numbers numbers;
    struct sampled_thread *thread; /* as defined; name[0] is 0 and tid 0 until then */
    size_t threads, thread_cap;
    struct intern symbols; /* (module, start) that have been recorded */
    size_t main_module;
    uint64_t *chains; /* that ended so, as recorded; of sampled.ends' indices */
    size_t ends;      /* of which chains has numbers */
    uint64_t guessed, from_cache, by_code; /* as recorded */
    uint64_t summed;                       /* bytes of files whose checksums are recorded */
    uint64_t bytes;
    bool ended;

    /* The function at an address of a module that has no file, as by recording_function: it shall
     * be in the recording. False: not known (yet). */
    bool (*symbol_at)(void *arg, struct module *m, uint64_t vaddr, struct symbol *out);
    /* Appends the path of a process's control group. False: not known. May be NULL. */
    bool (*cgroup_of)(void *arg, uint32_t pid, struct buf *path);
    void *arg;
    struct recording_cgroups cgroups; /* as recorded */
};

void recording_start(struct recording_writer *w, uint64_t period);
void recording_release(struct recording_writer *w);
void recording_fact(struct recording_writer *w, const char *key, const char *value);
/* Of several, those after the first: number 1 is the first of these. Before the samples. */
struct recording_event {
    struct sampled_event is;
    bool user, kernel;
    uint64_t hz;
    uint64_t samples; /* once read: how many there are */
};
void recording_event(struct recording_writer *w, unsigned number, const struct recording_event *e);
void recording_sample(struct recording_writer *w, const struct sampled *s,
                      const struct sampled_one *one);
/* Behind a round: numbers of nodes have changed so. */
void recording_renumber(struct recording_writer *w, const struct sampled *s,
                        const struct rare_merged *merged);
/* Ends the record of samples, so that all is in out, and adds the state and how chains ended. */
void recording_round(struct recording_writer *w, const struct sampled *s);
/* The names of the functions that were hit, of modules with a file that are ready, so that they
 * last when the file is rebuilt. Reads the files: call it guarded. */
void recording_names(struct recording_writer *w, const struct sampled *s);
/* Tells what symbol_at did not know before, and that this is the end. */
void recording_end(struct recording_writer *w, const struct sampled *s);
int recording_error(const struct recording_writer *w); /* 0 or -ENOMEM */

/* --- what is given along, so that nothing else is needed to read it --- */

void recording_symbol(struct buf *out, size_t module, uint64_t start, uint64_t end,
                      const char *name);
/* The function at a link-time address. One that has no name but whose start is known has the name
 * NULL and that start as its end: it reaches to the next. False when neither is known. */
bool recording_function(const struct module *m, uint64_t vaddr, struct symbol *out);
/* The same as a record, if it is not in `written' yet: records of module and start, 16 bytes each.
 */
void recording_symbol_at(struct buf *out, const struct module *m, uint64_t vaddr,
                         struct intern *written);
void recording_place(struct buf *out, size_t module, uint64_t vaddr, const struct frames *f);
void recording_text(struct buf *out, size_t module, uint64_t start);

/* --- reading --- */

enum recording_fact_key {
    RECORDING_HOST,
    RECORDING_MACHINE, /* uname -m */
    RECORDING_KERNEL,  /* uname -r */
    RECORDING_CPUS,
    RECORDING_COMMAND,
    RECORDING_METHOD,
    RECORDING_MODE,
    RECORDING_EVENT,
    RECORDING_CLOCK, /* "1": weights are nanoseconds */
    RECORDING_HZ,
    RECORDING_PID,
    RECORDING_START, /* CLOCK_REALTIME in ns */
    RECORDING_FACTS,
};
extern const char *const recording_keys[RECORDING_FACTS];

struct recording {
    struct buf fact[RECORDING_FACTS];                 /* empty: not told */
    struct recording_event event[SAMPLED_MAX_EVENTS]; /* the first: its name and samples alone */
    unsigned events;                                  /* 1 at least, once read */
    struct recording_places *places;
    struct recording_cgroups cgroups;
    bool truncated; /* its last record is not whole, or it is damaged */
    bool ended;     /* by its writer; else that was killed, or could write no more */
};

bool recording_is(const uint8_t *bytes, size_t len);
/* Of bytes that are none: what there is of its head (core/base/head_words.h), or NULL. */
const char *recording_head_words(const uint8_t *bytes, size_t len);

/* Counts all its samples (of several events: those of want.event; -EINVAL when there is no such
 * one) in s, which is initialised: want.by says how; want.hz and event become the
 * recording's. Modules have told symbols as far as the recording has them. -EINVAL and f when it is
 * none, or an index in it is none; -ENOMEM. recording_close either way. */
int recording_read(const uint8_t *bytes, size_t len, struct sampled *s, struct recording *out,
                   struct fail *f);
void recording_close(struct recording *r);

/* The path of a process's control group; NULL: the recording does not have it. */
const char *recording_cgroup(const struct recording *r, uint32_t pid);

/* Reads what precedes the samples: facts and events. recording_close either way. */
int recording_peek(const uint8_t *bytes, size_t len, struct recording *out, struct fail *f);

/* The frames that were given along for an address, appended; false when there are none. Strings are
 * the recording's. */
bool recording_frames(const struct recording *r, const struct module *m, uint64_t vaddr,
                      struct frames *out);
