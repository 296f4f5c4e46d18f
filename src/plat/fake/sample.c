/*
 * ring FILE: a ring whose records are FILE's bytes, as the kernel wrote them; one line a ring.
 * rate HZ: what the kernel grants. Records of a scenario can also be written out, a line each, all
 * in ring 0: sample PID TID TIME PC map PID TID TIME START LEN OFFSET PATH exec PID TID TIME NAME
 *   fork PID PPID TID PTID TIME
 *   lost TIME N
 */
#include "plat/sample.h"

#include "core/bytes.h"
#include "core/perfrec.h"
#include "plat/file.h"
#include "scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sampler {
    uint64_t hz;
    bool read;
};

enum { MISC_USER = 2, MISC_COMM_EXEC = 1 << 13 };

/* --- records as bytes --- */

static void put64(struct buf *b, unsigned long long v)
{
    uint8_t bytes[8];
    put_le32(bytes, (uint32_t)v);
    put_le32(bytes + 4, (uint32_t)(v >> 32));
    buf_add(b, bytes, 8);
}

static void pair(struct buf *b, unsigned lo, unsigned hi)
{
    put64(b, (unsigned long long)hi << 32 | lo);
}

static void text(struct buf *b, const char *s)
{
    buf_adds(b, s);
    do
        buf_addc(b, '\0');
    while (b->len % 8);
}

/* Puts the header before the body in b and hands the record on. */
static void finish(struct buf *b, unsigned type, unsigned misc,
                   void (*take)(void *, const void *, size_t), void *arg)
{
    uint8_t head[8];
    put_le32(head, type);
    put_le32(head + 4, misc | (uint32_t)b->len << 16);
    memcpy(b->data, head, sizeof head);
    take(arg, b->data, b->len);
    buf_clear(b);
}

static struct buf *begin(struct buf *b)
{
    buf_clear(b);
    put64(b, 0);
    return b;
}

static void trailer(struct buf *b, unsigned pid, unsigned tid, unsigned long long time)
{
    pair(b, pid, tid);
    put64(b, time);
}

typedef void taker(void *, const void *, size_t);

static void samples(struct buf *b, taker *take, void *arg)
{
    unsigned pid, tid, times;
    unsigned long long time, pc;
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("sample", i)); i++) {
        int n = sscanf(rest, "%u %u %llu %llx x%u", &pid, &tid, &time, &pc, &times);
        for (unsigned k = 0; n >= 4 && k < (n == 5 ? times : 1); k++) {
            put64(begin(b), pc);
            trailer(b, pid, tid, time + k);
            finish(b, PERFREC_SAMPLE, MISC_USER, take, arg);
        }
    }
}

static void maps(struct buf *b, taker *take, void *arg)
{
    unsigned pid, tid;
    unsigned long long time, start, len, offset;
    char path[256];
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("map", i)); i++) {
        if (sscanf(rest, "%u %u %llu %llx %llx %llx %255s", &pid, &tid, &time, &start, &len,
                   &offset, path) != 7)
            continue;
        pair(begin(b), pid, tid);
        put64(b, start);
        put64(b, len);
        put64(b, offset);
        text(b, path);
        trailer(b, pid, tid, time);
        finish(b, PERFREC_MMAP, MISC_USER, take, arg);
    }
}

static void tasks(struct buf *b, taker *take, void *arg)
{
    unsigned pid, tid, ppid, ptid;
    unsigned long long time, lost;
    char name[64];
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("exec", i)); i++)
        if (sscanf(rest, "%u %u %llu %63s", &pid, &tid, &time, name) == 4) {
            pair(begin(b), pid, tid);
            text(b, name);
            trailer(b, pid, tid, time);
            finish(b, PERFREC_COMM, MISC_COMM_EXEC, take, arg);
        }
    for (size_t i = 0; (rest = scenario_nth("fork", i)); i++)
        if (sscanf(rest, "%u %u %u %u %llu", &pid, &ppid, &tid, &ptid, &time) == 5) {
            pair(begin(b), pid, ppid);
            pair(b, tid, ptid);
            put64(b, time);
            trailer(b, ppid, ptid, time);
            finish(b, PERFREC_FORK, 0, take, arg);
        }
    for (size_t i = 0; (rest = scenario_nth("lost", i)); i++)
        if (sscanf(rest, "%llu %llu", &time, &lost) == 2) {
            put64(begin(b), 0);
            put64(b, lost);
            trailer(b, 0, 0, time);
            finish(b, PERFREC_LOST, 0, take, arg);
        }
}

static void ring_file(const char *name, taker *take, void *arg)
{
    struct buf path = BUF_INIT;
    struct image image;
    scenario_path(name, &path);
    if (file_map(buf_str(&path), SIZE_MAX / 2, &image, NULL) < 0) {
        fprintf(stderr, "fake platform: %s: no such ring\n", buf_str(&path));
        exit(3);
    }
    size_t size;
    for (size_t at = 0; (size = perfrec_size(image.data + at, image.len - at)); at += size)
        take(arg, image.data + at, size);
    file_unmap(&image);
    buf_release(&path);
}

/* --- the capability --- */

int sample_open(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    int r = scenario_fail("sample_open", f);
    if (r < 0)
        return r;
    *out = calloc(1, sizeof **out);
    const char *rate = scenario_get("rate");
    if (*out)
        (*out)->hz = rate ? strtoull(rate, NULL, 10) : want->hz;
    return 0;
}

void sample_close(struct sampler *s)
{
    free(s);
}

const char *sample_method(const struct sampler *s)
{
    (void)s;
    return "fake clock";
}

uint64_t sample_hz(const struct sampler *s)
{
    return s->hz;
}

void sample_format(const struct sampler *s, struct perfrec_format *out)
{
    (void)s;
    *out = (struct perfrec_format){.fields = PERFREC_IP | PERFREC_TID | PERFREC_TIME,
                                   .sample_id_all = true};
}

size_t sample_handles(const struct sampler *s, const int **handles)
{
    static const int none = -1;
    (void)s;
    *handles = &none;
    return 1;
}

void sample_stop(struct sampler *s)
{
    (void)s;
}

void sample_read(struct sampler *s, taker *take, void *arg)
{
    struct buf b = BUF_INIT;
    const char *rest;
    if (s->read)
        return;
    s->read = true;
    for (size_t i = 0; (rest = scenario_nth("ring", i)); i++)
        ring_file(rest, take, arg);
    tasks(&b, take, arg);
    maps(&b, take, arg);
    samples(&b, take, arg);
    buf_release(&b);
}

int sample_event_find(const char *name, struct sample_event *out, struct fail *f)
{
    (void)out;
    return fail_set(f, ENOENT, "event %s", name);
}
