/* Records in the layout of perf events (linux/perf_event.h): a header, the body, and behind all but
 * samples the thread and the time. */
#include "plat/clock.h"
#include "process/descriptors.h"
#include "sample_ptrace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

int ptrace_records_init(struct ptrace_records *r, size_t max_bytes)
{
    *r = (struct ptrace_records){.max_bytes = max_bytes};
    pthread_mutex_init(&r->lock, NULL);
    return pipe2(r->ready, O_CLOEXEC | O_NONBLOCK) < 0 ? -errno : 0;
}

void ptrace_records_release(struct ptrace_records *r)
{
    for (int i = 0; i < 2; i++)
        descriptor_close(&r->ready[i]);
    buf_release(&r->filling);
    buf_release(&r->reading);
    pthread_mutex_destroy(&r->lock);
}

void ptrace_records_wake(const struct ptrace_records *r)
{
    ssize_t full = write(r->ready[1], "", 1); /* then it is ready already */
    (void)full;
}

/* --- writing --- */

struct record {
    struct perf_event_header header;
    uint8_t body[MAX_PATH + 256];
    size_t len;
    const uint8_t *stack; /* behind the body */
    size_t stack_len;
};

static void put_bytes(struct record *r, const void *bytes, size_t n)
{
    memcpy(r->body + r->len, bytes, n);
    r->len += n;
}

static void put_u32(struct record *r, uint32_t v)
{
    put_bytes(r, &v, sizeof v);
}

static void put_u64(struct record *r, uint64_t v)
{
    put_bytes(r, &v, sizeof v);
}

static void put_ids(struct record *r, struct ptrace_ids ids)
{
    put_u32(r, (uint32_t)ids.pid);
    put_u32(r, (uint32_t)ids.tid);
}

/* A string, its NUL, and NULs up to the next eight bytes. */
static void put_string(struct record *r, const char *s)
{
    size_t n = strlen(s);
    if (n > MAX_PATH - 1)
        n = MAX_PATH - 1;
    put_bytes(r, s, n);
    do
        r->body[r->len++] = 0;
    while (r->len % 8);
}

static void put_sample_id(struct record *r, struct ptrace_ids ids)
{
    put_ids(r, ids);
    put_u64(r, clock_mono_ns());
}

/* Of a slice of stack, its bytes and how many of them were filled. */
static void add_stack(struct buf *to, const struct record *r)
{
    const uint64_t filled = r->stack_len;
    if (!filled)
        return;
    buf_add(to, r->stack, r->stack_len);
    buf_add(to, &filled, sizeof filled);
}

static void write_record(struct ptrace_records *to, struct record *r)
{
    size_t slice = r->stack_len ? r->stack_len + 8 : 0;
    size_t bytes = sizeof r->header + r->len + slice;
    r->header.size = (uint16_t)bytes;
    pthread_mutex_lock(&to->lock);
    size_t before = to->filling.len;
    bool fits = before + bytes <= to->max_bytes && buf_reserve(&to->filling, bytes);
    if (fits) {
        buf_add(&to->filling, &r->header, sizeof r->header);
        buf_add(&to->filling, r->body, r->len);
        add_stack(&to->filling, r);
    } else {
        to->lost++;
    }
    bool half = before < to->max_bytes / 2 && to->filling.len >= to->max_bytes / 2;
    pthread_mutex_unlock(&to->lock);
    if (half)
        ptrace_records_wake(to);
}

static void put_chain(struct record *r, const struct ptrace_sample *s)
{
    put_u64(r, s->chain_len ? s->chain_len + 1 : 0);
    if (!s->chain_len)
        return;
    put_u64(r, PERFREC_CHAIN_USER);
    put_bytes(r, s->chain, s->chain_len * sizeof *s->chain);
}

static void put_registers(struct record *r, const struct ptrace_sample *s, uint64_t mask)
{
    put_u64(r, !s->reg     ? PERF_SAMPLE_REGS_ABI_NONE
               : s->narrow ? PERF_SAMPLE_REGS_ABI_32
                           : PERF_SAMPLE_REGS_ABI_64);
    for (; s->reg && mask; mask &= mask - 1)
        put_u64(r, s->reg[__builtin_ctzll(mask)]);
}

static void put_stack(struct record *r, const struct ptrace_sample *s)
{
    r->stack = s->stack;
    r->stack_len = s->stack_len & ~(size_t)7;
    put_u64(r, r->stack_len);
}

void ptrace_record_sample(struct ptrace_records *to, struct ptrace_ids ids,
                          const struct ptrace_sample *s)
{
    struct record r = {.header = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0}};
    put_u64(&r, s->pc);
    put_sample_id(&r, ids);
    put_u64(&r, s->period_ns);
    if (to->fields & PERFREC_CALLCHAIN)
        put_chain(&r, s);
    if (to->fields & PERFREC_REGS_USER)
        put_registers(&r, s, to->registers);
    if (to->fields & PERFREC_STACK_USER)
        put_stack(&r, s);
    write_record(to, &r);
}

void ptrace_record_comm(struct ptrace_records *to, struct ptrace_ids ids, const char *name,
                        bool exec)
{
    struct record r = {.header = {PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, 0}};
    put_ids(&r, ids);
    put_string(&r, name);
    put_sample_id(&r, ids);
    write_record(to, &r);
}

static void write_task(struct ptrace_records *to, uint32_t type, struct ptrace_ids child,
                       struct ptrace_ids parent)
{
    struct record r = {.header = {type, 0, 0}};
    const int id_fields[] = {child.pid, parent.pid, child.tid, parent.tid};
    put_bytes(&r, id_fields, sizeof id_fields);
    put_u64(&r, clock_mono_ns());
    put_sample_id(&r, parent);
    write_record(to, &r);
}

void ptrace_record_fork(struct ptrace_records *to, struct ptrace_ids ids, struct ptrace_ids parent)
{
    write_task(to, PERF_RECORD_FORK, ids, parent);
}

void ptrace_record_exit(struct ptrace_records *to, struct ptrace_ids ids)
{
    write_task(to, PERF_RECORD_EXIT, ids, ids);
}

void ptrace_record_map(struct ptrace_records *to, struct ptrace_ids ids,
                       const struct ptrace_mapping *map, const char *path)
{
    struct record r = {.header = {PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0}};
    put_ids(&r, ids);
    put_u64(&r, map->start);
    put_u64(&r, map->end - map->start);
    put_u64(&r, map->file_offset);
    put_u32(&r, map->major);
    put_u32(&r, map->minor);
    put_u64(&r, map->inode);
    put_u64(&r, 0); /* generation */
    put_u32(&r, PROT_READ | PROT_EXEC);
    put_u32(&r, MAP_PRIVATE);
    put_string(&r, *path ? path : "//anon");
    put_sample_id(&r, ids);
    write_record(to, &r);
}

/* --- reading --- */

static void emit_lost(uint64_t lost, void (*emit)(void *, const void *, size_t), void *arg)
{
    struct record r = {.header = {PERF_RECORD_LOST, 0, 0}};
    put_u64(&r, 0); /* id */
    put_u64(&r, lost);
    put_sample_id(&r, (struct ptrace_ids){0, 0});
    r.header.size = (uint16_t)(sizeof r.header + r.len);
    emit(arg, &r, r.header.size);
}

static void clear_ready(const struct ptrace_records *r)
{
    char bytes[64];
    while (read(r->ready[0], bytes, sizeof bytes) == sizeof bytes)
        ;
}

void ptrace_records_read(struct ptrace_records *r, void (*emit)(void *, const void *, size_t),
                         void *arg)
{
    uint64_t lost;
    clear_ready(r);
    pthread_mutex_lock(&r->lock);
    struct buf full = r->filling;
    r->filling = r->reading;
    r->reading = full;
    lost = r->lost;
    r->lost = 0;
    pthread_mutex_unlock(&r->lock);
    for (size_t at = 0, size; at < full.len; at += size) {
        size = perfrec_size(full.data + at, full.len - at);
        emit(arg, full.data + at, size);
    }
    buf_clear(&r->reading);
    if (lost)
        emit_lost(lost, emit, arg);
}
