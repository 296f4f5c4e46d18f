/*
 * arm_writer: writes instructions of 32-bit ARM, of the set of the code that is moved.
 */
#pragma once

#include "relocate.h"

struct arm_writer {
    const struct probe_moved *m;
    uint8_t *out;
    size_t len;
    int err;
};

/* Of T32, 4 bytes are two halves, the first above. */
void arm_put_code(struct arm_writer *w, uint32_t op, unsigned len);
void arm_put_long(struct arm_writer *w, uint32_t op);
/* MOVW and MOVT. */
void arm_put_number(struct arm_writer *w, unsigned reg, uint32_t value);
/* Low registers. */
void arm_put_push(struct arm_writer *w, unsigned mask);
void arm_put_pop(struct arm_writer *w, unsigned mask);
/* In the same instruction set; the other one goes to either, by bit 0. */
void arm_put_jump(struct arm_writer *w, uint32_t target);
void arm_put_far_jump(struct arm_writer *w, uint32_t target);
/* A branch by a condition to where arm_put_skip_end is called, with what arm_put_skip returned. */
size_t arm_put_skip(struct arm_writer *w, unsigned condition);
void arm_put_skip_end(struct arm_writer *w, size_t at);
