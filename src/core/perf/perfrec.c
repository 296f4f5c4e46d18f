#include "core/perf/perfrec.h"

#include "core/base/cursor.h"

enum {
    MISC_CPUMODE = 7,
    MISC_MMAP_DATA = 1 << 13,
    MISC_COMM_EXEC = 1 << 13,
    MISC_MMAP_BUILD_ID = 1 << 14,
    MISC_SWITCH_OUT = 1 << 13,
    MISC_SWITCH_PREEMPTED = 1 << 14,
    PROT_EXECUTE = 4,
};

static void read_u32_pair(struct cursor *c, uint32_t *a, uint32_t *b)
{
    *a = cursor_u32(c);
    *b = cursor_u32(c);
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
static void read_trailer(struct cursor *c, const struct perfrec_format *f, struct perfrec *r)
{
    size_t n = trailer_bytes(f);
    if (cursor_left(c) < n) {
        c->bad = true;
        return;
    }
    struct cursor t = cursor_of(c->end - n, n);
    c->end -= n;
    if (!f->sample_id_all)
        return;
    if (f->fields & PERFREC_TID)
        read_u32_pair(&t, &r->pid, &r->tid);
    if (f->fields & PERFREC_TIME)
        r->time = cursor_u64(&t);
    if (f->fields & PERFREC_ID)
        r->id = cursor_u64(&t);
    if (f->fields & PERFREC_STREAM_ID)
        cursor_u64(&t);
    if (f->fields & PERFREC_CPU)
        r->cpu = (uint32_t)cursor_u64(&t);
    if (f->fields & PERFREC_IDENTIFIER)
        r->id = cursor_u64(&t);
}

/* --- samples --- */

enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

static void skip_read(struct cursor *c, uint64_t format)
{
    unsigned times = !!(format & READ_ENABLED) + !!(format & READ_RUNNING);
    unsigned each = 1 + !!(format & READ_ID) + !!(format & READ_LOST);
    uint64_t values = 1;
    if (format & READ_GROUP)
        values = cursor_u64(c);
    cursor_array(c, times, 8);
    cursor_array(c, values, each * 8);
}

/* The event's own fields come behind: address, its and its stream's ids, the CPU, the period. */
static void sample_ids(struct cursor *c, uint64_t fields, struct perfrec *r)
{
    if (fields & PERFREC_ADDR)
        cursor_u64(c);
    if (fields & PERFREC_ID)
        r->id = cursor_u64(c);
    if (fields & PERFREC_STREAM_ID)
        cursor_u64(c);
    if (fields & PERFREC_CPU)
        r->cpu = (uint32_t)cursor_u64(c);
    if (fields & PERFREC_PERIOD)
        r->sample.period = cursor_u64(c);
}

enum { BRANCH_HW_INDEX = 1 << 17 };

static void skip_branches(struct cursor *c, uint64_t branch_fields)
{
    uint64_t n = cursor_u64(c);
    if (branch_fields & BRANCH_HW_INDEX)
        cursor_u64(c);
    cursor_array(c, n, 24);
}

static void user_registers(struct cursor *c, uint64_t registers, struct perfrec *r)
{
    r->sample.regs_abi = cursor_u64(c); /* 0: the thread had no user registers */
    if (r->sample.regs_abi)
        r->sample.regs = cursor_array(c, (unsigned)__builtin_popcountll(registers), 8);
}

/* The copy is as large as requested; its last word is the number of bytes filled. */
static void user_stack(struct cursor *c, struct perfrec *r)
{
    uint64_t size = cursor_u64(c);
    const uint8_t *bytes = cursor_array(c, size, 1);
    uint64_t filled = size ? cursor_u64(c) : 0;
    if (filled <= size && !c->bad) {
        r->sample.stack = bytes;
        r->sample.stack_len = (size_t)filled;
    }
}

/* Of what comes behind the stack, the control group alone is wanted. */
static void read_cgroup(struct cursor *c, const struct perfrec_format *f, struct perfrec *r)
{
    static const uint64_t words[] = {PERFREC_WEIGHT | PERFREC_WEIGHTS, PERFREC_DATA_SOURCE,
                                     PERFREC_TRANSACTION};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (f->fields & words[i])
            cursor_u64(c);
    if (f->fields & PERFREC_REGS_INTERRUPTED && cursor_u64(c))
        cursor_array(c, (unsigned)__builtin_popcountll(f->regs_interrupted), 8);
    if (f->fields & PERFREC_PHYSICAL)
        cursor_u64(c);
    r->cgroup = cursor_u64(c);
}

static void read_sample(struct cursor *c, const struct perfrec_format *f, struct perfrec *r)
{
    r->sample.period = f->period;
    if (f->fields & PERFREC_IDENTIFIER)
        r->id = cursor_u64(c);
    if (f->fields & PERFREC_IP)
        r->sample.pc = cursor_u64(c);
    if (f->fields & PERFREC_TID)
        read_u32_pair(c, &r->pid, &r->tid);
    if (f->fields & PERFREC_TIME)
        r->time = cursor_u64(c);
    sample_ids(c, f->fields, r);
    if (f->fields & PERFREC_READ)
        skip_read(c, f->read_format);
    if (f->fields & PERFREC_CALLCHAIN) {
        uint64_t n = cursor_u64(c);
        r->sample.chain = cursor_array(c, n, 8);
        r->sample.chain_len = c->bad ? 0 : (size_t)n;
    }
    if (f->fields & PERFREC_RAW)
        cursor_array(c, cursor_u32(c), 1);
    if (f->fields & PERFREC_BRANCHES)
        skip_branches(c, f->branch_fields);
    if (f->fields & PERFREC_REGS_USER)
        user_registers(c, f->regs_user, r);
    if (f->fields & PERFREC_STACK_USER)
        user_stack(c, r);
    if (f->fields & PERFREC_IN_CGROUP)
        read_cgroup(c, f, r);
}

/* --- the rest --- */

/* The mark alone proves nothing: Linux, 6.18 among them, leaves it on a record for one event when
 * another event, which asked for build-ids, was given the same record before. There the first byte
 * is of the device's major number: a length only from 1 to 20. */
static bool has_build_id(const struct cursor *c, unsigned misc)
{
    size_t len = c->at < c->end ? *c->at : 0;
    return (misc & MISC_MMAP_BUILD_ID) && len > 0 && len <= PERFREC_BUILD_ID_MAX;
}

static void file_identity(struct cursor *c, unsigned misc, struct perfrec *r)
{
    if (has_build_id(c, misc)) {
        size_t len = cursor_u8(c);
        cursor_bytes(c, 3);
        const uint8_t *id = cursor_bytes(c, PERFREC_BUILD_ID_MAX);
        if (id)
            memcpy(r->map.build_id, id, PERFREC_BUILD_ID_MAX);
        r->map.build_id_len = len;
        return;
    }
    read_u32_pair(c, &r->map.major, &r->map.minor);
    r->map.inode = cursor_u64(c);
    cursor_u64(c); /* generation */
}

static void read_mmap(struct cursor *c, unsigned misc, struct perfrec *r)
{
    read_u32_pair(c, &r->pid, &r->tid);
    r->map.start = cursor_u64(c);
    r->map.len = cursor_u64(c);
    r->map.file_offset = cursor_u64(c);
    r->map.executable = !(misc & MISC_MMAP_DATA);
    if (r->type == PERFREC_MMAP2) {
        file_identity(c, misc, r);
        r->map.executable = cursor_u32(c) & PROT_EXECUTE;
        cursor_u32(c); /* flags */
    }
    r->name = cursor_string(c);
}

static void read_task(struct cursor *c, struct perfrec *r)
{
    read_u32_pair(c, &r->pid, &r->ppid);
    read_u32_pair(c, &r->tid, &r->ptid);
    r->time = cursor_u64(c);
}

/* The fields of its type; false: the type is not read here. */
static bool read_body(struct cursor *c, unsigned misc, struct perfrec *r)
{
    switch (r->type) {
    case PERFREC_MMAP:
    case PERFREC_MMAP2:
        read_mmap(c, misc, r);
        return true;
    case PERFREC_COMM:
        r->exec = misc & MISC_COMM_EXEC;
        read_u32_pair(c, &r->pid, &r->tid);
        r->name = cursor_string(c);
        return true;
    case PERFREC_FORK:
    case PERFREC_EXIT:
        read_task(c, r);
        return true;
    case PERFREC_LOST:
        cursor_u64(c); /* id */
        r->lost = cursor_u64(c);
        return true;
    case PERFREC_SWITCH:
    case PERFREC_SWITCH_CPU_WIDE: /* then pid and tid of the next or the previous task */
        r->away.out = misc & MISC_SWITCH_OUT;
        r->away.preempted = r->away.out && (misc & MISC_SWITCH_PREEMPTED);
        return true;
    case PERFREC_CGROUP:
        r->cgroup = cursor_u64(c);
        r->name = cursor_string(c);
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
    struct cursor c = cursor_of(bytes + PERFREC_HEADER_BYTES, len - PERFREC_HEADER_BYTES);
    *r = (struct perfrec){.type = (enum perfrec_type)get_le32(bytes), .mode = misc & MISC_CPUMODE};
    if (r->type == PERFREC_SAMPLE)
        read_sample(&c, f, r);
    else
        read_trailer(&c, f, r);
    return read_body(&c, misc, r) && !c.bad;
}

static uint32_t count_bytes(uint64_t fields)
{
    return 8 * (uint32_t)__builtin_popcountll(fields);
}

/* In this order; behind them are those whose length is not always the same. */
static const uint64_t leading[] = {PERFREC_IDENTIFIER, PERFREC_IP,   PERFREC_TID,
                                   PERFREC_TIME,       PERFREC_ADDR, PERFREC_ID,
                                   PERFREC_STREAM_ID,  PERFREC_CPU,  PERFREC_PERIOD};

struct perfrec_layout perfrec_layout(const struct perfrec_format *f)
{
    struct perfrec_layout out = {0};
    uint8_t *const at[] = {&out.id, &out.pc, &out.tid, &out.time,  NULL,
                           &out.id, NULL,    &out.cpu, &out.period};
    uint64_t known = 0;
    uint8_t len = PERFREC_HEADER_BYTES;
    for (size_t i = 0; i < sizeof leading / sizeof *leading; i++) {
        known |= leading[i];
        if (!(f->fields & leading[i]))
            continue;
        if (at[i])
            *at[i] = len;
        len += 8;
    }
    out.plain = f->fields & ~known ? 0 : len;
    return out;
}

static uint64_t u64_at(const uint8_t *bytes, uint8_t at)
{
    return at ? get_le64(bytes + at) : 0;
}

void perfrec_decode_plain(const void *p, const struct perfrec_layout *l,
                          const struct perfrec_format *f, struct perfrec *r)
{
    const uint8_t *bytes = p;
    uint64_t task = u64_at(bytes, l->tid);
    r->type = PERFREC_SAMPLE;
    r->mode = get_le16(bytes + 4) & MISC_CPUMODE;
    r->pid = (uint32_t)task;
    r->tid = (uint32_t)(task >> 32);
    r->time = u64_at(bytes, l->time);
    r->id = u64_at(bytes, l->id);
    r->cpu = (uint32_t)u64_at(bytes, l->cpu);
    r->sample.pc = u64_at(bytes, l->pc);
    r->sample.period = l->period ? get_le64(bytes + l->period) : f->period;
}

struct perfrec_id_place perfrec_id_place(const struct perfrec_format *f)
{
    uint32_t front =
        count_bytes(f->fields & (PERFREC_IP | PERFREC_TID | PERFREC_TIME | PERFREC_ADDR));
    struct perfrec_id_place place = {
        PERFREC_HEADER_BYTES + front,
        8 + count_bytes(f->fields & (PERFREC_STREAM_ID | PERFREC_CPU))};
    if (!(f->fields & (PERFREC_ID | PERFREC_IDENTIFIER)))
        return (struct perfrec_id_place){0, 0};
    if (f->fields & PERFREC_IDENTIFIER)
        place = (struct perfrec_id_place){PERFREC_HEADER_BYTES, 8};
    if (!f->sample_id_all)
        place.other = 0;
    return place;
}

size_t perfrec_trim(const void *p, size_t len, const struct perfrec *r, void *out)
{
    const uint8_t *from = p;
    uint8_t *to = out;
    size_t head = r->sample.stack ? (size_t)(r->sample.stack - from) : len;
    size_t filled = (r->sample.stack_len + 7) & ~7ul;
    size_t copied = r->sample.stack ? (size_t)get_le64(from + head - 8) : 0;
    if (!copied)
        return len;
    size_t tail = len - head - copied - 8;
    size_t trimmed = head + filled + 8 + tail;
    if (trimmed >= len)
        return len;
    memcpy(to, from, head + filled);
    put_le16(to + 6, (uint16_t)trimmed);
    put_le64(to + head - 8, filled);
    put_le64(to + head + filled, r->sample.stack_len);
    memcpy(to + head + filled + 8, from + len - tail, tail);
    return trimmed;
}
