/* file: whole files, read, mapped, written, linked. Bytes only; what they mean is core's. */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file's bytes, read-only. Owned by who opened it; release with file_unmap. */
struct image {
    const uint8_t *data; /* NULL when len is 0 */
    size_t len;
    bool mapped; /* else allocated */
};

/* What is read of a pipe or a device, which has no size, by those that map files of any size. */
enum { FILE_STREAM_MAX_BYTES = 1 << 30 };

/* Maps a regular file of at most max_bytes (else -EFBIG); reads anything else, at most
 * FILE_STREAM_MAX_BYTES of it. */
int file_map(const char *path, size_t max_bytes, struct image *out, struct fail *f);
/* The same, of any size, of a regular file alone (else -ENOEXEC, of a folder -EISDIR): never waits,
 * as a pipe or a device could. */
int file_map_regular(const char *path, struct image *out, struct fail *f);
/* The same of a file that belongs to root or to this process's user, else -EPERM: for a path that
 * another user may have chosen. */
int file_map_owned(const char *path, struct image *out, struct fail *f);
/* As file_map; "-" is standard input, to its end. */
int file_input(const char *path, size_t max_bytes, struct image *out, struct fail *f);
void file_unmap(struct image *image);

/* Gives the memory that a mapped file's pages take back; what is touched again is read again. */
void file_drop_pages(const struct image *image);
/* The same of the pages that len bytes from at, which are inside it, are in. */
void file_drop_range(const struct image *image, const void *at, size_t len);

/* Bytes of memory that this process has of mapped files, of its own program too; SIZE_MAX when the
 * system does not say. Costs about as much as reading a small file. */
size_t file_resident(void);
/* Page faults of this process so far. One brings at most FILE_FAULT_BYTES of a mapped file to
 * memory, so that after a few there is no need to look. */
enum { FILE_FAULT_BYTES = 1 << 16 };
unsigned long file_faults(void);

/* Appends the absolute path without links; path itself when it cannot be found. */
void file_realpath(const char *path, struct buf *out);

/* Appends the file's text to out; for /proc and the like, whose size is not known before. -EFBIG
 * over max_bytes. */
int file_read(const char *path, size_t max_bytes, struct buf *out, struct fail *f);

/* Gives the file's text in parts of whole lines, none longer than FILE_PART_BYTES: a line that is
 * longer is cut into several. part may be written into, and so may be the byte behind it. */
enum { FILE_PART_BYTES = 65536 };
int file_read_parts(const char *path, void (*part)(void *arg, char *text, size_t len), void *arg,
                    struct fail *f);

/* As file_read, of a regular file alone (else -ENOEXEC), for a path that others chose: never waits.
 */
int file_read_regular(const char *path, size_t max_bytes, struct buf *out, struct fail *f);

/* Creates path and writes the bytes. What is there is an error (-EEXIST, with a hint); with force
 * it is removed first, so that a file of another name, hard or symbolic, stays as it is. A device
 * or a pipe is written to as it is: not another user's pipe, and by a symbolic link only if the
 * link is root's or ours. A link to what standard output or error is (/dev/stdout) is that stream.
 * "-" is standard output. A file that cannot be written to its end is removed. */
int file_write(const char *path, const void *bytes, size_t len, bool force, struct fail *f);
/* The same with mode 0600, whatever the umask: what another user must not read. */
int file_write_private(const char *path, const void *bytes, size_t len, bool force, struct fail *f);

/* The same bit by bit: file_create gives a handle, or -errno, which file_append writes to and
 * file_finish closes. A reader that went away is -EPIPE, no signal. */
int file_create(const char *path, bool force, struct fail *f);
int file_create_private(const char *path, bool force, struct fail *f);
int file_append(int handle, const void *bytes, size_t len, const char *path, struct fail *f);
int file_finish(int handle, const char *path, struct fail *f); /* its error: what was not written */
/* Closes it, and removes the file: half of it is of no use. */
void file_abandon(int handle, const char *path);

/* A handle that is standard output from now on: what is printed there, by us or by a command, goes
 * to standard error. -EPIPE as above. */
int file_redirect_stdout(struct fail *f);

/* Appends to a regular file that is there: all of the bytes, or nothing. */
int file_extend(const char *path, const void *bytes, size_t len, struct fail *f);

/* Whether file_write could (0, or its error), asked before the work whose result it is to write.
 * Creates nothing. */
int file_writable(const char *path, bool force, struct fail *f);

/* Path of the running executable. */
int file_own_path(struct buf *out, struct fail *f);

/* Makes link a name of target, hard or symbolic. 0 also when it already is; -EEXIST when it is
 * something else. */
int file_link(const char *target, const char *link, bool symbolic, struct fail *f);
