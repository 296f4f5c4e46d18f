/*
 * frames: the functions at an address of a module: the function whose code it is, and before it
 * those that were inlined there.
 */
#pragma once

#include "core/symbol/llvm_symbols.h"
#include "core/symbol/module.h"

#include <stddef.h>
#include <stdint.h>

/* Strings live as long as the module. */
struct frame {
    const char *function;   /* as the file has it, mangled; NULL: not known */
    const char *file;       /* NULL: not known */
    uint32_t line, column;  /* 0: not known; of a caller, those of the call */
    uint32_t discriminator; /* of the line; 0: none; of a caller only with declarations */
    bool shares_start;      /* as struct lines_frame has it */
    /* With declarations: what the debug information says of the function itself. */
    const char *start_file; /* NULL: not known */
    uint32_t start_line;    /* 0: not known */
    uint64_t start;
    bool has_start;
};

/* What frames are wanted; all false: those that every report shows. */
struct frames_want {
    bool short_names;  /* the debug information's plain names, no symbol's */
    bool no_symbols;   /* what the debug information says, and nothing else */
    bool declarations; /* also where functions are declared and start */
};

/* Innermost first; the last is the function that the symbol names. */
struct frames {
    struct frame *frame;
    size_t count, cap;
    const char *symbol; /* of the symbol table, the last frame's; NULL: none covers the address */
    uint64_t start;     /* where it starts */
    const struct llvm_symbols
        *llvm; /* the symbols to go by, of every module asked; NULL: its own */
    struct frames_want want;
};

void frames_release(struct frames *f);
void frames_clear(struct frames *f); /* keeps the memory, llvm and want */
int frames_add(struct frames *f, const struct frame *one);

/* Appends the chain at a link-time address; nothing when nothing is known there. 0 or -ENOMEM. */
int module_frames(struct module *m, uint64_t vaddr, struct frames *out);
