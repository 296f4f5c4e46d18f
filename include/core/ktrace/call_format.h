/*
 * ktrace_call_format: system calls as functions, by the format files of their tracepoints
 * (syscalls/sys_enter_NAME and sys_exit_NAME), which have the names and types of the arguments.
 */
#pragma once

#include "core/ktrace/decode.h"
#include "core/ktrace/signature.h"

enum { KTRACE_CALL_BYTES = 64, KTRACE_CALL_NAMES = 5 };

/* The names that the tracepoint of a system call may have, in the order in which they are to be
 * tried; how many. The kernel's functions have other names than some calls. */
int ktrace_call_names(const char *call, char name[KTRACE_CALL_NAMES][KTRACE_CALL_BYTES]);

/* Learns a tracepoint, and by that of the entry the signature. -EINVAL: it is none; -ENOMEM. */
int ktrace_call_learn(struct ktrace_decoder *d, struct ktrace_signatures *s, uint32_t function,
                      bool exit, const char *format, size_t len);

/* Values of its arguments, such as flags, are shown by their names on that machine. */
void ktrace_call_name_values(struct ktrace_signatures *s, uint32_t function, const char *call,
                             enum syscall_machine machine);
