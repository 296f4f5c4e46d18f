/*
 * sym_block: lines of input that are answered in the order of their files and addresses, and whose
 * answers are printed in the order of the lines. Debug information is read by units, which hold
 * neighbouring addresses: in this order each is read once a block, whatever the order of the lines.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/containers/radix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the answer of a line is looked for. */
struct sym_place {
    uint32_t file; /* a number that is the same for the same file */
    bool alone;    /* the line is this address and nothing else */
    uint64_t address;
};

struct sym_question {
    const char *text;
    size_t len;
    struct sym_place place;
};

struct sym_block_line {
    const char *text;
    uint32_t len;
    bool alone;
    size_t from, to; /* of its answer, in out */
};

struct sym_block {
    struct sym_block_line *line;
    struct radix_key *key; /* a line's file and address */
    size_t lines, line_cap, key_cap;
    struct buf out;
};

/* So much text is worth waiting for when addresses of files of file_bytes are asked, with so much
 * memory free: answers are about ten times as long as the addresses. */
size_t sym_block_bytes(uint64_t file_bytes, uint64_t free_bytes);
/* At most so many lines of it are answered together. */
size_t sym_block_lines(size_t block_bytes);

/* The text, of less than 4 GB, is the caller's and stays. False when memory ends. */
bool sym_block_add(struct sym_block *b, const char *text, size_t len, struct sym_place place);

/* Calls answer for each line, which appends to out. Lines of one place are asked in their order. */
typedef void sym_block_answer_fn(void *arg, const struct sym_question *q, struct buf *out);
void sym_block_answer(struct sym_block *b, sym_block_answer_fn *answer, void *arg);

/* All answers to standard output. */
int sym_block_print(const struct sym_block *b, struct fail *f);

void sym_block_clear(struct sym_block *b); /* to be filled again */
void sym_block_release(struct sym_block *b);
