/* input: reads standard input as it arrives, and writes the answers to standard output. */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stddef.h>

/* Waits for bytes and appends those that are there: 1, or 0 at the end. */
int input_read(struct buf *out, struct fail *f);
/* For plat/wait.h: when it is ready, input_read does not wait. */
int input_handle(void);

/* All of it to standard output, unbuffered; blocks until it is read. */
int output_write(const void *bytes, size_t len, struct fail *f);

/* For plat/wait.h: ready when input_read would not wait. */
int input_handle(void);
