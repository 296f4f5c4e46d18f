/*
 * input: standard input, as it comes.
 */
#ifndef PSUITE_PLAT_INPUT_H
#define PSUITE_PLAT_INPUT_H

#include "core/buf.h"
#include "core/fail.h"

/* Waits for bytes and appends those that are there: 1, or 0 at the end. */
int input_read(struct buf *out, struct fail *f);

/* For plat/wait.h: ready when input_read would not wait. */
int input_handle(void);

#endif
