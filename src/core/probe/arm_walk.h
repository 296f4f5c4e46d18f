/*
 * arm_walk: which bytes of a module of 32-bit ARM are code, of which instruction set, and where
 * functions begin: from places that are known to begin one along all jumps and calls.
 */
#pragma once

#include "core/insn/arm_registers.h"
#include "planning.h"

/* Of each two bytes. */
enum {
    ARM_BEGINS = 1 << 0,  /* an instruction, or a half of one */
    ARM_FOLLOWS = 1 << 1, /* the other half */
    ARM_DATA = 1 << 2,    /* loaded, or a table of jumps */
    ARM_ENTRY = 1 << 3,   /* a function */
    ARM_SEEN = 1 << 4     /* for one function at a time */
};

struct arm_place {
    uint32_t addr, from; /* from: of a function that is known by a call, the call; else 0 */
    bool thumb;
};

struct arm_places {
    struct arm_place *place;
    size_t count, cap;
};

struct arm_walk {
    struct planning *p;
    uint8_t *half; /* flags */
    struct arm_places entries, paths;
    int err; /* -ENOMEM */
};

/* False: no instruction is there whole. */
bool arm_walk_read(const struct planning *p, uint32_t addr, bool thumb, struct arm_insn *out);

static inline uint8_t *arm_walk_half(const struct arm_walk *w, uint64_t addr)
{
    return &w->half[(addr - w->p->start) / 2];
}

/* A function begins there: it and all it leads to are walked. */
void arm_walk_entry(struct arm_walk *w, struct arm_place place);
/* Whether a push of the link register is there. */
bool arm_walk_saves(const struct planning *p, uint32_t addr, bool thumb);
/* Marks the targets of what may be branches in bytes that were not walked. */
void arm_walk_rest(struct arm_walk *w);

/* --- arm_frame.c --- */

/* What a function does with its return address, and whether it jumps to unknown places. */
void arm_frame_read(struct arm_walk *w, struct probe_body *b);
