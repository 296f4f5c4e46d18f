/* recorder: writes a sampling to a recording (core/sample/recording.h) while it runs. */
#pragma once

#include "core/sample/recording.h"
#include "engine/symbols/symbols.h"

struct recorder {
    const char *path; /* as the user named it; NULL: nothing is recorded */
    int handle;
    bool to_memory;    /* in the place of a file */
    struct buf memory; /* the caller's once it is closed */
    struct recording_writer writer;
    struct symbols *symbols;
    bool ending;
    int err; /* -errno once it could not be written: nothing more is */
    struct fail fail;
};

/* Creates the file; -errno and f. "-": standard output, which is the recording's alone then
 * (file_redirect_stdout). */
int recorder_open(struct recorder *r, const char *path, bool force, struct fail *f);

/* Into memory, at most a sixteenth of what there is. */
void recorder_open_memory(struct recorder *r);

/* Writes what precedes the samples: facts of this machine and of the sampling. */
struct recorder_facts {
    const char *method, *mode;
    char *const *command; /* NULL: none */
    uint32_t pid;
    uint64_t start_ns; /* by the real-time clock; 0: now */
    bool of_file;      /* what is recorded was read: its processes cannot be asked */
};
void recorder_start(struct recorder *r, const struct sampled *s, uint64_t period,
                    const struct recorder_facts *facts, struct symbols *symbols);

/* The control group of a process that runs now. */
bool recorder_cgroup(void *arg, uint32_t pid, struct buf *path);

void recorder_sample(struct recorder *r, const struct sampled *s, const struct sampled_one *one);
/* Writes out what has gathered; false once that fails. */
bool recorder_round(struct recorder *r, const struct sampled *s);
/* Behind a round: numbers of nodes have changed so. */
void recorder_renumber(struct recorder *r, const struct sampled *s,
                       const struct rare_merged *merged);
/* Ends and closes it. -errno and f when something was not written. */
int recorder_close(struct recorder *r, const struct sampled *s, struct fail *f);
