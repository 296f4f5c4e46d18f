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

/* KEY=NUMBER within a line's rest; otherwise absent. */
uint64_t scenario_number(const char *rest, const char *key, uint64_t absent);

/* A file named relative to the scenario's folder. */
void scenario_path(const char *name, struct buf *out);

/* The positive errno of a name (EACCES) or number. */
int scenario_errno(const char *text);

/* Negative errno and f set when the scenario makes CALL fail, else 0. */
int scenario_fail(const char *call, struct fail *f);
