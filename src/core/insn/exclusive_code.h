/*
 * exclusive_code: what exclusive.c, which follows the paths of a sequence, needs to know of a
 * processor.
 */
#pragma once

#include "core/insn/exclusive.h"

enum exclusive_kind {
    EXCLUSIVE_PLAIN,
    EXCLUSIVE_LOAD,
    EXCLUSIVE_STORE,  /* or what gives up: CLREX */
    EXCLUSIVE_BRANCH, /* to target, or not */
    EXCLUSIVE_JUMP,   /* to target */
    EXCLUSIVE_LEAVES, /* a call, a return: no part of a sequence */
    EXCLUSIVE_FIXED,  /* does not work elsewhere */
};

enum { EXCLUSIVE_ALWAYS = 14 };

struct exclusive_insn {
    enum exclusive_kind kind;
    uint32_t op;
    uint8_t len;
    uint8_t condition; /* of another than a branch; EXCLUSIVE_ALWAYS */
    uint64_t target;
};

struct exclusive_path {
    uint64_t address;
    uint8_t before;
    uint8_t it;    /* T32: what is left of an IT block, as the processor keeps it */
    bool stored;   /* the store was executed */
    size_t branch; /* leads here: its offset */
};

struct exclusive_copying;

struct exclusive_processor {
    /* The instruction there; *it becomes that of the next one. */
    bool (*read)(struct exclusive_copying *c, uint64_t address, uint8_t *it,
                 struct exclusive_insn *out);
    /* At the end of the copy, without its condition. Of a jump: something without effect. */
    void (*put)(struct exclusive_copying *c, const struct exclusive_insn *i);
    /* A branch that is taken if the condition does not hold. */
    void (*put_skip)(struct exclusive_copying *c, unsigned condition);
    void (*put_breakpoint)(struct exclusive_copying *c);
    /* Makes the branch at an offset of the copy lead to another one. */
    void (*lead)(struct exclusive_copying *c, size_t branch, size_t to);
};

struct exclusive_copying {
    const struct exclusive_processor *processor;
    exclusive_read *read;
    void *arg;
    uint64_t start, end;                             /* the sequence */
    struct exclusive_path path[EXCLUSIVE_MAX_NODES]; /* still to be copied */
    size_t paths;
    struct exclusive *out;
    bool failed;
};

/* Follows all paths. read and arg are set. */
bool exclusive_copy(struct exclusive_copying *c, uint64_t address, struct exclusive *out);
void exclusive_put(struct exclusive_copying *c, uint32_t code, unsigned bytes);
