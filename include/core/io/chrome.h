/*
 * io_chrome: operations on files as Chrome's Trace Event Format (public), in its form of an array:
 * a viewer reads it also when its end is missing, as after a full disk.
 *
 * Event by event, each a line: the buf may be emptied between two calls. A span `X' an operation,
 * named by its message, on the track of the thread that asked; ts and dur in microseconds with
 * decimals; args: path, request_bytes, reply_bytes, error.
 */
#pragma once

#include "core/io/report.h"
#include "core/text/json.h"

struct io_chrome {
    struct json j;
};

/* title: what is counted, and by which way. */
void io_chrome_start(struct io_chrome *c, struct buf *out, const char *title);
/* tid 0: the kernel asked, of its own accord. */
void io_chrome_add(struct io_chrome *c, int tid, const struct io_log *line);
void io_chrome_end(struct io_chrome *c);
