/*
 * call_filter: seccomp filters of a traced command: its calls about something stop
 * (PTRACE_EVENT_SECCOMP), all others pass at full speed. A thread with a filter cannot make these
 * calls without a tracer.
 */
#pragma once

#include "core/io/call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool call_filter_is_available(void);

/* In the child, between seizing and exec. 0 or -errno. */
int call_filter_files(void); /* calls of io_call_rows */
int call_filter_cpus(void);  /* IO_CALL_CPUS alone */

/* ARCH/iotrace.c: the tables that a program here may use, our own first. */
struct iotrace_arch {
    enum io_arch arch;
    uint32_t audit; /* AUDIT_ARCH_* */
};
extern const struct iotrace_arch iotrace_arch[];
extern const size_t iotrace_arches;
