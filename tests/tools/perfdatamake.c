/* perfdatamake FILE SAMPLES PCS [CPUS [CHAIN]]: writes a perf.data of so many samples over so many
 * places of one program and eight libraries, as perf record -a would: a run of records for each CPU
 * in every round, times 250 us apart. The answer is known: sample i is at place i * 2654435761 %
 * PCS and CHAIN callers above it. */
#include "core/base/buf.h"
#include "core/base/bytes.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MODULES = 9,
    MODULE_BYTES = 1 << 22,
    ROUND_SAMPLES = 200, /* a CPU */
    PID = 4000,
    ATTR_BYTES = 128,
    HEADER_BYTES = 104,
    FIELDS = 1 | 2 | 4 | 0x80 | 0x100, /* IP TID TIME CPU PERIOD */
    FIELD_CHAIN = 0x20,
};
static const uint64_t base = 0x555500000000, start_ns = 1000000000000, step_ns = 250000;
static unsigned long samples, pcs, cpus = 2, chain;

static void u32(struct buf *b, uint32_t v)
{
    uint8_t le[4];
    put_le32(le, v);
    buf_add(b, le, sizeof le);
}

static void u64(struct buf *b, uint64_t v)
{
    u32(b, (uint32_t)v);
    u32(b, (uint32_t)(v >> 32));
}

static void header(struct buf *b, uint32_t type, unsigned misc, size_t len)
{
    u32(b, type);
    u32(b, (uint32_t)(misc | len << 16));
}

static void attr(struct buf *b)
{
    u32(b, 1); /* software */
    u32(b, ATTR_BYTES);
    u64(b, 0); /* cpu-clock */
    u64(b, 4000);
    u64(b, FIELDS | (chain ? FIELD_CHAIN : 0));
    u64(b, 0);
    u64(b, 1 << 8 | 1 << 9 | 1 << 10 | 1 << 18 | 1 << 23); /* mmap comm freq sample_id_all mmap2 */
    for (size_t i = 48; i < ATTR_BYTES; i += 8)
        u64(b, 0);
}

static void trailer(struct buf *b)
{
    u32(b, PID), u32(b, PID);
    u64(b, 0);
    u64(b, 0);
}

static void mapping(struct buf *b, unsigned i)
{
    char name[32] = {0};
    snprintf(name, sizeof name, i ? "/lib/libmade%u.so" : "/bin/made", i);
    header(b, 10, 2, 8 + 64 + sizeof name + 24);
    u32(b, PID), u32(b, PID);
    u64(b, base + (uint64_t)i * MODULE_BYTES);
    u64(b, MODULE_BYTES);
    u64(b, 0);
    u32(b, 8), u32(b, 1);
    u64(b, 100 + i);
    u64(b, 0);
    u32(b, 5), u32(b, 2);
    buf_add(b, name, sizeof name);
    trailer(b);
}

static uint64_t place(uint64_t i)
{
    uint64_t n = i * 2654435761u % pcs;
    return base + n % MODULES * MODULE_BYTES + n / MODULES * 4 % MODULE_BYTES;
}

static void sample(struct buf *b, unsigned long i)
{
    size_t calls = chain ? 16 + 8 * chain : 0;
    header(b, 9, 2, 8 + 40 + calls);
    u64(b, place(i));
    u32(b, PID), u32(b, PID + (uint32_t)(i % cpus));
    u64(b, start_ns + i * step_ns / cpus);
    u32(b, (uint32_t)(i % cpus)), u32(b, 0);
    u64(b, step_ns);
    if (!chain)
        return;
    u64(b, chain + 1);
    u64(b, (uint64_t)-512);
    for (unsigned long c = 0; c < chain; c++)
        u64(b, place(c ? i / (c * 8) : i));
}

static void records(struct buf *b)
{
    header(b, 3, 0, 8 + 16 + 24);
    u32(b, PID), u32(b, PID);
    buf_add(b, "made\0\0\0", 8);
    trailer(b);
    for (unsigned i = 0; i < MODULES; i++)
        mapping(b, i);
    for (unsigned long first = 0; first < samples; first += ROUND_SAMPLES * cpus) {
        for (unsigned long cpu = 0; cpu < cpus; cpu++)
            for (unsigned long i = 0; i < ROUND_SAMPLES; i++)
                if (first + i * cpus + cpu < samples)
                    sample(b, first + i * cpus + cpu);
        header(b, 68, 0, 8);
    }
}

static void front(struct buf *b, size_t record_bytes)
{
    buf_add(b, "PERFILE2", 8);
    u64(b, HEADER_BYTES);
    u64(b, ATTR_BYTES + 16);
    u64(b, HEADER_BYTES), u64(b, ATTR_BYTES + 16);
    u64(b, HEADER_BYTES + ATTR_BYTES + 16), u64(b, record_bytes);
    for (int i = 0; i < 6; i++)
        u64(b, 0);
    attr(b);
    u64(b, HEADER_BYTES), u64(b, 0);
}

int main(int argc, char **argv)
{
    struct buf body = BUF_INIT, head = BUF_INIT;
    if (argc < 4)
        return 2;
    samples = strtoul(argv[2], NULL, 10);
    pcs = strtoul(argv[3], NULL, 10);
    cpus = argc > 4 ? strtoul(argv[4], NULL, 10) : cpus;
    chain = argc > 5 ? strtoul(argv[5], NULL, 10) : 0;
    if (!pcs || !cpus || chain > 1000)
        return 2;
    records(&body);
    front(&head, body.len);
    FILE *out = fopen(argv[1], "wb");
    if (!out || buf_error(&body) || fwrite(head.data, 1, head.len, out) != head.len ||
        fwrite(body.data, 1, body.len, out) != body.len || fclose(out) != 0)
        return 1;
    buf_release(&head);
    buf_release(&body);
    return 0;
}
