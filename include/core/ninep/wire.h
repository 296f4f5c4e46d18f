/*
 * ninep_wire: converts the messages of 9P2000 and its dialects .u and .L between bytes and struct
 * ninep_msg.
 *
 *     size[4] type[1] tag[2] fields, little-endian; size counts itself
 *
 * core/ninep/messages.def has each message's fields; one reader and one writer go by it. What a
 * message holds of variable length points into the bytes it was read from.
 *
 * Sources: Plan 9's intro(5); for .u Van Hensbergen's draft RFC; for .L the protocol notes of diod
 * and the Linux kernel's fs/9p.
 */
#pragma once

#include "core/base/buf.h"
#include "core/ns/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MESSAGE(name, number, word, ...) NINEP_##name = number,
enum ninep_type {
#include "core/ninep/messages.def"
};
#undef MESSAGE

enum {
    NINEP_HEAD = 7,     /* bytes before a message's fields */
    NINEP_IO_HEAD = 24, /* what a read or write has besides its data, as Plan 9 rounds it */
    NINEP_WALK_MAX = 16,
    NINEP_TYPES = 128,
    NINEP_NOTAG = 0xffff,
};
#define NINEP_NOFID 0xffffffffu

enum ninep_dialect { NINEP_PLAIN, NINEP_U, NINEP_L };

/* Kinds of file: the type of a qid, and the highest byte of a mode. */
enum { NINEP_DIR = 0x80, NINEP_APPEND = 0x40, NINEP_LINK = 0x02, NINEP_FILE = 0 };
#define NINEP_DMDIR    0x80000000u
#define NINEP_DMLINK   0x02000000u /* .u */
#define NINEP_DMDEVICE 0x00800000u
#define NINEP_DMPIPE   0x00200000u
#define NINEP_DMSOCKET 0x00100000u

/* Besides what core/ns/ns.h has of how a file is opened. */
enum { NINEP_EXEC = 3, NINEP_REMOVE_ON_CLOSE = 0x40 };

/* Not terminated; at is never NULL in a message that was read. */
struct ninep_text {
    const char *at;
    uint16_t len;
};
struct ninep_qid {
    uint8_t type;
    uint32_t version;
    uint64_t path;
};
struct ninep_lock {
    uint8_t kind; /* 0 read, 1 write, 2 none */
    uint32_t flags;
    uint64_t start, length;
    uint32_t pid;
    struct ninep_text client;
};

/* Of version, auth and attach. */
struct ninep_session {
    uint32_t msize, uid;
    struct ninep_text version, uname, aname;
};

/* Of messages that make a file. */
struct ninep_create {
    uint32_t mode, gid, major, minor;
    struct ninep_text target; /* of a symbolic link, also of one that is read; or a device, in .u */
};

struct ninep_walk {
    uint16_t count; /* of names or qids */
    struct ninep_text name[NINEP_WALK_MAX];
    struct ninep_qid qid[NINEP_WALK_MAX];
};

/* Of error and lerror. */
struct ninep_failure {
    struct ninep_text text;
    uint32_t code; /* a number of Linux's errno */
};

struct ninep_msg {
    uint8_t type;
    uint8_t how; /* of an open or create; how a lock was answered */
    uint16_t tag, oldtag;
    uint32_t fid, newfid; /* newfid: the second fid, of a directory, or of an authentication */
    uint32_t iounit, flags, set;
    uint64_t offset, length, valid;
    struct ninep_qid qid;
    struct ninep_text name, newname;
    uint32_t count;   /* of data, or to be read */
    const void *data; /* of a read or write, and a stat record with its own size before it */
    struct ninep_session session;
    struct ninep_create create;
    struct ninep_failure failure;
    struct ns_attr attr;
    struct ns_statfs fs;
    struct ninep_lock lock;
    struct ninep_walk walk; /* last, as its lists are not cleared before a message is read */
};

/* A whole message, size included in len. 0; -EPROTO: no such message, or not its fields alone; *m
 * is then undefined but for type and tag, when len >= NINEP_HEAD. */
int ninep_read(const void *bytes, size_t len, enum ninep_dialect dialect, struct ninep_msg *m);

/* Appends the message; what its type has no field for is passed over. -EINVAL: no such type, or
 * more names than a walk has. Lack of memory stays with out. */
int ninep_write(const struct ninep_msg *m, enum ninep_dialect dialect, struct buf *out);

/* "read" for both of its messages; NULL: no such type. */
const char *ninep_type_name(uint8_t type);

/* The size of the message that begins here: 0 while fewer than four bytes are there, -EPROTO when
 * it is shorter than a head or longer than msize. */
long ninep_message_size(const void *bytes, size_t len, uint32_t msize);

/* --- what directories and stat have inside --- */

struct ninep_stat {
    uint16_t kernel_type;
    uint32_t kernel_dev;
    struct ninep_qid qid;
    uint32_t mode, accessed, modified;
    uint64_t length;
    struct ninep_text name, owner, group, modifier;
    struct ninep_text target;       /* .u: of a symbolic link, or a device's kind and number */
    uint32_t uid, gid, modifier_id; /* .u */
};
/* A record with its size: how many bytes it had, or -EPROTO. */
long ninep_stat_read(const void *bytes, size_t len, enum ninep_dialect dialect,
                     struct ninep_stat *out);
/* -EMSGSIZE: it would be longer than a record can be. */
int ninep_stat_write(const struct ninep_stat *s, enum ninep_dialect dialect, struct buf *out);

/* An entry of a directory as .L has it; offset is where the next one is read. */
struct ninep_entry {
    struct ninep_qid qid;
    uint64_t offset;
    uint8_t kind; /* d_type of readdir(3) */
    struct ninep_text name;
};
long ninep_entry_read(const void *bytes, size_t len, struct ninep_entry *out);
void ninep_entry_write(const struct ninep_entry *e, struct buf *out);

/* --- texts --- */

/* What is too long for a text is cut. */
static inline struct ninep_text ninep_text(const char *s)
{
    size_t len = strlen(s);
    return (struct ninep_text){s, len > UINT16_MAX ? UINT16_MAX : (uint16_t)len};
}
static inline bool ninep_text_equals(struct ninep_text t, const char *s)
{
    return strlen(s) == t.len && memcmp(t.at, s, t.len) == 0;
}
/* The dialect of a version's string, and its string; false: none that is known. Of a version with
 * something behind a dot that is not known, it is the part before the dot. */
bool ninep_dialect(struct ninep_text version, enum ninep_dialect *out);
const char *ninep_dialect_name(enum ninep_dialect dialect);
