/*
 * perfrec: the records of a perf events ring, decoded. The kernel's ABI (perf_event_open(2),
 * linux/perf_event.h), as facts, so that core needs no system header. Records are in the byte order
 * of the machine that made them; all the machines psuite runs on are little-endian.
 */
#pragma once

#include "core/base/bytes.h"

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
    PERFREC_SWITCH = 14,
    PERFREC_SWITCH_CPU_WIDE = 15,
    PERFREC_CGROUP = 19,
};

/* What a sample carries: PERF_SAMPLE_* of perf_event_attr.sample_type. A part of the same set
 * trails every other record, when sample_id_all. */
enum perfrec_field {
    PERFREC_IP = 1 << 0,
    PERFREC_TID = 1 << 1,
    PERFREC_TIME = 1 << 2,
    PERFREC_ADDR = 1 << 3,
    PERFREC_READ = 1 << 4,
    PERFREC_CALLCHAIN = 1 << 5,
    PERFREC_ID = 1 << 6,
    PERFREC_CPU = 1 << 7,
    PERFREC_PERIOD = 1 << 8,
    PERFREC_STREAM_ID = 1 << 9,
    PERFREC_RAW = 1 << 10,
    PERFREC_BRANCHES = 1 << 11,
    PERFREC_REGS_USER = 1 << 12,
    PERFREC_STACK_USER = 1 << 13,
    PERFREC_WEIGHT = 1 << 14,
    PERFREC_DATA_SOURCE = 1 << 15,
    PERFREC_IDENTIFIER = 1 << 16,
    PERFREC_TRANSACTION = 1 << 17,
    PERFREC_REGS_INTERRUPTED = 1 << 18,
    PERFREC_PHYSICAL = 1 << 19,
    PERFREC_IN_CGROUP = 1 << 21,
    PERFREC_WEIGHTS = 1 << 24,
};

/* The layout of one event's records: as in its perf_event_attr. */
struct perfrec_format {
    uint64_t fields;        /* enum perfrec_field; others may follow what is decoded */
    uint64_t read_format;   /* of PERFREC_READ */
    uint64_t branch_fields; /* branch_sample_type */
    uint64_t regs_user;     /* a bit a register */
    uint64_t regs_interrupted;
    uint64_t period;    /* of samples that carry none */
    bool sample_id_all; /* other records have a trailer */
    bool mono;          /* times are of CLOCK_MONOTONIC */
};

/* In place of an address in a call chain: the mode of those that follow. */
enum { PERFREC_CHAIN_MARKS = 4095 }; /* the highest so many addresses are marks */
#define PERFREC_CHAIN_KERNEL ((uint64_t)-128)
#define PERFREC_CHAIN_USER   ((uint64_t)-512)

enum perfrec_mode {
    PERFREC_OTHER,
    PERFREC_KERNEL,
    PERFREC_USER,
    PERFREC_HYPERVISOR,
    PERFREC_GUEST_KERNEL,
    PERFREC_GUEST_USER
};

enum { PERFREC_HEADER_BYTES = 8, PERFREC_BUILD_ID_MAX = 20 };

struct perfrec_sample {
    uint64_t pc;
    uint64_t period;      /* so many events, or ns, since the last */
    const uint8_t *chain; /* addresses of 8 bytes, innermost first, with marks; NULL none */
    size_t chain_len;     /* addresses */
    const uint8_t *regs;  /* user registers, 8 bytes a bit of regs_user; NULL none */
    uint64_t regs_abi;    /* 1: of a 32-bit program, 2: of a 64-bit one */
    const uint8_t *stack; /* a copy of the user stack, from its pointer up */
    size_t stack_len;
};

struct perfrec_map {
    uint64_t start, len; /* addresses */
    uint64_t file_offset;
    bool executable; /* mapped for execution */
    uint32_t major, minor;
    uint64_t inode; /* 0 when a build-id is given instead */
    uint8_t build_id[PERFREC_BUILD_ID_MAX];
    size_t build_id_len; /* 0 = none */
};

struct perfrec_away {
    bool out;       /* off the CPU, else onto it */
    bool preempted; /* out: it could have run on (known since Linux 4.17) */
};

struct perfrec {
    enum perfrec_type type;
    uint32_t pid, tid;   /* of the task the record is about; FORK: the new one */
    uint32_t ppid, ptid; /* FORK only */
    uint64_t time;       /* ns of the event's clock; 0 when the record carries none */
    enum perfrec_mode mode;
    uint64_t id;   /* of the event; 0 when it carries none */
    uint8_t event; /* which of several it is: for who decodes to fill in; 0 */
    uint32_t cpu;
    uint64_t cgroup;  /* SAMPLE: the group that the task is in, 0: not known; CGROUP: the one that
                         name is the path of. Numbers are the kernel's. */
    uint64_t lost;    /* LOST: records */
    bool exec;        /* COMM: by an exec, not a mere renaming */
    const char *name; /* MMAP, CGROUP: path; COMM: name. Inside the record, terminated there. */
    struct perfrec_sample sample; /* SAMPLE */
    struct perfrec_map map;       /* MMAP */
    struct perfrec_away away;     /* SWITCH, either */
};

/* Size of the record at p, 0 when the avail bytes do not hold a whole, sane one. */
static inline size_t perfrec_size(const void *p, size_t avail)
{
    if (avail < PERFREC_HEADER_BYTES)
        return 0;
    size_t size = get_le16((const uint8_t *)p + 6);
    return size >= PERFREC_HEADER_BYTES && size <= avail ? size : 0;
}

/* Decodes one whole record of len bytes. False when its type is none of the above or it is too
 * short for what it says it holds. Pointers are into the record. */
bool perfrec_decode(const void *p, size_t len, const struct perfrec_format *format,
                    struct perfrec *out);

/* Where the samples of a format have what is in each, in bytes from their front; 0: nowhere. */
struct perfrec_layout {
    uint8_t pc, tid, time, id, cpu, period;
    uint8_t plain; /* length of a sample that has no other fields; 0: it has */
};
struct perfrec_layout perfrec_layout(const struct perfrec_format *format);

/* As perfrec_decode, of a sample of layout.plain bytes or more. Of out only what such a sample has
 * is written: the rest is zero before and stays so. */
void perfrec_decode_plain(const void *p, const struct perfrec_layout *layout,
                          const struct perfrec_format *format, struct perfrec *out);

/* Writes the record, decoded as r, with no more of its slice of stack than the kernel filled: into
 * out, which has room for len bytes. Returns its length; len itself, and nothing written, when
 * there is no slice or nothing to save. */
size_t perfrec_trim(const void *p, size_t len, const struct perfrec *r, void *out);

/* Where records of a format have their event's id: so many bytes from the front of a sample, from
 * the end of any other record; 0: nowhere. */
struct perfrec_id_place {
    uint32_t sample, other;
};
struct perfrec_id_place perfrec_id_place(const struct perfrec_format *format);

/* The event's id in a complete record, which says what the format is: only where every event has
 * PERFREC_IDENTIFIER, or PERFREC_ID in front of what differs. False when the record has none. */
static inline bool perfrec_id(const void *p, size_t len, const struct perfrec_id_place *place,
                              uint64_t *out)
{
    const uint8_t *bytes = p;
    bool sample = get_le32(bytes) == PERFREC_SAMPLE;
    size_t from = sample ? place->sample : place->other;
    size_t at = sample ? from : len - from;
    if (!from || from > len || at < PERFREC_HEADER_BYTES || len - at < 8)
        return false;
    *out = get_le64(bytes + at);
    return true;
}
