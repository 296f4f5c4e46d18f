/* kernel_text: the functions of the running kernel and its modules, by /proc/kallsyms. */
#pragma once

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

/* Hands on the functions whose names match one of the patterns, with `*' and `?', or
 * MODULE:PATTERN, of a module alone. -ESRCH: none does; -E2BIG: more than FUNCTIONS_MAX; what emit
 * returned. */
typedef int kernel_text_found_fn(void *arg, const struct symbol *s, struct fail *f);
int kernel_text_find(const struct kernel_text *k, const char *const *pattern, size_t patterns,
                     kernel_text_found_fn *emit, void *arg, struct fail *f);

/* Whether a name matches a pattern with `*' and `?'. */
bool function_name_matches(const char *pattern, const char *name, size_t len);

/* Takes the first pattern off a list with commas between; an empty one if it is too long to match
 * anything. False at the end of the list. */
enum { FUNCTION_LIST_NAME = 128 };
bool function_list_next(const char **list, char name[FUNCTION_LIST_NAME]);

/* Where functions of this name begin, at most max of them; how many these are. module: NULL for
 * any, "kernel" or "vmlinux" for the kernel itself. */
size_t kernel_text_named(const struct kernel_text *k, const char *name, const char *module,
                         uint64_t *start, size_t max);
