/*
 * buffers: how large the buffers of a sampling or a tracing are.
 *
 * The kernel's rings, one per CPU, and what psuite holds of their records until they are in order
 * take at most a quarter of the memory that is free. Where the usual size is more than that, the
 * rings are smaller, and buffers_note says so. A size that the user asked for may take half.
 *
 * A tracing instance of tracefs has a folder and files for each event of the kernel: before it has
 * a ring of ours it takes up to 7 MB, and the kernel's default ring of 1.4 MB per CPU.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum buffers_use {
    BUFFERS_SAMPLES, /* by perf events: a place per sample */
    BUFFERS_CHAINS,  /* call chains of the kernel's unwinder */
    BUFFERS_EACH,    /* context switches, faults: each time, at no rate */
    BUFFERS_STACKS,  /* slices of the stack */
    BUFFERS_PTRACE,  /* samples by ptrace: one buffer, in psuite */
    BUFFERS_PTRACE_STACKS,
    BUFFERS_TRACEFS,     /* a tracing instance, with its rings */
    BUFFERS_TRACEPOINTS, /* tracepoints by perf events */
    BUFFERS_USES
};

enum {
    BUFFERS_SHARE = 4,       /* one part in so many of what is free */
    BUFFERS_ASKED_SHARE = 2, /* the same, of a size that was asked for */
    BUFFERS_COPIES = 3,      /* a ring, and what psuite holds of two readings of it at least, */
    BUFFERS_MAX_HELD = 8,    /* and of so many at most */
    BUFFERS_BOOST_BYTES = 8 << 20, /* that the kernel may keep free later on */
    BUFFERS_INSTANCE_BYTES = 8 << 20,
    BUFFERS_INSTANCE_RING_BYTES = 1536 << 10 /* per CPU: the kernel's default, until it is set */
};

struct buffers_request {
    enum buffers_use use;
    uint64_t free_bytes; /* of memory; UINT64_MAX: not known */
    unsigned cpus;
    size_t page_bytes;
    size_t asked_bytes; /* per CPU, by the user; 0: not asked */
};

struct buffers {
    size_t ring_bytes;    /* per CPU: a power of two, except as asked */
    size_t held_bytes;    /* in all: of what was read of the rings; where memory is not short, more
                             than they hold, since a ring's gaps are not read */
    uint64_t total_bytes; /* all that the decision takes; when it is refused, what the smallest
                             (or what was asked for) would take */
    bool reduced;         /* below the usual size, because memory is short */
};

/* What a ring of this use has where memory is no question, per CPU. */
size_t buffers_usual_bytes(enum buffers_use use);

/* 0, or -ENOMEM: not even the smallest rings fit, or not what was asked for. */
int buffers_decide(const struct buffers_request *r, struct buffers *out);

/* "rings of 1 MB (39 MB of memory are free)" when it was reduced, else "". */
void buffers_note(const struct buffers_request *r, const struct buffers *b, char *out, size_t size);

/* Fills f for a refusal, with what would be needed. Returns -ENOMEM. */
int buffers_refuse(const struct buffers_request *r, const struct buffers *b, struct fail *f);
