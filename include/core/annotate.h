/*
 * annotate: one function's samples, laid over its source, or over its instructions.
 */
#ifndef PSUITE_CORE_ANNOTATE_H
#define PSUITE_CORE_ANNOTATE_H

#include "core/frames.h"
#include "core/hits.h"

struct buf;

/* A function as the symbol tables have it, with the samples in it, of all threads. */
struct annotate {
    const struct sampled *sampled;
    struct module *module;
    struct symbol function;
    struct hits hits; /* its own only */
    uint64_t samples;
};

/* The busiest function of that name, as the file has it or as pretty (NULL: none) shows it.
 * -ENOENT: no sample in such a function, f says so; -ENOMEM. */
int annotate_find(const struct sampled *s, const char *name,
                  const char *(*pretty)(void *arg, const char *name), void *arg,
                  struct annotate *out, struct fail *f);
void annotate_release(struct annotate *a);

/* Its samples by source line. The lines are those of the function itself: what was inlined counts
 * to the line that calls it. */
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
int annotate_lines(const struct annotate *a,
                   void (*frames_at)(void *arg, struct module *m, uint64_t vaddr,
                                     struct frames *out),
                   void *arg, struct annotate_lines *out); /* 0 or -ENOMEM */
void annotate_lines_release(struct annotate_lines *l);

/* The text of the source file, from a little before the first sampled line to a little after the
 * last, each with its samples. */
void annotate_source(const struct annotate *a, const struct annotate_lines *l, const char *source,
                     struct buf *out);

/* A disassembly as objdump -d prints it: lines that start with an address and a colon. */
void annotate_code(const struct annotate *a, const char *disassembly, struct buf *out);

/* {..."function","module","file","time_ms","samples","lines":[{"line","samples","time_ms",
 * "share_pct"}],"addresses":[{"address","samples"}]} */
void annotate_json(const struct annotate *a, const struct annotate_lines *l, struct buf *out);

#endif
