/* failed_call: the file that a failed call named, asked of the thread that called. */
#pragma once

#include "core/io/call.h"
#include "core/io/failed.h"

/* Counts it if it named a file; the thread is still stopped. */
void failed_call_add(struct io_failed *failed, int tid, const struct io_called *c);
