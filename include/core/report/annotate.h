/*
 * annotate: shows one function's samples at its source lines, or at its instructions.
 */
#pragma once

#include "core/base/buf.h"
#include "core/sample/hits.h"
#include "core/symbol/frames.h"

/* Samples, and their sum: nanoseconds, bytes, or events. */
struct annotate_sum {
    uint64_t samples, weight;
};

static inline void annotate_add(struct annotate_sum *to, const struct annotate_sum *more)
{
    to->samples += more->samples;
    to->weight += more->weight;
}

struct annotate_place { /* an address with samples, and the function's own line there */
    uint64_t vaddr;
    struct annotate_sum sum;
    const char *file; /* NULL: not known */
    uint32_t line;
    bool inlined; /* into another function */
};

struct annotate_query {
    const char
        *name; /* as the file has it, as pretty shows it, or of one without a name its start */
    const char *(*demangle)(void *arg, const char *name); /* NULL: none */
    void *demangle_arg;
    void (*frames_at)(void *arg, struct module *m, uint64_t vaddr, struct frames *out);
    void *frames_arg;
    const struct sampled_part *part; /* of the samples; NULL: all of them */
    const char *module; /* its path or name: functions of this one alone; NULL: of any */
};

/* A function with the samples in it, of all threads. */
struct annotate {
    const struct sampled *sampled;
    struct annotate_query query;
    struct module *module;
    struct symbol
        function; /* one that is inlined everywhere: the range of the busiest one around */
    struct annotate_place *place;
    size_t places;
    struct annotate_sum sum, inlined; /* inlined: of them, into other functions */
    const char *shown;                /* its name, demangled, the caller's; NULL: as in the file */
    const char *prototype;            /* as C declares it, the caller's; NULL: not known */
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
    struct annotate_sum sum;
};
struct annotate_lines {
    const char
        *file; /* where most of its samples are; lives as long as the module. NULL: unknown */
    struct annotate_line *line; /* ascending */
    size_t count;
    struct annotate_sum elsewhere; /* samples without a line, or of another file */
};
int annotate_lines(const struct annotate *a, struct annotate_lines *out); /* 0 or -ENOMEM */
void annotate_lines_release(struct annotate_lines *l);

/* Source or instructions, a row a line. All zero is empty. */
struct annotate_row {
    size_t at; /* of its characters in text, up to a NUL */
    struct annotate_sum sum;
};
struct annotate_text {
    const char *file;        /* of the source, lives as long as the module; NULL: instructions */
    struct annotate_sum sum; /* of the function */
    struct annotate_row *row;
    size_t count, cap;
    struct buf text;
    int err; /* -ENOMEM once out of memory */
};
void annotate_text_release(struct annotate_text *t);
static inline const char *annotate_row_text(const struct annotate_text *t, size_t row)
{
    return t->text.data + t->row[row].at;
}

/* Adds the lines of the source file, from a little before the first sampled one to a little after
 * the last, with their numbers. */
void annotate_source(const struct annotate_lines *l, const char *source, struct annotate_text *out);

/* Adds the function's lines of a disassembly as objdump -d prints it: those that start with an
 * address and a colon. Where the source line changes, the line of `source' (the text of l->file;
 * NULL: not known) comes before them. */
void annotate_code(const struct annotate *a, const struct annotate_lines *l, const char *source,
                   const char *disassembly, struct annotate_text *out);

/* The function's own line at an address of it; 0: none of this file is known. Between calls with
 * the same f, which starts as zeroes, its memory is kept. */
uint32_t annotate_line_at(const struct annotate *a, const char *file, uint64_t vaddr,
                          struct frames *f);

/* Prints it, below a heading. */
void annotate_print(const struct annotate *a, const struct annotate_text *text, struct buf *out);

/* {..."function","prototype","module","file","time_ms","samples","inlined_samples","lines":[{"line","samples","time_ms",
 * "share_pct"}],"addresses":[{"address","samples"}]} */
void annotate_json(const struct annotate *a, const struct annotate_lines *l, struct buf *out);
