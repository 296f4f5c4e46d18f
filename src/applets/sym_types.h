/*
 * sym_types: the options of sym that print declarations of functions and structs.
 */
#pragma once

#include "applets/sym_target.h"
#include "core/types/answer.h"

enum { SYM_SIGNATURE = 512, SYM_STRUCT, SYM_BTF };

/* clang-format off */
#define SYM_TYPE_OPTS                                                                              \
    {SYM_SIGNATURE, "signature", "NAME", "print a function's prototype, by name or address"},     \
    {SYM_STRUCT, "struct", "NAME", "print a struct, union or enum with offsets and holes"},        \
    {OPT_ADVANCED | SYM_BTF, "btf", "FILE", "with -k: take types from a copy of /sys/kernel/btf/vmlinux"}
/* clang-format on */

struct sym_types { /* starts as zeroes */
    struct types_query *query;
    size_t queries, cap;
    const char *btf;
    bool json; /* an object a line */
};

/* 1 when the option was one of these; 0 when not; -1 when it was, and wrong. */
int sym_types_opt(struct sym_types *s, const struct opt_state *o, int id);

/* DONE, or USAGE: what the options ask cannot be had together. */
int sym_types_check(const struct sym_types *s, const struct target_want *want, int operands);

/* Prints all that was asked; the exit status. */
int sym_types_run(const struct sym_types *s, const struct target_want *want);
void sym_types_release(struct sym_types *s);
