/*
 * llvm_output: answers as llvm-symbolizer of LLVM 14 prints them, byte for byte.
 */
#pragma once

#include "core/symbol/sym_output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum llvm_style {
    LLVM_LLVM, /* FUNCTION, FILE:LINE:COLUMN, blank line */
    LLVM_GNU,  /* FUNCTION, FILE:LINE */
    LLVM_JSON
};

/* Gives the text of a source file, which stays until the next call; false when there is none. */
typedef bool llvm_source_reader(void *arg, const char *path, const char **text, size_t *len);

struct llvm_format {
    enum llvm_style style;
    bool no_functions;          /* places alone */
    bool no_inlines;            /* one frame: the function's own symbol, at the innermost line */
    bool basenames;             /* files without their folders */
    bool address;               /* the address first; JSON has it always */
    bool pretty;                /* a line a frame; JSON: with line breaks */
    bool verbose;               /* a line a fact; not JSON, which has them all */
    uint32_t context;           /* so many lines of the source around each place; 0: none */
    llvm_source_reader *source; /* NULL only without context */
    void *source_arg;
    struct demangler *names;
};

/* a->frames NULL: the file could not be read. */
void llvm_text(const struct llvm_format *f, const struct answer *a, struct buf *out);

/* --- JSON: a value without a line's end --- */

/* {"Address","ModuleName","Symbol":[{"Column","Discriminator","FileName","FunctionName","Line",
 * "Source","StartAddress","StartFileName","StartLine"}]}; Source only with context. module: the
 * file as it was asked for. */
void llvm_json(const struct llvm_format *f, const char *module, const struct answer *a,
               struct buf *out);
/* {"Address","Error":{"Message"},"ModuleName"}; address NULL: none was given. */
void llvm_json_error(const char *module, const uint64_t *address, const char *message,
                     struct buf *out);
