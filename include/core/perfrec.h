/*
 * perfrec: the records of a perf events ring, decoded. The kernel's ABI (perf_event_open(2),
 * linux/perf_event.h), as facts, so that core needs no system header. Records are in the byte order
 * of the machine that made them; all the machines psuite runs on are little-endian.
 */
#ifndef PSUITE_CORE_PERFREC_H
#define PSUITE_CORE_PERFREC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum perfrec_type {
    PERFREC_MMAP = 1,
    PERFREC_LOST = 2,
    PERFREC_COMM = 3,
    PERFREC_EXIT = 4,
    PERFREC_THROTTLE = 5,
    PERFREC_UNTHROTTLE = 6,
    PERFREC_FORK = 7,
    PERFREC_SAMPLE = 9,
    PERFREC_MMAP2 = 10,
};

/* What a sample carries, in this order; the same set, less the pc, trails every other record. */
enum perfrec_field {
    PERFREC_IP = 1 << 0,
    PERFREC_TID = 1 << 1,
    PERFREC_TIME = 1 << 2,
};

enum { PERFREC_HEADER_BYTES = 8, PERFREC_BUILD_ID_MAX = 20 };

struct perfrec {
    enum perfrec_type type;
    uint32_t pid, tid;   /* of the task the record is about; FORK: the new one */
    uint32_t ppid, ptid; /* FORK only */
    uint64_t time;       /* 0 when the record carries none */
    uint64_t pc;         /* SAMPLE */
    bool user;           /* SAMPLE: taken in user mode */
    uint64_t lost;       /* LOST: records */
    uint64_t start, len; /* MMAP: addresses */
    uint64_t file_offset;
    bool executable; /* MMAP: mapped for execution */
    uint32_t major, minor;
    uint64_t inode, generation; /* 0 when a build-id stands in their place */
    uint8_t build_id[PERFREC_BUILD_ID_MAX];
    size_t build_id_len; /* 0 = none */
    bool exec;           /* COMM: by an exec, not a mere renaming */
    const char *name;    /* MMAP: path; COMM: name. Inside the record, terminated there. */
};

/* Size of the record at p, 0 when the avail bytes do not hold a whole, sane one. */
size_t perfrec_size(const void *p, size_t avail);

/* Decodes one whole record of len bytes, with those fields. False when its type is none of the
 * above or it is too short for what it says it holds. */
bool perfrec_decode(const void *p, size_t len, unsigned fields, struct perfrec *out);

#endif
