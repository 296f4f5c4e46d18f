#include "core/perf/perfrec.h"

#include "core/base/bytes.h"

enum {
    MISC_CPUMODE = 7,
    MISC_MMAP_DATA = 1 << 13,
    MISC_COMM_EXEC = 1 << 13,
    MISC_MMAP_BUILD_ID = 1 << 14,
    MISC_SWITCH_OUT = 1 << 13,
    MISC_SWITCH_PREEMPTED = 1 << 14,
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

/* n things of each bytes. */
static const uint8_t *take_many(struct cursor *c, uint64_t n, size_t each)
{
    if (n > (uint64_t)(c->end - c->at) / each)
        c->ok = false;
    return take(c, c->ok ? (size_t)n * each : 0);
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

/* --- what trails a record that is no sample --- */

static const uint64_t trailing[] = {PERFREC_TID,       PERFREC_TIME, PERFREC_ID,
                                    PERFREC_STREAM_ID, PERFREC_CPU,  PERFREC_IDENTIFIER};

static size_t trailer_bytes(const struct perfrec_format *f)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof trailing / sizeof *trailing; i++)
        n += f->fields & trailing[i] ? 8 : 0;
    return f->sample_id_all ? n : 0;
}

/* Takes it off the cursor's end. */
static void trailer(struct cursor *c, const struct perfrec_format *f, struct perfrec *r)
{
    size_t n = trailer_bytes(f);
    if ((size_t)(c->end - c->at) < n) {
        c->ok = false;
        return;
    }
    struct cursor t = {c->end - n, c->end, true};
    c->end -= n;
    if (!f->sample_id_all)
        return;
    if (f->fields & PERFREC_TID)
        pair(&t, &r->pid, &r->tid);
    if (f->fields & PERFREC_TIME)
        r->time = u64(&t);
    if (f->fields & PERFREC_ID)
        r->id = u64(&t);
    if (f->fields & PERFREC_STREAM_ID)
        u64(&t);
    if (f->fields & PERFREC_CPU)
        r->cpu = (uint32_t)u64(&t);
    if (f->fields & PERFREC_IDENTIFIER)
        r->id = u64(&t);
}

/* --- samples --- */

enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

static void skip_read(struct cursor *c, uint64_t format)
{
    unsigned times = !!(format & READ_ENABLED) + !!(format & READ_RUNNING);
    unsigned each = 1 + !!(format & READ_ID) + !!(format & READ_LOST);
    uint64_t values = 1;
    if (format & READ_GROUP)
        values = u64(c);
    take_many(c, times, 8);
    take_many(c, values, each * 8);
}

/* The event's own fields come behind: address, its and its stream's ids, the CPU, the period. */
static void sample_ids(struct cursor *c, uint64_t fields, struct perfrec *r)
{
    if (fields & PERFREC_ADDR)
        u64(c);
    if (fields & PERFREC_ID)
        r->id = u64(c);
    if (fields & PERFREC_STREAM_ID)
        u64(c);
    if (fields & PERFREC_CPU)
        r->cpu = (uint32_t)u64(c);
    if (fields & PERFREC_PERIOD)
        r->period = u64(c);
}

enum { BRANCH_HW_INDEX = 1 << 17 };

static void skip_branches(struct cursor *c, uint64_t branch_fields)
{
    uint64_t n = u64(c);
    if (branch_fields & BRANCH_HW_INDEX)
        u64(c);
    take_many(c, n, 24);
}

static void user_registers(struct cursor *c, uint64_t registers, struct perfrec *r)
{
    r->regs_abi = u64(c); /* 0: the thread had no user registers */
    if (r->regs_abi)
        r->regs = take_many(c, (unsigned)__builtin_popcountll(registers), 8);
}

/* The copy has room for what was asked; its last word says how much of it was filled. */
static void user_stack(struct cursor *c, struct perfrec *r)
{
    uint64_t room = u64(c);
    const uint8_t *bytes = take_many(c, room, 1);
    uint64_t filled = room ? u64(c) : 0;
    if (filled <= room && c->ok) {
        r->stack = bytes;
        r->stack_len = (size_t)filled;
    }
}

static void sample(struct cursor *c, const struct perfrec_format *f, struct perfrec *r)
{
    r->period = f->period;
    if (f->fields & PERFREC_IDENTIFIER)
        r->id = u64(c);
    if (f->fields & PERFREC_IP)
        r->pc = u64(c);
    if (f->fields & PERFREC_TID)
        pair(c, &r->pid, &r->tid);
    if (f->fields & PERFREC_TIME)
        r->time = u64(c);
    sample_ids(c, f->fields, r);
    if (f->fields & PERFREC_READ)
        skip_read(c, f->read_format);
    if (f->fields & PERFREC_CALLCHAIN) {
        uint64_t n = u64(c);
        r->chain = take_many(c, n, 8);
        r->chain_len = c->ok ? (size_t)n : 0;
    }
    if (f->fields & PERFREC_RAW)
        take_many(c, u32(c), 1);
    if (f->fields & PERFREC_BRANCHES)
        skip_branches(c, f->branch_fields);
    if (f->fields & PERFREC_REGS_USER)
        user_registers(c, f->regs_user, r);
    if (f->fields & PERFREC_STACK_USER)
        user_stack(c, r);
}

/* --- the rest --- */

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
    u64(c); /* generation */
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

/* What its kind alone has; false: nobody here reads that kind. */
static bool body(struct cursor *c, unsigned misc, struct perfrec *r)
{
    switch (r->type) {
    case PERFREC_MMAP:
    case PERFREC_MMAP2:
        mapping(c, misc, r);
        return true;
    case PERFREC_COMM:
        r->exec = misc & MISC_COMM_EXEC;
        pair(c, &r->pid, &r->tid);
        r->name = name(c);
        return true;
    case PERFREC_FORK:
    case PERFREC_EXIT:
        task(c, r);
        return true;
    case PERFREC_LOST:
        u64(c); /* id */
        r->lost = u64(c);
        return true;
    case PERFREC_SWITCH:
    case PERFREC_SWITCH_CPU_WIDE: /* behind it: who comes, or came */
        r->out = misc & MISC_SWITCH_OUT;
        r->preempted = r->out && (misc & MISC_SWITCH_PREEMPTED);
        return true;
    case PERFREC_SAMPLE:
    case PERFREC_THROTTLE:
    case PERFREC_UNTHROTTLE:
        return true;
    }
    return false;
}

bool perfrec_decode(const void *p, size_t len, const struct perfrec_format *f, struct perfrec *r)
{
    const uint8_t *bytes = p;
    if (len == 0 || perfrec_size(p, len) != len)
        return false;
    unsigned misc = get_le16(bytes + 4);
    struct cursor c = {bytes + PERFREC_HEADER_BYTES, bytes + len, true};
    *r = (struct perfrec){.type = (enum perfrec_type)get_le32(bytes), .mode = misc & MISC_CPUMODE};
    if (r->type == PERFREC_SAMPLE)
        sample(&c, f, r);
    else
        trailer(&c, f, r);
    return body(&c, misc, r) && c.ok;
}

bool perfrec_id(const void *p, size_t len, const struct perfrec_format *f, uint64_t *out)
{
    const uint8_t *bytes = p;
    size_t at, n;
    if (len == 0 || perfrec_size(p, len) != len)
        return false;
    if (get_le32(bytes) != PERFREC_SAMPLE) { /* behind the id: stream id, CPU, identifier */
        n = f->fields & PERFREC_IDENTIFIER
                ? 8
                : 8 + (f->fields & PERFREC_STREAM_ID ? 8 : 0) + (f->fields & PERFREC_CPU ? 8 : 0);
        if (!f->sample_id_all)
            return false;
        at = len - (n < len ? n : len);
    } else if (f->fields & PERFREC_IDENTIFIER) {
        at = PERFREC_HEADER_BYTES;
    } else {
        at = PERFREC_HEADER_BYTES;
        for (uint64_t field = PERFREC_IP; field <= PERFREC_ADDR; field <<= 1)
            at += f->fields & field ? 8 : 0;
    }
    if (!(f->fields & (PERFREC_ID | PERFREC_IDENTIFIER)) || at < PERFREC_HEADER_BYTES ||
        len - at < 8)
        return false;
    *out = get_le64(bytes + at);
    return true;
}

size_t perfrec_trim(const void *p, size_t len, const struct perfrec *r, void *out)
{
    const uint8_t *from = p;
    uint8_t *to = out;
    size_t head = r->stack ? (size_t)(r->stack - from) : len, filled = (r->stack_len + 7) & ~7ul;
    size_t trimmed = head + filled + 8;
    if (!r->stack || trimmed >= len)
        return len;
    memcpy(to, from, head + filled);
    put_le16(to + 6, (uint16_t)trimmed);
    put_le64(to + head - 8, filled);
    put_le64(to + head + filled, r->stack_len);
    return trimmed;
}
