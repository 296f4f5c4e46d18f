/*
 * ktrace_signature: names and types of the arguments of traced functions, and of what they return,
 * out of the kernel's types (core/types), in little memory: the types themselves can go.
 *
 * A function is known if each of its arguments has one register, so that it is sure which argument
 * is where: if all are integers, enums, pointers, or structs no larger than a pointer.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/ktrace/event.h"
#include "core/trace/syscalls.h"
#include "core/types/types.h"

enum ktrace_kind {
    KTRACE_RAW, /* a struct, or nothing is known */
    KTRACE_NOTHING,
    KTRACE_SIGNED,
    KTRACE_UNSIGNED,
    KTRACE_CHAR,
    KTRACE_BOOL,
    KTRACE_ENUM,
    KTRACE_POINTER,
    KTRACE_TEXT, /* a pointer to characters that end with a NUL */
    KTRACE_CODE, /* a pointer to a function */
};

/* KTRACE_MAX_ENUMERATORS: those of larger enums are shown as numbers. */
enum { KTRACE_MAX_ENUMERATORS = 256 };

struct ktrace_type {
    const char *name; /* of the argument; NULL: it has none */
    uint8_t kind, bytes;
    bool is_signed;        /* of an enum */
    uint8_t names;         /* of a system call: which of its values have names; 0: none */
    uint32_t first, count; /* of an enum: its enumerators */
};
struct ktrace_signature {
    bool known;
    bool more;    /* there are more arguments, whose values are not known */
    uint8_t args; /* whose values are known */
    struct ktrace_type arg[KTRACE_MAX_ARGS], returned;
};
struct ktrace_enumerator {
    const char *name;
    uint64_t value;
};
struct ktrace_signatures {
    struct ktrace_signature *of; /* by function */
    size_t count;
    size_t known;
    uint8_t machine; /* of system calls: enum syscall_machine */
    struct ktrace_enumerator *enumerator;
    size_t enumerators, cap;
    struct intern names;
};

/* None of `count' functions is known yet. -ENOMEM. Release either way. */
int ktrace_signatures_init(struct ktrace_signatures *s, size_t count);
void ktrace_signatures_release(struct ktrace_signatures *s);

/* A function whose signature is looked for. */
struct ktrace_wanted {
    const char *name;
    uint32_t function;
};

/* Looks for those by name in t. Two functions of one name and different types are not known. Of a
 * function with more than max_args arguments only so many have values. wanted is sorted by this.
 * -ENOMEM. */
int ktrace_signatures_learn(struct ktrace_signatures *s, struct ktrace_wanted *wanted, size_t count,
                            const struct types *t, unsigned max_args);

/* Never NULL. */
const struct ktrace_signature *ktrace_signature(const struct ktrace_signatures *s,
                                                uint32_t function);

/* The number in a register, of which only the type's bytes are the value. */
uint64_t ktrace_value(const struct ktrace_type *type, uint64_t reg);
bool ktrace_is_signed(const struct ktrace_type *type);
