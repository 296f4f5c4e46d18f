/*
 * forget: a live view forgets the modules that no process has mapped any more, so that its memory
 * depends on what runs and not on what ran since it began.
 *
 * A module leaves FORGET_AFTER_NS after it was last mapped; before that, the ones that were unused
 * longest first, while those that wait for it hold more than FORGET_MAX_BYTES, or are more than
 * FORGET_MAX_MODULES. What the view shows stays. So do the kernel and its modules, and the main
 * module. Sums are as before: samples of what left count at one place, "(ended)" in the module
 * "[ended]", and so do waits there.
 *
 * Only for a live view: node, cell and module numbers change. Refused where somebody keeps them:
 * with hooks.counted (a recording), a timeline, or one set for all.
 */
#pragma once

#include "core/base/time_ns.h"
#include "core/sample/sampled.h"

#define FORGET_AFTER_NS (60 * NS_PER_S)
#define FORGET_EVERY_NS (20 * NS_PER_S) /* between two looks, unless there is much new */

enum {
    FORGET_MAX_BYTES = 16 << 20, /* of symbols, call frame information, and the like */
    FORGET_MAX_MODULES = 2048,
};

struct forget {
    uint64_t looked_ns;    /* when it was looked which modules are used; 0: not yet */
    size_t modules, bytes; /* there were then */

    /* Whether the view shows something of the module; NULL: nothing. */
    bool (*is_shown)(void *arg, uint32_t module);
    void *arg;
};

/* What changed: the caller renumbers what it keeps, and frees the modules that left, after it has
 * released their names and files (module_free). */
struct forgotten {
    uint32_t *cell, *node; /* which each became */
    uint32_t *module;      /* which each became; UINT32_MAX: it left */
    struct module **gone;
    size_t gone_count;
};

/* Called once a second or so. bytes: what all modules hold. True when modules left; else *out is
 * empty. When memory ends nothing is changed. */
bool sampled_forget(struct sampled *s, struct forget *f, uint64_t now_ns, size_t bytes,
                    struct forgotten *out);

/* Frees the arrays and the modules. */
void forgotten_release(struct forgotten *out);
