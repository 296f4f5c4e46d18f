#include "sample_records.h"

#include "core/base/bytes.h"
#include "core/perf/perfrec.h"
#include "plat/file.h"
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MISC_KERNEL = 1,
    MISC_USER = 2,
    MISC_COMM_EXEC = 1 << 13,
    MISC_OUT = 1 << 13,
    MISC_PREEMPTED = 1 << 14
};

/* --- records as bytes --- */

static void put_u64(struct buf *b, unsigned long long v)
{
    uint8_t bytes[8];
    put_le64(bytes, v);
    buf_add(b, bytes, 8);
}

static void put_u32_pair(struct buf *b, unsigned lo, unsigned hi)
{
    put_u64(b, (unsigned long long)hi << 32 | lo);
}

static void put_string(struct buf *b, const char *s)
{
    buf_adds(b, s);
    do
        buf_addc(b, '\0');
    while (b->len % 8);
}

/* Puts the header before the body in b and hands the record on. */
static void finish_record(struct buf *b, unsigned type, unsigned misc, sample_record_fn *emit,
                          void *arg)
{
    uint8_t head[8];
    put_le32(head, type);
    put_le32(head + 4, misc | (uint32_t)b->len << 16);
    memcpy(b->data, head, sizeof head);
    emit(arg, b->data, b->len);
    buf_clear(b);
}

static struct buf *begin_record(struct buf *b)
{
    buf_clear(b);
    put_u64(b, 0);
    return b;
}

static void put_sample_id(const struct perfrec_format *f, struct buf *b, unsigned pid, unsigned tid,
                          unsigned long long time)
{
    put_u32_pair(b, pid, tid);
    put_u64(b, time);
    if (f->fields & PERFREC_CPU)
        put_u64(b, 0);
    if (f->fields & PERFREC_IDENTIFIER)
        put_u64(b, 0);
}

/* --- samples --- */

struct line {
    unsigned pid, tid, times;
    unsigned long long time, pc;
    bool kernel;
    uint64_t cpu, period, every, of;
    char chain[1024];
};

static bool read_sample(const char *rest, struct line *out)
{
    struct line l = {.times = 1};
    int at = 0;
    if (sscanf(rest, "%u %u %llu %llx%n", &l.pid, &l.tid, &l.time, &l.pc, &at) != 4)
        return false;
    sscanf(rest + at, " x%u", &l.times);
    l.kernel = strstr(rest + at, " kernel");
    l.cpu = scenario_number(rest, "cpu", 0);
    l.period = scenario_number(rest, "period", 0);
    l.every = scenario_number(rest, "every", 1);
    l.of = scenario_number(rest, "of", 0);
    const char *chain = strstr(rest + at, " chain=");
    if (!chain || sscanf(chain, " chain=%1023s", l.chain) != 1)
        snprintf(l.chain, sizeof l.chain, "%c,%llx", l.kernel ? 'k' : 'u', l.pc);
    *out = l;
    return true;
}

/* Its length comes first. */
static void put_chain(struct buf *b, const char *chain)
{
    uint64_t n = 1;
    for (const char *s = chain; (s = strchr(s, ',')); s++)
        n++;
    put_u64(b, n);
    for (const char *s = chain; n--; s += strcspn(s, ","), s += *s == ',')
        put_u64(b, *s == 'k'   ? PERFREC_CHAIN_KERNEL
                   : *s == 'u' ? PERFREC_CHAIN_USER
                               : strtoull(s, NULL, 16));
}

static void emit_sample(const struct perfrec_format *f, struct buf *b, const struct line *l,
                        unsigned k, sample_record_fn *emit, void *arg)
{
    uint64_t fields = f->fields;
    begin_record(b);
    if (fields & PERFREC_IDENTIFIER)
        put_u64(b, l->of);
    put_u64(b, l->pc);
    put_u32_pair(b, l->pid, l->tid);
    put_u64(b, l->time + k * l->every);
    if (fields & PERFREC_CPU)
        put_u64(b, l->cpu);
    if (fields & PERFREC_PERIOD)
        put_u64(b, l->period ? l->period : f->period && !l->of ? f->period : 1);
    if (fields & PERFREC_CALLCHAIN)
        put_chain(b, l->chain);
    finish_record(b, PERFREC_SAMPLE, l->kernel ? MISC_KERNEL : MISC_USER, emit, arg);
}

static bool is_wanted(const struct sample_want *w, const struct line *l)
{
    const struct sample_event *e = l->of ? &w->more[l->of - 1] : &w->event;
    if (e->user || e->kernel)
        return l->kernel ? e->kernel : e->user;
    return l->kernel ? w->kernel || w->no_user || e->in_kernel : !w->no_user;
}

static void emit_samples(const struct sample_want *want, const struct perfrec_format *f,
                         uint64_t from, uint64_t until, struct buf *b, sample_record_fn *emit,
                         void *arg)
{
    struct line l;
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("sample", i)); i++)
        if (read_sample(rest, &l) && l.of <= want->mores && is_wanted(want, &l))
            for (unsigned k = 0; k < l.times; k++)
                if (l.time + k * l.every >= from && l.time + k * l.every < until)
                    emit_sample(f, b, &l, k, emit, arg);
}

/* --- switches --- */

static void emit_switch(const struct perfrec_format *f, struct buf *b, const struct line *l,
                        unsigned misc, sample_record_fn *emit, void *arg)
{
    begin_record(b);
    put_sample_id(f, b, l->pid, l->tid, l->time);
    finish_record(b, PERFREC_SWITCH, misc, emit, arg);
}

static void emit_switches(const struct perfrec_format *f, struct buf *b, sample_record_fn *emit,
                          void *arg)
{
    struct line l;
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("out", i)); i++) {
        char line[1200];
        unsigned pid, tid;
        unsigned long long time;
        int at = 0;
        if (sscanf(rest, "%u %u %llu%n", &pid, &tid, &time, &at) != 3)
            continue;
        snprintf(line, sizeof line, "%u %u %llu 0 kernel%s", pid, tid, time, rest + at);
        if (!read_sample(line, &l))
            continue;
        l.period = 1;
        emit_sample(f, b, &l, 0, emit, arg);
        emit_switch(f, b, &l, MISC_OUT | (strstr(rest, "preempted") ? MISC_PREEMPTED : 0), emit,
                    arg);
    }
    for (size_t i = 0; (rest = scenario_nth("in", i)); i++)
        if (sscanf(rest, "%u %u %llu", &l.pid, &l.tid, &l.time) == 3)
            emit_switch(f, b, &l, 0, emit, arg);
}

/* --- other records --- */

static void emit_maps(const struct perfrec_format *f, struct buf *b, sample_record_fn *emit,
                      void *arg)
{
    unsigned pid, tid;
    unsigned long long time, start, len, offset;
    char path[256];
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("map", i)); i++) {
        if (sscanf(rest, "%u %u %llu %llx %llx %llx %255s", &pid, &tid, &time, &start, &len,
                   &offset, path) != 7)
            continue;
        put_u32_pair(begin_record(b), pid, tid);
        put_u64(b, start);
        put_u64(b, len);
        put_u64(b, offset);
        put_string(b, path);
        put_sample_id(f, b, pid, tid, time);
        finish_record(b, PERFREC_MMAP, MISC_USER, emit, arg);
    }
}

static void emit_execs(const struct perfrec_format *f, struct buf *b, sample_record_fn *emit,
                       void *arg)
{
    unsigned pid, tid;
    unsigned long long time;
    char name[64];
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("exec", i)); i++)
        if (sscanf(rest, "%u %u %llu %63s", &pid, &tid, &time, name) == 4) {
            put_u32_pair(begin_record(b), pid, tid);
            put_string(b, name);
            put_sample_id(f, b, pid, tid, time);
            finish_record(b, PERFREC_COMM, MISC_COMM_EXEC, emit, arg);
        }
}

static void emit_tasks(const struct perfrec_format *f, struct buf *b, enum perfrec_type type,
                       sample_record_fn *emit, void *arg)
{
    unsigned pid, tid, ppid, ptid;
    unsigned long long time;
    const char *rest, *word = type == PERFREC_FORK ? "fork" : "exit";
    for (size_t i = 0; (rest = scenario_nth(word, i)); i++)
        if (sscanf(rest, "%u %u %u %u %llu", &pid, &ppid, &tid, &ptid, &time) == 5) {
            put_u32_pair(begin_record(b), pid, ppid);
            put_u32_pair(b, tid, ptid);
            put_u64(b, time);
            put_sample_id(f, b, ppid, ptid, time);
            finish_record(b, type, 0, emit, arg);
        }
}

static void emit_losses(const struct perfrec_format *f, struct buf *b, sample_record_fn *emit,
                        void *arg)
{
    unsigned long long time, lost;
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("lost", i)); i++)
        if (sscanf(rest, "%llu %llu", &time, &lost) == 2) {
            put_u64(begin_record(b), 0);
            put_u64(b, lost);
            put_sample_id(f, b, 0, 0, time);
            finish_record(b, PERFREC_LOST, 0, emit, arg);
        }
}

static void emit_ring_file(const char *name, sample_record_fn *emit, void *arg)
{
    SCOPED_BUF path = BUF_INIT;
    struct image image;
    scenario_path(name, &path);
    if (file_map(buf_str(&path), SIZE_MAX / 2, &image, NULL) < 0) {
        fprintf(stderr, "fake platform: %s: no such ring\n", buf_str(&path));
        exit(3);
    }
    size_t size;
    for (size_t at = 0; (size = perfrec_size(image.data + at, image.len - at)); at += size)
        emit(arg, image.data + at, size);
    file_unmap(&image);
}

static void emit_other_records(const struct sample_want *want, const struct perfrec_format *format,
                               struct buf *b, sample_record_fn *emit, void *arg)
{
    const char *rest;
    for (size_t i = 0; (rest = scenario_nth("ring", i)); i++)
        emit_ring_file(rest, emit, arg);
    emit_execs(format, b, emit, arg);
    emit_tasks(format, b, PERFREC_FORK, emit, arg);
    emit_losses(format, b, emit, arg);
    emit_maps(format, b, emit, arg);
    if (want->waits)
        emit_switches(format, b, emit, arg);
}

void sample_records(const struct sample_want *want, const struct perfrec_format *format,
                    uint64_t from, uint64_t until, sample_record_fn *emit, void *arg)
{
    SCOPED_BUF b = BUF_INIT;
    if (!from)
        emit_other_records(want, format, &b, emit, arg);
    emit_samples(want, format, from, until, &b, emit, arg);
    if (!from)
        emit_tasks(format, &b, PERFREC_EXIT, emit, arg);
}
