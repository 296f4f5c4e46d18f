/*
 * value_names: names of values of system calls' arguments: `O_RDONLY|O_CLOEXEC', `AT_FDCWD',
 * `SIGTERM', `0644'. Bits without a name follow as a hexadecimal number: `PROT_READ|0x80'.
 */
#pragma once

#include "core/trace/syscalls.h"

struct buf;

enum value_names {
    NAMES_NONE,
    NAMES_FD,     /* a descriptor or -1, whatever the kernel's type is */
    NAMES_FOLDER, /* the same, or AT_FDCWD */
    NAMES_SIGNAL,
    NAMES_OCTAL,           /* permissions */
    NAMES_FCNTL_VALUE,     /* by the command */
    NAMES_OPTION_OF_LEVEL, /* of a socket, by the level */
#define NAMES(set, ...) NAMES_##set,
#include "value_names.def"
#undef NAMES
    NAMES_COUNT,
};

/* Appends the names of a value. False: it has none, and nothing was appended. */
bool value_names_text(enum value_names set, enum syscall_machine machine, uint64_t value,
                      struct buf *out);

/* Of an argument (0 to 5) of a system call. */
enum value_names value_names_of(const char *call, unsigned argument);

/* The calls that have such arguments, those with the same ones in a list with blanks between them,
 * counted from 0; NULL behind the last list. */
const char *value_names_calls(size_t i);

/* The set of an argument that depends on another one, as that of fcntl on the command; any other
 * set is returned as it is. arg: the values of all arguments. */
enum value_names value_names_by(enum value_names set, const uint64_t *arg);
