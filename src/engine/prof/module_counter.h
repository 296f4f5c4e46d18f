/*
 * module_counter: module_counting's two sides: module_counting.c asks, module_counter.c is the
 * process that traces and answers, module_coverage.c and module_memory.c know what it counts.
 *
 * Counts are answered as a record of coverage (core/coverage/record.h), whose addresses are those
 * of the device, and whose build-ids are the files' numbers.
 */
#pragma once

#include "core/coverage/record.h"
#include "core/profdev/device.h"
#include "plat/breaks.h"

/* --- what is asked, and answered --- */

enum module_question {
    MODULE_PROGRAM, /* follow a process */
    MODULE_PROCESS, /* attach to one */
    MODULE_COUNT,   /* what was counted so far */
    MODULE_END,     /* what was counted, and the programs are left */
};
struct module_request {
    enum module_question question;
    int pid;
};
struct module_answer { /* and then a record of so many bytes */
    int err;           /* -errno, of `why' */
    struct fail why;
    size_t len;
};
enum { MODULE_MAX_RECORD = 256 << 20 };

/* Answers until the end is closed or all is ended. */
void module_counter_run(const struct profdev *p, int end);

/* The module of a record that stands for a file; NULL: memory ended. */
struct coverage_module *module_record(struct coverage_record *out, const struct profdev_file *file);

/* --- what is counted --- */

struct module_kind {
    void *(*start)(const struct profdev *p, struct breaks_callbacks *to); /* NULL: memory ended */
    int (*count)(void *counter, struct coverage_record *out);             /* -ENOMEM */
};
extern const struct module_kind module_coverage, module_memory;

/* module_counter.c: whether a process executes the program that is counted. */
bool module_wants_program(const struct profdev *p, int pid);
