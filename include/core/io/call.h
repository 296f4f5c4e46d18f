/*
 * io_call: the system calls on files, their arguments, and the operation of iostats(4) that each
 * counts as. Numbers are of the kernel's tables (asm/unistd*.h), by architecture; x32 is not among
 * them.
 *
 *   open creat openat2 open_by_handle_at   open; with O_CREAT create
 *   mkdir mknod symlink link               create
 *   read pread readv getdents              read, of the bytes returned
 *   write pwrite writev                    write
 *   sendfile splice copy_file_range        a read of one file and a write of the other
 *   close close_range                      clunk
 *   unlink rmdir                           remove
 *   stat fstat statx statfs                stat
 *   access chdir                           walk: they only look a name up
 *   rename chmod chown utime truncate      wstat; so do fallocate and fsync
 *
 * dup and fcntl count as no operation: they are followed to know what a descriptor is. lseek,
 * readlink and extended attributes are not even followed: 9P has no such thing. What mmap, io_uring
 * and io_submit move is not seen here.
 */
#pragma once

#include "core/io/counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum io_arch { IO_X86_64, IO_I386, IO_ARM64, IO_ARM, IO_ARCHES };

enum io_call_kind {
    IO_CALL_OPEN, /* returns a descriptor */
    IO_CALL_CLOSE,
    IO_CALL_CLOSE_RANGE,
    IO_CALL_READ,
    IO_CALL_WRITE,
    IO_CALL_COPY,
    IO_CALL_NAME, /* counted; no descriptor is looked at */
    IO_CALL_DUP,
    IO_CALL_FCNTL, /* of F_DUPFD and F_DUPFD_CLOEXEC alone */
    IO_CALL_MAP,   /* of files alone */
    IO_CALL_ASYNC, /* starts what is not seen */
    IO_CALL_TRACE, /* ptrace: one that is traced already cannot be by another */
    IO_CALL_UNSHARE,
    IO_CALL_CPUS, /* where a thread may run: not counted, but who traces must know */
};

struct io_call {
    const char *name;
    int16_t number[IO_ARCHES]; /* -1: none */
    enum io_call_kind kind;
    enum io_message message; /* IO_MESSAGES: none */
    int8_t fd, other; /* which arguments; -1: none. other: the second descriptor, open's flags,
                         fcntl's command, the end of a range */
    int8_t path, at;  /* the arguments that name a file, and the directory from which; -1: none. Of
                         two names the first; of symlink the link's */
};

/* The row of a number in the table of arch; NULL: not about files. */
const struct io_call *io_call_find(enum io_arch arch, uint64_t number);

/* All rows, in no order. */
const struct io_call *io_call_rows(size_t *n);

/* A call with what it was given and, when it has ended, what it returned. */
struct io_called {
    const struct io_call *call;
    uint64_t arg[6];
    int64_t result;            /* -errno when it failed */
    uint64_t how;              /* of openat2: flags, which are not among the arguments */
    uint64_t start_ns, end_ns; /* on one clock */
    int file[2];               /* kept by core/io/files.h from its begin to its end */
};

/* Descriptors are 32 bits wide, whatever the register's upper half holds. */
int io_called_fd(const struct io_called *c);
int io_called_other(const struct io_called *c);
enum io_message io_called_message(const struct io_called *c);

/* Where openat2 has its flags: 8 bytes of the program's memory; 0: of any other call. */
uint64_t io_called_how_addr(const struct io_called *c);

/* Where the program's memory has the name of the file; 0: the call has none. */
uint64_t io_called_path_addr(const struct io_called *c);
/* The directory that a relative name begins at: a descriptor, or IO_CALL_CWD. */
enum { IO_CALL_CWD = -100 }; /* AT_FDCWD */
int io_called_directory(const struct io_called *c);

/* The descriptor that is now a copy of io_called_fd's; -1: none. */
int io_called_copy(const struct io_called *c);

/* A call that was interrupted and will be made again by the kernel: it has not ended. */
bool io_called_restarts(const struct io_called *c);
