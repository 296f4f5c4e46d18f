/*
 * kernel_text: the functions of the running kernel and its modules, by /proc/kallsyms.
 */
#ifndef PSUITE_ENGINE_TRACE_KERNEL_TEXT_H
#define PSUITE_ENGINE_TRACE_KERNEL_TEXT_H

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/symbol/kallsyms.h"

struct kernel_text {
    struct buf text;
    struct kallsyms names;
    uint64_t start, end;  /* the kernel's own text: _text to _etext */
    const char *base;     /* the name of start */
    unsigned instruction; /* bytes of the shortest */
};

/* -EACCES with the remedy: the kernel hides its addresses from us. */
int kernel_text_read(struct kernel_text *k, struct fail *f);
void kernel_text_release(struct kernel_text *k);

/* Where a function's last instruction is at the latest: what lies up to the next symbol may be
 * padding. */
uint64_t kernel_text_last(const struct kernel_text *k, const struct symbol *s);

/* Appends where a function is, as a probe's definition has it: by its name in a module, and in the
 * kernel by its offset, as several functions may have one name. */
void kernel_text_place(const struct kernel_text *k, const struct symbol *s, struct buf *out);

/* Where functions of this name begin, at most max of them; how many these are. module: NULL for any,
 * "kernel" or "vmlinux" for the kernel itself. */
size_t kernel_text_named(const struct kernel_text *k, const char *name, const char *module,
                         uint64_t *start, size_t max);

#endif
