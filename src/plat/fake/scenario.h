/*
 * scenario: the script that the fake platform plays, so that an applet runs on known data without
 * privilege.
 *
 * The file is named by $PSUITE_FAKE. A fact a line: WORD REST. `#' starts a comment line. Each fake
 * capability documents its own words at the top of its file. Common to all: fail CALL ERRNO CALL (a
 * function of include/plat) fails with that errno, by name or number
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stddef.h>
#include <stdint.h>

/* What follows WORD on its nth line (from 0), NULL when there is none. */
const char *scenario_nth(const char *word, size_t n);
const char *scenario_get(const char *word);
/* The last WORD's line where there is no nth. */
const char *scenario_nth_or_last(const char *word, size_t n);
/* What follows NAME on the first line WORD NAME; "" when that is all of it, NULL: there is none. */
const char *scenario_named(const char *word, const char *name, size_t name_len);

/* KEY=NUMBER within a line's rest; otherwise absent. */
uint64_t scenario_number(const char *rest, const char *key, uint64_t absent);

/* The number after WORD on its first line; otherwise absent. */
uint64_t scenario_value(const char *word, uint64_t absent);

/* A file named relative to the scenario's folder: its path; its bytes, as file_read. */
void scenario_path(const char *name, struct buf *out);
int scenario_file(const char *name, size_t max_bytes, struct buf *out, struct fail *f);

/* The positive errno of a name (EACCES) or number. */
int scenario_errno(const char *text);

/* Negative errno and f set when the scenario makes CALL fail, else 0. */
int scenario_fail(const char *call, struct fail *f);
