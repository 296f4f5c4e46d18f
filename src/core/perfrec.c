#include "core/perfrec.h"

#include "core/bytes.h"

enum {
    MISC_CPUMODE = 7,
    MISC_CPUMODE_USER = 2,
    MISC_MMAP_DATA = 1 << 13,
    MISC_COMM_EXEC = 1 << 13,
    MISC_MMAP_BUILD_ID = 1 << 14,
    PROT_EXECUTE = 4,
};

/* Reads a record's body from front to back; once it runs over, everything reads 0 and ok is false.
 */
struct cursor {
    const uint8_t *at, *end;
    bool ok;
};

static const uint8_t *take(struct cursor *c, size_t n)
{
    static const uint8_t zeros[8];
    if (!c->ok || (size_t)(c->end - c->at) < n) {
        c->ok = false;
        return zeros;
    }
    c->at += n;
    return c->at - n;
}

static uint32_t u32(struct cursor *c)
{
    return get_le32(take(c, 4));
}

static uint64_t u64(struct cursor *c)
{
    return get_le64(take(c, 8));
}

static void pair(struct cursor *c, uint32_t *a, uint32_t *b)
{
    *a = u32(c);
    *b = u32(c);
}

size_t perfrec_size(const void *p, size_t avail)
{
    if (avail < PERFREC_HEADER_BYTES)
        return 0;
    size_t size = get_le16((const uint8_t *)p + 6);
    return size >= PERFREC_HEADER_BYTES && size <= avail ? size : 0;
}

static size_t trailer_bytes(unsigned fields)
{
    return (fields & PERFREC_TID ? 8 : 0) + (fields & PERFREC_TIME ? 8 : 0);
}

/* The trailer of a record that is no sample: the same fields, at its end. Takes it off the cursor's
 * end. */
static void trailer(struct cursor *c, unsigned fields, struct perfrec *r)
{
    size_t n = trailer_bytes(fields);
    if ((size_t)(c->end - c->at) < n) {
        c->ok = false;
        return;
    }
    struct cursor t = {c->end - n, c->end, true};
    c->end -= n;
    if (fields & PERFREC_TID)
        pair(&t, &r->pid, &r->tid);
    if (fields & PERFREC_TIME)
        r->time = u64(&t);
}

static void sample(struct cursor *c, unsigned fields, unsigned misc, struct perfrec *r)
{
    r->user = (misc & MISC_CPUMODE) == MISC_CPUMODE_USER;
    if (fields & PERFREC_IP)
        r->pc = u64(c);
    if (fields & PERFREC_TID)
        pair(c, &r->pid, &r->tid);
    if (fields & PERFREC_TIME)
        r->time = u64(c);
}

static const char *name(struct cursor *c)
{
    const char *s = (const char *)c->at;
    if (!c->ok || !memchr(s, '\0', (size_t)(c->end - c->at)))
        c->ok = false;
    return s;
}

static void file_identity(struct cursor *c, unsigned misc, struct perfrec *r)
{
    if (misc & MISC_MMAP_BUILD_ID) {
        size_t len = *take(c, 1);
        take(c, 3);
        const uint8_t *id = take(c, 8);
        const uint8_t *id2 = take(c, 8);
        const uint8_t *id3 = take(c, 4);
        if (len > PERFREC_BUILD_ID_MAX)
            len = PERFREC_BUILD_ID_MAX;
        memcpy(r->build_id, id, 8);
        memcpy(r->build_id + 8, id2, 8);
        memcpy(r->build_id + 16, id3, 4);
        r->build_id_len = len;
        return;
    }
    pair(c, &r->major, &r->minor);
    r->inode = u64(c);
    r->generation = u64(c);
}

static void mapping(struct cursor *c, unsigned misc, struct perfrec *r)
{
    pair(c, &r->pid, &r->tid);
    r->start = u64(c);
    r->len = u64(c);
    r->file_offset = u64(c);
    r->executable = !(misc & MISC_MMAP_DATA);
    if (r->type == PERFREC_MMAP2) {
        file_identity(c, misc, r);
        r->executable = u32(c) & PROT_EXECUTE;
        u32(c); /* flags */
    }
    r->name = name(c);
}

static void task(struct cursor *c, struct perfrec *r)
{
    pair(c, &r->pid, &r->ppid);
    pair(c, &r->tid, &r->ptid);
    r->time = u64(c);
}

bool perfrec_decode(const void *p, size_t len, unsigned fields, struct perfrec *r)
{
    const uint8_t *bytes = p;
    if (len == 0 || perfrec_size(p, len) != len)
        return false;
    unsigned misc = get_le16(bytes + 4);
    struct cursor c = {bytes + PERFREC_HEADER_BYTES, bytes + len, true};
    *r = (struct perfrec){.type = (enum perfrec_type)get_le32(bytes)};
    if (r->type == PERFREC_SAMPLE)
        sample(&c, fields, misc, r);
    else
        trailer(&c, fields, r);
    switch (r->type) {
    case PERFREC_SAMPLE:
        break;
    case PERFREC_MMAP:
    case PERFREC_MMAP2:
        mapping(&c, misc, r);
        break;
    case PERFREC_COMM:
        r->exec = misc & MISC_COMM_EXEC;
        pair(&c, &r->pid, &r->tid);
        r->name = name(&c);
        break;
    case PERFREC_FORK:
    case PERFREC_EXIT:
        task(&c, r);
        break;
    case PERFREC_LOST:
        u64(&c); /* id */
        r->lost = u64(&c);
        break;
    case PERFREC_THROTTLE:
    case PERFREC_UNTHROTTLE:
        break;
    default:
        return false;
    }
    return c.ok;
}
