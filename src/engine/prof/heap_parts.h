/*
 * heap_parts: a heap profile in the making: heap_run.c starts and ends it, heap_processes.c knows
 * its processes, heap_calls.c follows the calls, heap_images.c knows where their functions are.
 */
#pragma once

#include "core/heap/heap.h"
#include "core/unwind/unwind.h"
#include "engine/prof/heap.h"
#include "plat/breaks.h"

enum heap_function {
    HEAP_MALLOC = 1,
    HEAP_CALLOC,
    HEAP_REALLOC,
    HEAP_REALLOCARRAY,
    HEAP_MEMALIGN, /* alignment, size */
    HEAP_POSIX_MEMALIGN,
    HEAP_VALLOC,
    HEAP_FREE,
};

/* A process's memory. */
struct heap_image {
    uint32_t pid; /* by which its mappings go */
    struct heap heap;
    struct imap functions; /* by address: enum heap_function */
    struct imap reserved;  /* by start of a mapping: 1: near it slots were asked for, for returns */
    uint64_t loaded;       /* the loader calls this when it has mapped files; 0: unknown */
};

/* A call that has not returned. */
struct heap_call {
    struct breaks_image *image;
    int tid;
    enum heap_function function;
    uint64_t sp, returns_to;
    uint64_t bytes;
    uint64_t address; /* of a resizing the old block's; of posix_memalign the result's */
    struct heap_block resized;
    bool resizes; /* a block that is known */
};

struct heap_run {
    struct sampling *sampling;
    struct unwind_perf perf;
    struct heap_call *call;
    size_t calls, cap;
    uint64_t time; /* of the chains: they are told apart by it */
    size_t functions, unset;
    bool failed; /* memory ended */
    /* In the place of nodes of chains, sites of the caller's: of the thread that has returned from
     * the call. */
    uint32_t (*site_of)(void *arg, const struct heap_image *m, const struct breaks_stop *s);
    void *arg;
    const struct heap_watch *watch; /* of each process's heap; NULL: none */
};

/* --- heap_run.c --- */

int heap_prepare(const struct sampling_want *want, struct sampling *s, struct heap_run *h,
                 struct fail *f);

/* --- heap_processes.c --- */

struct breaks_callbacks heap_callbacks(struct heap_run *h);

/* --- heap_images.c --- */

/* Looks for files that are mapped, and sets breakpoints in those that have the functions. */
void heap_image_look(struct heap_run *h, const struct breaks_stop *s);
/* Sets a breakpoint where a call returns to. */
int heap_set_return(const struct heap_run *h, const struct breaks_stop *s, uint64_t address);

/* --- heap_calls.c --- */

void heap_call_begins(struct heap_run *h, const struct breaks_stop *s, enum heap_function function);
void heap_call_returns(struct heap_run *h, const struct breaks_stop *s);
/* Calls of a memory that is gone do not return. */
void heap_calls_forget(struct heap_run *h, const struct breaks_image *image);
