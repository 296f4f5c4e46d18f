/*
 * sym_llvm_lines: requests as llvm-symbolizer takes them, a line each.
 */
#pragma once

#include "applets/sym_block.h"
#include "applets/sym_files.h"
#include "core/containers/intern.h"
#include "core/symbol/llvm_output.h"

struct sym_llvm_lines {
    struct sym_files files;
    const char *file; /* of all requests; NULL: each names its own */
    struct llvm_format format;
    bool announced; /* what is missing of `file' was reported */
    bool listed;    /* JSON: the answers are one array */
    struct buf list;
};

void sym_llvm_line(struct sym_llvm_lines *s, const char *line, struct buf *out);

/* Where it looks for the answer; names of files are numbered in files. The first line of a file is
 * before all others of it. */
struct sym_place sym_llvm_place(struct sym_llvm_lines *s, const char *line, struct intern *files);

/* The length of the files that are open; the one that all requests are about is opened. */
uint64_t sym_llvm_file_bytes(struct sym_llvm_lines *s);

/* The end of what sym_llvm_line has held back; q is ignored. */
void sym_llvm_end(void *lines, const struct sym_question *q, struct buf *out);
