/*
 * profdev: the state of the profiling device of prof(3), as its manual page in the seed and
 * Inferno's emulator have it: a list of modules that are wanted, which kind of profiling runs, and
 * what was counted in each module.
 *
 * The words of ctl are
 *   module NAME...     the modules to be profiled, by name or path, in place of those before;
 *                      none: all
 *   start              counts samples
 *   startcp [PID]      counts executed instructions: of a process, or of each process of the list's
 *                      first program that starts from then on
 *   startmp[123...]    counts allocated bytes, likewise
 *   stop               keeps what was counted
 *   end                drops it, too; all is as in the beginning
 *   interval MS        between samples
 * In a process that is named, all modules of the list count, and any without a list.
 * A kind that is not available is refused with its reason. A start while one runs changes nothing.
 *
 * A module is a file of code. Its counts come in runs: profdev_counted replaces what the present
 * run has counted in it, and profdev_settle, at the run's end, adds that to what was before.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>

enum profdev_kind {
    PROFDEV_NONE,
    PROFDEV_SAMPLES,
    PROFDEV_COVERAGE,
    PROFDEV_MEMORY,
};

enum {
    PROFDEV_INTERVAL_MS = 100,         /* in the beginning */
    PROFDEV_MAX_INTERVAL_MS = 3600000, /* an hour */
    PROFDEV_MAX_MODULES = 1 << 16,
    PROFDEV_MIN_READ = 20, /* bytes of a histogram */
    PROFDEV_ID_BYTES = 9,  /* a directory's name, with its NUL */
};

/* --- messages --- */

enum profdev_word {
    PROFDEV_MODULE,
    PROFDEV_START,
    PROFDEV_STOP,
    PROFDEV_END,
    PROFDEV_INTERVAL,
};

struct profdev_message {
    enum profdev_word word;
    enum profdev_kind kind; /* of PROFDEV_START */
    uint32_t pid;           /* of PROFDEV_COVERAGE; 0: none was named */
    unsigned pools;         /* of PROFDEV_MEMORY: bit 1 for startmp1, and so on; 0: not said */
    uint32_t interval_ms;   /* of PROFDEV_INTERVAL */
    const char *names;      /* of PROFDEV_MODULE: the rest of the message, words between blanks */
};

/* kinds: a bit 1 << kind for each that is available; coverage of a process always is. -EINVAL with
 * the device's words. */
int profdev_read_message(const char *message, unsigned kinds, struct profdev_message *out,
                         struct fail *f);

/* --- the state --- */

/* At an address, counted from the module's first: how often, or how much. */
struct profdev_pair {
    uint64_t pc, count;
};

struct profdev_pairs { /* by ascending pc, counts over 0 */
    struct profdev_pair *pair;
    size_t count, cap;
};

/* Which file it is; two of one path differ in the rest. */
struct profdev_file {
    const char *path;
    uint32_t major, minor;
    uint64_t inode;
};

struct profdev_module {
    uint32_t id; /* from 1 */
    struct profdev_file file;
    const char *name; /* the path's last part */
    struct profdev_pairs before, now;
};

struct profdev {
    enum profdev_kind running;
    uint32_t pid; /* of PROFDEV_COVERAGE: the one process that is counted; 0: programs are */
    uint32_t interval_ms;
    struct buf wanted; /* names of the list, each with its NUL */
    struct profdev_module **module;
    size_t modules, cap;
};

void profdev_init(struct profdev *p);
void profdev_release(struct profdev *p);

/* Does what a message says. PROFDEV_START: running is its kind, unless another runs; PROFDEV_STOP
 * and PROFDEV_END: it is none. -ENOMEM. */
int profdev_apply(struct profdev *p, const struct profdev_message *m, struct fail *f);

/* Whether a file is in the list. */
bool profdev_wants(const struct profdev *p, const char *path);
/* Whether it is the first there: the program whose processes are counted. */
bool profdev_wants_program(const struct profdev *p, const char *path);

/* The module of a file, made when there is none; NULL: it is not in the list, there are too many,
 * or memory ended. */
struct profdev_module *profdev_intern(struct profdev *p, const struct profdev_file *file);
struct profdev_module *profdev_find(const struct profdev *p, uint64_t id); /* NULL: none */

/* The directory's name of a module, and its number; 0: no module's name. */
void profdev_id_text(uint32_t id, char out[PROFDEV_ID_BYTES]);
uint32_t profdev_id_of(const char *name);

/* What the present run has counted at pc, so far, in ascending order behind profdev_recount, which
 * forgets what it had counted in every module. -ENOMEM. */
void profdev_recount(struct profdev *p);
int profdev_counted(struct profdev_module *m, uint64_t pc, uint64_t count);
/* Ends a run. -ENOMEM: what it counted in some modules is gone. */
int profdev_settle(struct profdev *p);

/* --- a histogram that was opened --- */

struct profdev_histogram {
    struct profdev_pairs pairs;
    size_t next;
};

/* A copy of what was counted so far. -ENOMEM. */
int profdev_open(const struct profdev_module *m, struct profdev_histogram **out);
void profdev_close(struct profdev_histogram *h);

/* The next pair, "PC COUNT": its bytes, 0 behind the last. -EINVAL, and the pair is still the next,
 * when it may not or does not fit. */
long profdev_read(struct profdev_histogram *h, char *out, size_t len, struct fail *f);
