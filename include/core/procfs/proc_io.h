/*
 * proc_io: the text of /proc/PID/io and /proc/PID/task/TID/io (proc(5)), lines `NAME: N', which a
 * kernel with CONFIG_TASK_IO_ACCOUNTING has:
 *   rchar wchar    bytes that read and write calls moved, also from caches, pipes, terminals
 *   syscr syscw    these calls
 *   read_bytes     bytes that the task had a storage device read
 *   write_bytes    bytes that it changed in the cache of files, or wrote past it, for a device
 *   cancelled_write_bytes  bytes of such changes, not written yet, that it discarded: by deleting
 *                  or cutting a file
 * The file of a process has all its threads, those that ended, and the children that it waited for.
 * The file of a thread has the thread alone.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum proc_io_field {
    PROC_IO_READ,
    PROC_IO_WRITTEN,
    PROC_IO_READ_CALLS,
    PROC_IO_WRITE_CALLS,
    PROC_IO_DISK_READ,
    PROC_IO_DISK_WRITTEN,
    PROC_IO_CANCELLED,
    PROC_IO_FIELDS
};

struct proc_io {
    uint64_t value[PROC_IO_FIELDS];
};

/* False: the text is none such; a line that an old kernel lacks is 0. */
bool proc_io_parse(const char *text, struct proc_io *out);

/* a += b, a -= b but not below 0, and the smaller of both, each field by itself. */
void proc_io_add(struct proc_io *a, const struct proc_io *b);
void proc_io_subtract(struct proc_io *a, const struct proc_io *b);
struct proc_io proc_io_min(const struct proc_io *a, const struct proc_io *b);
bool proc_io_is_zero(const struct proc_io *a);
bool proc_io_is_equal(const struct proc_io *a, const struct proc_io *b);
