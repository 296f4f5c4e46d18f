/*
 * attr: the attributes of a file, and changes to them, for every file server: FUSE
 * (core/fuse/wire.h) and 9P (core/ninep/wire.h) encode it, the host's files (plat/tree.h) have it.
 * Members are as wide as the widest of these has them.
 */
#pragma once

#include <stdint.h>

/* Kinds of file in a mode, as stat(2) has them on Linux. */
enum {
    NS_S_KIND = 0170000,
    NS_S_SOCKET = 0140000,
    NS_S_LINK = 0120000,
    NS_S_FILE = 0100000,
    NS_S_BLOCK = 0060000,
    NS_S_DIR = 0040000,
    NS_S_CHAR = 0020000,
    NS_S_FIFO = 0010000,
};

struct ns_time {
    uint64_t s, ns; /* s: since 1970; before that it is negative, as int64_t */
};
struct ns_attr {
    uint64_t ino;
    uint32_t mode, uid, gid;                   /* mode with the kind of file */
    uint64_t links, size, block_bytes, blocks; /* blocks of 512 bytes */
    uint64_t device; /* of a device, as the Linux kernel packs it in 32 bits */
    struct ns_time accessed, modified, changed, born;
    uint64_t generation, version;
};

/* Bits of struct ns_change, as 9P2000.L has them; of each time, the second bit: to the one given,
 * else to now. */
enum {
    NS_SET_MODE = 1 << 0,
    NS_SET_UID = 1 << 1,
    NS_SET_GID = 1 << 2,
    NS_SET_SIZE = 1 << 3,
    NS_SET_ACCESSED = 1 << 4,
    NS_SET_MODIFIED = 1 << 5,
    NS_SET_CHANGED = 1 << 6, /* by itself: changes nothing else */
    NS_SET_ACCESSED_TO = 1 << 7,
    NS_SET_MODIFIED_TO = 1 << 8,
};
struct ns_change {
    uint32_t set;
    struct ns_attr to; /* mode: permission bits */
};

/* An entry of a directory that is read. */
struct ns_entry {
    uint64_t ino, next; /* next: the cookie of the entry behind it */
    uint32_t type;      /* d_type of readdir(3) */
    const char *name;
};

/* What a file system has. */
struct ns_statfs {
    uint32_t type, block_bytes, io_bytes; /* io_bytes: of a read that is fast */
    uint64_t blocks, free, available, files, free_files, id;
    uint32_t name_max;
};

/* A lock on the bytes start to end, both included; type: F_RDLCK, F_WRLCK, F_UNLCK of Linux. */
struct ns_lock {
    uint64_t start, end;
    uint32_t type, pid;
};
