/*
 * sym_llvm_lines: requests as llvm-symbolizer takes them, a line each.
 */
#ifndef PSUITE_APPLETS_SYM_LLVM_LINES_H
#define PSUITE_APPLETS_SYM_LLVM_LINES_H

#include "applets/sym_files.h"
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

/* The end of what sym_llvm_line has held back. */
void sym_llvm_end(struct sym_llvm_lines *s, struct buf *out);

#endif
