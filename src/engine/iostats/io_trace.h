/*
 * io_trace: counts the file operations of a command or a process by tracing its calls
 * (plat/iotrace.h describes the effects on the command).
 */
#pragma once

#include "core/base/fail.h"
#include "core/io/counts.h"
#include "core/io/files.h"
#include "core/io/processes.h"
#include "plat/child.h"

struct buf;

struct io_trace_want {
    char *const *argv; /* the command; NULL: the process */
    int pid;
    double seconds; /* after which the tracing of a process ends; 0: never */
    /* Each operation as it was counted, of the file of that number (-1: of none that is known), as
     * thread tid asked for it; NULL: not wanted. result: what its call returned, or -errno. */
    void (*done)(void *arg, int tid, const struct io_done *done, int file, int64_t result);
    /* Of a call that failed, after that; NULL: not wanted. */
    void (*failed)(void *arg, int tid, const struct io_called *c);
    struct io_processes *processes;   /* the same operations by process; NULL: not wanted */
    void (*begun)(void *arg);         /* the process is traced from here on; NULL: not wanted */
    void (*second_passed)(void *arg); /* about once a second then; NULL: not wanted */
    void *arg;
};

struct io_trace_end {
    struct child_end end; /* of its times only real_ns */
    const char *method;   /* "ptrace, seccomp" ... */
    struct io_uncounted unseen;
    struct io_trace *trace; /* for io_trace_exit */
};

/*
 * Runs the command to its end, or watches the process until it ends or an interrupt comes, and
 * counts; counts is the caller's. With a command it returns in another process than it was called
 * in (plat/iotrace.h): what is open and not flushed before is written twice.
 */
int io_trace_run(const struct io_trace_want *want, struct io_counts *counts,
                 struct io_trace_end *out, struct fail *f);

/* Appends the name of the program that a thread executes; nothing if it has ended. */
void io_trace_program(int tid, struct buf *out);

/* After the report: psuite exits with this status. This may take as long as processes that the
 * command left behind live; no caller waits for it. Releases all. */
void io_trace_exit(struct io_trace *trace, int status);
