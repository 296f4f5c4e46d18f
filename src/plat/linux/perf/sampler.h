/*
 * sampler: the interface of a sampling backend (plat/sample.h is its manual).
 * plat/linux/sample/sample.c chooses the backend and calls through here; sample_perf*.c and
 * sample_ptrace*.c are the two there are.
 *
 * An implementation puts a struct sampler first in its own and fills it when it is open. Its
 * functions are called on an open sampler only, close exactly once.
 */
#pragma once

#include "plat/sample.h"

typedef void sample_record_fn(void *arg, const void *record, size_t len);

struct sampler_ops {
    void (*close)(struct sampler *s); /* frees it, too */
    size_t (*handles)(const struct sampler *s, const int **handles);
    void (*stop)(struct sampler *s);
    void (*read)(struct sampler *s, sample_record_fn *take, void *arg);
    uint64_t (*lost)(const struct sampler *s);          /* NULL: its records say all */
    bool (*take)(struct sampler *s, struct buf *bytes); /* NULL, or false: they are to be copied */
    uint32_t (*short_stack)(const struct sampler *s);   /* NULL: 0 */
    void (*shorten_stack)(struct sampler *s, bool to_short);
    uint64_t (*event_hz)(const struct sampler *s, size_t event); /* NULL: of the only one, hz */
    size_t (*event_of)(const struct sampler *s, uint64_t id);    /* NULL: 0 */
};

struct sampler {
    const struct sampler_ops *ops;
    const char *method;
    uint64_t hz; /* of the first event */
    struct perfrec_format format;
};

/* As sample_open, each by its own backend only. On failure *out is untouched. */
typedef int sampler_open_fn(const struct sample_want *want, struct sampler **out, struct fail *f);
sampler_open_fn perf_sampler_open, ptrace_sampler_open;

/* The backends. They are in a file of their own, plat/linux/sample/select.c, so that a test's
 * program can bring another one. */
struct sampler_backends {
    sampler_open_fn *perf, *ptrace;
};
extern const struct sampler_backends sampler_backends;
