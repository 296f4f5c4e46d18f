/*
 * frames: what stands at an address of a module: the function whose code it is, and before it those
 * that were inlined there.
 */
#ifndef PSUITE_CORE_SYMBOL_FRAMES_H
#define PSUITE_CORE_SYMBOL_FRAMES_H

#include "core/symbol/llvm_symbols.h"
#include "core/symbol/module.h"

#include <stddef.h>
#include <stdint.h>

/* Strings live as long as the module. */
struct frame {
    const char *function;   /* as the file has it, mangled; NULL: not known */
    const char *file;       /* NULL: not known */
    uint32_t line, column;  /* 0: not known; of a caller, those of the call */
    uint32_t discriminator; /* of the line; 0: none */
};

/* Innermost first; the last is the function that the symbol names. */
struct frames {
    struct frame *frame;
    size_t count, cap;
    const char *symbol; /* of the symbol table, the last frame's; NULL: none covers the address */
    uint64_t start;     /* where it starts */
    const struct llvm_symbols
        *llvm; /* the symbols to go by, of every module asked; NULL: its own */
};

void frames_release(struct frames *f);
void frames_clear(struct frames *f); /* keeps the memory, and llvm */
int frames_add(struct frames *f, const struct frame *one);

/* Appends the chain at a link-time address; nothing when nothing is known there. 0 or -ENOMEM. */
int module_frames(struct module *m, uint64_t vaddr, struct frames *out);

#endif
