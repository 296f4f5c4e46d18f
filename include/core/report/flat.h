/*
 * flat: a flat profile: the time spent in each function, one row per function, largest first.
 *
 * Functions of the main module go by their name, others as `name [module]`. A function without a
 * symbol goes by its start, `0x1a2b`, where the unwinding information has it; code that a JIT
 * compiler made goes as `name [JIT]`, as far as its perf-PID.map names it; the rest of a
 * module is one row, `(no symbol)`; samples outside every module are one row, `(no module)`.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/sample/sampled.h"
#include "core/symbol/frames.h"
#include "core/text/report_fit.h"

struct demangler;

struct flat_row {
    const char *function; /* lives as long as the report; NULL: no symbol */
    uint64_t start;       /* without a symbol: where the function starts; 0 unknown */
    const char *file;     /* by line: the source file; NULL: not known, the row is the function's */
    uint32_t line;
    uint32_t module; /* SAMPLED_OUTSIDE: no module */
    uint64_t samples, weight;
    uint64_t wait; /* of weight: time in which it waited; the rest it ran */
};

/* The rows of one thread, or of all. */
struct flat {
    const struct sampled_thread *thread; /* NULL: of all */
    struct flat_row *row;
    size_t rows;
    uint64_t samples, weight, wait;
    uint64_t unresolved; /* samples in rows without a function's name */
};

/* What a row is: a function of the symbol tables; one of the source, inlined or not; a source line.
 */
enum flat_by { FLAT_FUNCTION, FLAT_INLINE, FLAT_LINE };

/* The text before and after the rows. */
struct flat_report {
    const struct sampled *sampled;
    struct flat *flat; /* one, or one a thread, busiest first */
    size_t flats;
    uint64_t unresolved;
    enum flat_by by;
    /* Appends the frames at an address; needed for FLAT_INLINE and FLAT_LINE. */
    void (*frames_at)(void *arg, struct module *m, uint64_t vaddr, struct frames *out);
    void *frames_arg;
    /* Called when files were read for a row: their pages need not stay in memory, but they must
     * stay mapped until flat_make returns. NULL: nothing. */
    void (*row_made)(void *arg, const struct module *m);
    struct frames frames; /* flat_make's own, as are the names of functions: */
    struct intern functions;
    const char *only_module; /* show only rows of this module (its name or path); NULL: all */
    bool whole;              /* one table, however s counted */
    struct report_part part; /* how much is shown, the rest summed up. Text only */
    size_t width;            /* of a line: longer names are shortened; 0: any. Text only */
    bool kernel;             /* kprof's words: see flat_kernel_text */
    const char *method;      /* how it was measured, "perf cpu-clock" */
    const char *mode;        /* "user mode" */
    struct demangler *names; /* how names are shown */
};

/* Resolves and sorts. 0 or -ENOMEM. flat_release either way. */
int flat_make(const struct sampled *s, struct flat_report *out);
void flat_release(struct flat_report *r);

/* Plan 9's lines, as tprof of prof(1) prints them: `total:`, `TEXT`, the header, the rows; and
 * behind them our own last line. */
void flat_text(const struct flat_report *r, struct buf *out);
void flat_json(const struct flat_report *r, struct buf *out);

/* kprof's part of both: rows are of the kernel and its modules alone; what was sampled elsewhere,
 * of idle CPUs and in user mode is outside of its text. */
struct flat_kernel {
    uint64_t total, inside, outside; /* weights */
};
struct flat_kernel flat_kernel_of(const struct flat_report *r);

/* One row of Plan 9's form, as the report of a profile file prints it too: ms, share of whole,
 * name.
 */
void flat_row_text(struct buf *out, uint64_t ms, uint64_t part, uint64_t whole, const char *name);
extern const char flat_header[];
