/*
 * file_stream: reads a file whose bytes arrive while it is read: a pipe, or a file of a FUSE or 9P
 * mount.
 *
 *     if (file_stream_kind(path) != FILE_WHOLE)
 *         file_stream_open(path, &s, &f), then file_stream_read and file_stream_close
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>

enum file_stream_kind {
    FILE_WHOLE,  /* all of it is there, or it does not exist: plat/file.h */
    FILE_PIPE,   /* wait_ready works; a read of 0 is the end */
    FILE_SERVED, /* a regular file without a length: wait_ready does not work. 0 may mean that there
                    is nothing yet; -EAGAIN always does */
};

struct file_stream {
    int handle;
    enum file_stream_kind kind;
};

/* "-" is standard input. Does not open the file: some can be opened only once. */
enum file_stream_kind file_stream_kind(const char *path);

int file_stream_open(const char *path, struct file_stream *out, struct fail *f);
/* How many bytes; 0, -EAGAIN as above; else -errno. A pipe is read when wait_ready says so. */
long file_stream_read(const struct file_stream *s, void *bytes, size_t len);
void file_stream_close(struct file_stream *s);
