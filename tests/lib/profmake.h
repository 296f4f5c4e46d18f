/*
 * profmake: prof.PID files, version 2, as the runtime would leave them, byte order by choice: for
 * tests that must know what stands in one. Fields that no function here sets are set by their
 * offset: profmake_put32(m, m->bytes + offsetof(struct psprof_header, pid), 7).
 */
#pragma once

#include "core/base/bytes.h"
#include "runtime/psprof_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct profmake {
    uint8_t *bytes;
    size_t room;    /* slots */
    uint32_t slots; /* claimed: slot 0 is none's */
    bool big;
};

static inline size_t profmake_len(const struct profmake *m)
{
    return PSPROF_HEADER_BYTES + (size_t)m->slots * PSPROF_SLOT_BYTES;
}

static inline uint8_t *profmake_slot(const struct profmake *m, uint32_t i)
{
    return m->bytes + PSPROF_HEADER_BYTES + (size_t)i * PSPROF_SLOT_BYTES;
}

static inline void profmake_put32(const struct profmake *m, uint8_t *p, uint32_t v)
{
    put_le32(p, m->big ? __builtin_bswap32(v) : v);
}

static inline void profmake_put64(const struct profmake *m, uint8_t *p, uint64_t v)
{
    put_le64(p, m->big ? __builtin_bswap64(v) : v);
}

static inline uint32_t profmake_get32(const struct profmake *m, const uint8_t *p)
{
    return m->big ? get_be32(p) : get_le32(p);
}

#define PROFMAKE32(m, at, type, field, v) profmake_put32(m, (at) + offsetof(struct type, field), v)
#define PROFMAKE64(m, at, type, field, v) profmake_put64(m, (at) + offsetof(struct type, field), v)

static inline uint32_t profmake_claim(struct profmake *m, uint32_t slots)
{
    uint32_t first = m->slots;
    if (m->slots + slots > m->room) {
        size_t room = (m->slots + slots) * (size_t)2;
        m->bytes = realloc(m->bytes, PSPROF_HEADER_BYTES + room * PSPROF_SLOT_BYTES);
        if (!m->bytes)
            abort();
        m->room = room;
    }
    m->slots += slots;
    memset(profmake_slot(m, first), 0, (size_t)slots * PSPROF_SLOT_BYTES);
    PROFMAKE32(m, m->bytes, psprof_header, slots_claimed, m->slots);
    return first;
}

/* Ended by a 0, cut to fit. */
static inline void profmake_text(uint8_t *to, const char *text, size_t room)
{
    size_t len = strlen(text);
    memcpy(to, text, len < room ? len : room - 1);
}

/* A clock of a nanosecond a tick; ended in order; no probe cost. */
static inline void profmake_start(struct profmake *m, bool big, uint32_t type)
{
    *m = (struct profmake){.bytes = calloc(1, PSPROF_HEADER_BYTES), .big = big};
    if (!m->bytes)
        abort();
    profmake_claim(m, 1);
    memcpy(m->bytes, PSPROF_MAGIC, PSPROF_MAGIC_BYTES);
    PROFMAKE32(m, m->bytes, psprof_header, byte_order, PSPROF_BYTE_ORDER);
    PROFMAKE32(m, m->bytes, psprof_header, header_bytes, PSPROF_HEADER_BYTES);
    PROFMAKE32(m, m->bytes, psprof_header, slot_bytes, PSPROF_SLOT_BYTES);
    PROFMAKE32(m, m->bytes, psprof_header, type, type);
    PROFMAKE32(m, m->bytes, psprof_header, pid, 123);
    PROFMAKE64(m, m->bytes, psprof_header, ticks_per_second, 1000000000);
    PROFMAKE64(m, m->bytes, psprof_header, resolution_ps, 1000);
    PROFMAKE64(m, m->bytes, psprof_header, end_ticks, 1);
    memcpy(m->bytes + offsetof(struct psprof_header, clock_name), "tsc", 4);
    memcpy(m->bytes + offsetof(struct psprof_header, command), "prog\0arg", 9);
}

static inline uint32_t profmake_module(struct profmake *m, const char *path, uint64_t bias,
                                       const uint8_t *id, uint8_t id_bytes)
{
    uint32_t i = profmake_claim(m, 16);
    uint8_t *b = profmake_slot(m, i), *head = m->bytes + offsetof(struct psprof_header, modules);
    PROFMAKE32(m, b, psprof_module, next, profmake_get32(m, head));
    PROFMAKE64(m, b, psprof_module, start, bias);
    PROFMAKE64(m, b, psprof_module, end, bias + 0x10000);
    PROFMAKE64(m, b, psprof_module, bias, bias);
    b[offsetof(struct psprof_module, build_id_bytes)] = id_bytes;
    if (id_bytes)
        memcpy(b + offsetof(struct psprof_module, build_id), id, id_bytes);
    profmake_text(b + offsetof(struct psprof_module, path), path, PSPROF_PATH_BYTES - 64);
    profmake_put32(m, head, i);
    return i;
}

/* With its root; the thread's slot. */
static inline uint32_t profmake_thread(struct profmake *m, uint32_t tid, const char *name,
                                       uint64_t last_ticks)
{
    uint32_t i = profmake_claim(m, 2), root = profmake_claim(m, 1);
    uint8_t *b = profmake_slot(m, i), *head = m->bytes + offsetof(struct psprof_header, threads);
    PROFMAKE32(m, b, psprof_thread, next, profmake_get32(m, head));
    PROFMAKE32(m, b, psprof_thread, root, root);
    PROFMAKE32(m, b, psprof_thread, tid, tid);
    PROFMAKE32(m, b, psprof_thread, threads, 1);
    PROFMAKE64(m, b, psprof_thread, last_ticks, last_ticks);
    profmake_text(b + offsetof(struct psprof_thread, name), name, 16);
    profmake_put32(m, head, i);
    return i;
}

static inline uint32_t profmake_root(const struct profmake *m, uint32_t thread)
{
    return profmake_get32(m, profmake_slot(m, thread) + offsetof(struct psprof_thread, root));
}

/* Below a node or a root, as its newest callee. */
static inline uint32_t profmake_node(struct profmake *m, uint32_t caller, uint32_t module,
                                     uint64_t pc, uint64_t count, int64_t time)
{
    uint32_t i = profmake_claim(m, 1);
    uint8_t *b = profmake_slot(m, i);
    uint8_t *down = profmake_slot(m, caller) + offsetof(struct psprof_node, down);
    PROFMAKE64(m, b, psprof_node, pc, pc);
    PROFMAKE64(m, b, psprof_node, count, count);
    PROFMAKE32(m, b, psprof_node, timed, (uint32_t)count);
    PROFMAKE64(m, b, psprof_node, time, (uint64_t)time);
    PROFMAKE32(m, b, psprof_node, module, module);
    PROFMAKE32(m, b, psprof_node, right, profmake_get32(m, down));
    profmake_put32(m, down, i);
    return i;
}
