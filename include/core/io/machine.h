/*
 * io_machine: which processes of a machine do I/O, from readings of /proc/PID/io
 * (core/procfs/proc_io.h) in rounds, typically one a second.
 *
 *     struct io_machine *m = io_machine_new();
 *     io_machine_begin(m);                        a round:
 *     io_machine_add(m, &reading);                each process
 *     io_machine_end(m, &round);
 *     io_machine_rows(m, IO_SORT_BYTES, false, &row)
 *
 * The first round is the base that all others are compared with.
 *
 * The kernel adds the counters of a thread that ended to its process, and those of a child to the
 * parent that waited for it. So nothing of them is lost, and nothing may be counted twice. The
 * counters of a process less those of its living threads are those of threads and children that
 * ended. Of what is added there, that which was counted in rows of their own is subtracted; the
 * rest was done between two rounds by children that nobody saw, or by those that were seen, after
 * their last reading. It has a row behind the parent's: `make (ended)'. Lost is only what ended
 * without a parent that waits for it and may be read. It is seen in io_machine_devices: a device
 * read more than all rows have.
 *
 * What a device reads is counted by the kernel at the same place for the task and for the machine
 * (pgpgin of /proc/vmstat), so both sums are equal but for what was lost. What it writes is
 * counted for the task that changes the cache, and for the machine when the kernel writes it, with
 * what the file system adds: these sums are of different times.
 */
#pragma once

#include "core/io/report.h"
#include "core/procfs/proc_io.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IO_MACHINE_ENDED = 4096, IO_MACHINE_NAME = 32 };

struct io_machine; /* opaque; some 700 bytes a process, 64 a thread of those that do I/O. Of more
                      than IO_MACHINE_ENDED that ended, the first are added up in one row */

struct io_thread {
    int tid;
    struct proc_io io;
    uint64_t wait_ns; /* waited for devices, since it began */
};

/* A process as it was read in this round. */
struct io_reading {
    int pid, parent;
    uint64_t started; /* in any unit: another process may get its id */
    const char *name; /* any name_len bytes; IO_MACHINE_NAME - 9 are kept */
    size_t name_len;
    bool readable;        /* else nothing of what follows is known */
    struct proc_io whole; /* the process's file, read before those of its threads */
    struct proc_io after; /* the same, read after them; only the first reading's is used */
    const struct io_thread *thread; /* in any order; NULL where io_machine_changed said false */
    size_t threads; /* 0 of such: it ended before they were read, and all that is new is its own */
};

enum { IO_MACHINE_REASON = 80 };

/* Of the round's end. */
struct io_round {
    uint64_t time_ns;
    bool has_devices;
    uint64_t device_read, device_written; /* bytes, since any time */
    bool has_wait;                        /* the kernel measures it */
    char unreadable[IO_MACHINE_REASON];   /* why processes were not readable; may be empty */
};

struct io_machine_row {
    int pid; /* 0: of several */
    char name[IO_MACHINE_NAME];
    bool of_ended; /* of its threads and children that ended, and were in no row of their own */
    struct proc_io io;
    uint64_t wait_ns;
};

struct io_machine_sum {
    uint64_t span_ns;
    struct proc_io io; /* of all rows */
    uint64_t wait_ns;
    bool has_devices, has_wait;
    uint64_t device_read, device_written;
    uint64_t unattributed;        /* of device_read, in no row */
    size_t processes, unreadable; /* in the last round */
    const char *why_unreadable;   /* m's */
};

struct io_machine *io_machine_new(void); /* NULL: no memory */
void io_machine_free(struct io_machine *m);

void io_machine_begin(struct io_machine *m);
/* Whether the threads of this process are needed: from pid, started, readable and whole. */
bool io_machine_changed(const struct io_machine *m, const struct io_reading *r);
void io_machine_add(struct io_machine *m, const struct io_reading *r);
void io_machine_end(struct io_machine *m, const struct io_round *round);
bool io_machine_failed(const struct io_machine *m); /* memory ended: rows are missing */

/* The rows that have anything, sorted: by bytes of devices and then of calls, by those read or
 * written, by calls, or by name. now: of the last round, else since the first one. The caller
 * frees. NULL, and 0: none, or no memory. */
size_t io_machine_rows(const struct io_machine *m, enum io_sort sort, bool now,
                       struct io_machine_row **row);
void io_machine_sum(const struct io_machine *m, bool now, struct io_machine_sum *out);

/* Appends a table of rows as report_fit cuts it, and lines of what devices did and was not
 * readable; as JSON one object. size->rows: the first ones, 0: all. */
struct io_machine_view {
    struct report_size size;
    enum io_sort sort;
    bool now;
};
void io_machine_text(const struct io_machine *m, const struct io_machine_view *view,
                     struct buf *out);
void io_machine_json(const struct io_machine *m, const struct io_machine_view *view,
                     struct buf *out);
