/*
 * annotate: shows one function's samples at its source lines, or at its instructions.
 */
#ifndef PSUITE_CORE_REPORT_ANNOTATE_H
#define PSUITE_CORE_REPORT_ANNOTATE_H

#include "core/sample/hits.h"
#include "core/symbol/frames.h"

struct buf;

struct annotate_place { /* an address with samples, and the function's own line there */
    uint64_t vaddr, samples;
    const char *file; /* NULL: not known */
    uint32_t line;
    bool inlined; /* into another function */
};

/* A function with the samples in it, of all threads. */
struct annotate {
    const struct sampled *sampled;
    struct module *module;
    struct symbol
        function; /* one that is inlined everywhere: the range of the busiest one around */
    struct annotate_place *place;
    size_t places;
    uint64_t samples, inlined; /* inlined: of them, into other functions */
    const char *shown;         /* its name, demangled, the caller's; NULL: as the file has it */
    const char *prototype;     /* as C declares it, the caller's; NULL: not known */
};

struct annotate_query {
    const char *name; /* as the file has it, or as pretty shows it */
    const char *(*demangle)(void *arg, const char *name); /* NULL: none */
    void *demangle_arg;
    void (*frames_at)(void *arg, struct module *m, uint64_t vaddr, struct frames *out);
    void *frames_arg;
};

/* The busiest function of that name by its symbol, with the places in its module where the same
 * function of the same file is inlined. When there is no such symbol, the inlined places alone.
 * -EINVAL: no sample in such a function, f says so; -ENOMEM. */
int annotate_find(const struct sampled *s, const struct annotate_query *q, struct annotate *out,
                  struct fail *f);
void annotate_release(struct annotate *a);

/* Its samples by source line. The lines are those of the function itself: what was inlined into it
 * counts to the line that calls it. */
struct annotate_line {
    uint32_t line;
    uint64_t samples;
};
struct annotate_lines {
    const char
        *file; /* where most of its samples are; lives as long as the module. NULL: unknown */
    struct annotate_line *line; /* ascending */
    size_t count;
    uint64_t elsewhere; /* samples without a line, or of another file */
};
int annotate_lines(const struct annotate *a, struct annotate_lines *out); /* 0 or -ENOMEM */
void annotate_lines_release(struct annotate_lines *l);

/* The text of the source file, from a little before the first sampled line to a little after the
 * last, each with its samples. */
void annotate_source(const struct annotate *a, const struct annotate_lines *l, const char *source,
                     struct buf *out);

/* A disassembly as objdump -d prints it: lines that start with an address and a colon. */
void annotate_code(const struct annotate *a, const char *disassembly, struct buf *out);

/* {..."function","prototype","module","file","time_ms","samples","inlined_samples","lines":[{"line","samples","time_ms",
 * "share_pct"}],"addresses":[{"address","samples"}]} */
void annotate_json(const struct annotate *a, const struct annotate_lines *l, struct buf *out);

#endif
