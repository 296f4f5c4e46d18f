/*
 * python: samples in the Python interpreter, whose program's functions a report can name only with
 * its help.
 */
#pragma once

#include "core/base/buf.h"
#include "core/sample/sampled.h"

/* Reported when the interpreter has over this share of the samples. */
enum { PYTHON_REPORTED_PCT = 20 };

/* Appends to why which file the interpreter is, and to hint how Python functions are named; nothing
 * where it has a smaller share, or where it has written their names. 0 or -ENOMEM. */
int symbols_python(const struct sampled *sampled, struct buf *why, struct buf *hint);
