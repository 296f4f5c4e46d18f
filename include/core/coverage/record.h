/*
 * coverage_record: what a run has executed, by address, as it is kept in a file: text, of which
 * each line is
 *
 *     psuite-coverage 1
 *     processes N                 that had a module
 *     unset N                     breakpoints that could not be set: some counts may be too low
 *     module BUILD-ID PATH        in hex, `-' if there is none; newlines of the path as \012
 *     ADDRESS COUNT               of the module before, link-time, ascending, in hex and decimal
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/coverage/counts.h"

enum { COVERAGE_MAX_MODULES = 4096, COVERAGE_ID_BYTES = 20 };

struct coverage_module {
    char *path;
    uint8_t build_id[COVERAGE_ID_BYTES];
    size_t build_id_len;
    struct coverage_counts counts;
};

struct coverage_record { /* starts as zeroes */
    uint64_t processes, unset;
    struct coverage_module **module;
    size_t modules, cap;
};

void coverage_record_release(struct coverage_record *r);

/* The module of that path and build-id, made when new. NULL: there are too many, or memory ended.
 */
struct coverage_module *coverage_record_module(struct coverage_record *r, const char *path,
                                               const uint8_t *build_id, size_t len);

/* How many instructions were executed. */
uint64_t coverage_record_total(const struct coverage_record *r);

/* Adds what a file has to what r has. -EINVAL: it is no such file, or damaged; -ENOMEM. */
int coverage_record_read(struct coverage_record *r, const char *text, size_t len, struct fail *f);
void coverage_record_write(struct coverage_record *r, struct buf *out);
