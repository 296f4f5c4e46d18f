/*
 * prof_v1: Plan 9's prof.<pid>: an array of records of 16 bytes, big-endian, without a header:
 * down[2] right[2] pc[4] count[4] time[4]. Record 0 is the root; 0xffff is no link; times are
 * milliseconds, a negative one is open and wants record 0's time added. Layout by prof(1)'s sources
 * and the book of Plan 9's profilers, chapter 6.
 */
#pragma once

#include "core/prof/tree.h"

struct buf;

enum { PROF_V1_RECORD = 16, PROF_V1_MAX_RECORDS = 65535 };

/* One thread, no modules; pcs are link-time addresses. Any bytes can be read; fewer than a record
 * are an empty tree. *t is initialised here. 0 or -ENOMEM; release either way. */
int prof_v1_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f);

/* What did not go into a v1 file. */
struct prof_v1_lost {
    size_t nodes;   /* over PROF_V1_MAX_RECORDS records: their time is their caller's */
    size_t foreign; /* not of the program, or beyond 32 bits: their pc is 0 */
};

/* Appends the tree as such a file: link-time pcs of the program (the first module), all threads
 * below one root, the outermost calls first where there is no room for all. Times are as shown,
 * milliseconds cut. 0 or -ENOMEM. */
int prof_v1_write(const struct prof_tree *t, struct buf *out, struct prof_v1_lost *lost);
