/* Bodies of replies. */
#include "core/fuse/wire.h"

#include <string.h>

static uint8_t *write_u16(uint8_t *at, uint16_t v)
{
    memcpy(at, &v, sizeof v);
    return at + sizeof v;
}

static uint8_t *write_u32(uint8_t *at, uint32_t v)
{
    memcpy(at, &v, sizeof v);
    return at + sizeof v;
}

static uint8_t *write_u64(uint8_t *at, uint64_t v)
{
    memcpy(at, &v, sizeof v);
    return at + sizeof v;
}

static uint8_t *write_zeros(uint8_t *at, size_t n)
{
    memset(at, 0, n);
    return at + n;
}

static uint8_t *write_attr(uint8_t *at, const struct ns_attr *a)
{
    at = write_u64(at, a->ino);
    at = write_u64(at, a->size);
    at = write_u64(at, a->blocks);
    at = write_u64(at, a->accessed.s);
    at = write_u64(at, a->modified.s);
    at = write_u64(at, a->changed.s);
    at = write_u32(at, (uint32_t)a->accessed.ns);
    at = write_u32(at, (uint32_t)a->modified.ns);
    at = write_u32(at, (uint32_t)a->changed.ns);
    at = write_u32(at, a->mode);
    at = write_u32(at, (uint32_t)a->links);
    at = write_u32(at, a->uid);
    at = write_u32(at, a->gid);
    at = write_u32(at, (uint32_t)a->device);
    at = write_u32(at, (uint32_t)a->block_bytes);
    return write_u32(at, 0);
}

static size_t written_len(const void *from, const uint8_t *to)
{
    return (size_t)(to - (const uint8_t *)from);
}

/* Before protocol 7.23 it ended behind max_write. */
size_t fuse_body_init(void *to, const struct fuse_init *init)
{
    uint8_t *at = write_u32(to, 7);
    at = write_u32(at, init->minor);
    at = write_u32(at, 128 << 10); /* readahead, of mapped files */
    at = write_u32(at, (uint32_t)init->flags);
    at = write_u16(at, 64); /* concurrent background requests */
    at = write_u16(at, 48); /* and when that is called congested */
    at = write_u32(at, init->max_write);
    if (init->minor < 23)
        return written_len(to, at);
    at = write_u32(at, 1); /* times in ns */
    at = write_u16(at, (uint16_t)init->max_pages);
    at = write_u16(at, 0);
    at = write_u32(at, (uint32_t)(init->flags >> 32));
    at = write_u32(at, init->stack_depth);
    return written_len(to, write_zeros(at, 24));
}

size_t fuse_body_entry(void *to, uint64_t node, struct fuse_valid valid, const struct ns_attr *attr)
{
    uint8_t *at = write_u64(to, node);
    at = write_u64(at, 0); /* generation */
    at = write_u64(at, valid.entry_s);
    at = write_u64(at, valid.attr_s);
    at = write_zeros(at, 4 + 4); /* their nanoseconds */
    return written_len(to, write_attr(at, attr));
}

size_t fuse_body_absent(void *to, uint64_t entry_s)
{
    return fuse_body_entry(to, 0, (struct fuse_valid){.entry_s = entry_s}, &(struct ns_attr){0});
}

size_t fuse_body_attr(void *to, uint64_t attr_s, const struct ns_attr *attr)
{
    return written_len(to, write_attr(write_zeros(write_u64(to, attr_s), 8), attr));
}

size_t fuse_body_open(void *to, uint64_t fh, uint32_t flags, int32_t backing)
{
    return written_len(to, write_u32(write_u32(write_u64(to, fh), flags), (uint32_t)backing));
}

size_t fuse_body_count(void *to, uint32_t n)
{
    return written_len(to, write_u32(write_u32(to, n), 0));
}

size_t fuse_body_offset(void *to, uint64_t off)
{
    return written_len(to, write_u64(to, off));
}

size_t fuse_body_lock(void *to, const struct ns_lock *lock)
{
    uint8_t *at = write_u64(to, lock->start);
    return written_len(to, write_u32(write_u32(write_u64(at, lock->end), lock->type), lock->pid));
}

size_t fuse_body_statfs(void *to, const struct ns_statfs *s)
{
    uint8_t *at = write_u64(to, s->blocks);
    at = write_u64(at, s->free);
    at = write_u64(at, s->available);
    at = write_u64(at, s->files);
    at = write_u64(at, s->free_files);
    at = write_u32(at, s->io_bytes);
    at = write_u32(at, s->name_max);
    at = write_u32(at, s->block_bytes);
    return written_len(to, write_zeros(at, 4 + 24));
}

size_t fuse_body_dirent(void *to, size_t avail, const struct ns_entry *e)
{
    size_t name = strlen(e->name), bytes = 24 + name, whole = (bytes + 7) & ~(size_t)7;
    if (whole > avail)
        return 0;
    uint8_t *at = write_u64(to, e->ino);
    at = write_u64(at, e->next);
    at = write_u32(at, (uint32_t)name);
    at = write_u32(at, e->type);
    memcpy(at, e->name, name);
    write_zeros(at + name, whole - bytes);
    return whole;
}

void fuse_reply_head(void *to, uint64_t unique, int error, size_t body)
{
    write_u64(write_u32(write_u32(to, (uint32_t)(FUSE_HEAD_OUT + body)), (uint32_t)error), unique);
}
