/*
 * coredump_make: core files written by hand, of both classes and byte orders.
 */
#pragma once

#include "core/base/buf.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CORE_MAKE_ENTRIES = 16, CORE_MAKE_PAGE = 0x1000 };

struct core_make {
    bool wide, big_endian;
    unsigned machine, entries;
    struct buf table, notes, memory; /* the program headers; what they are of */
};

static inline void core_number(const struct core_make *c, struct buf *out, uint64_t n, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        size_t at = c->big_endian ? bytes - 1 - i : i;
        buf_addc(out, at < sizeof n ? (char)(n >> 8 * at) : 0);
    }
}

static inline void core_word(const struct core_make *c, struct buf *out, uint64_t n)
{
    core_number(c, out, n, c->wide ? 8 : 4);
}

static inline size_t core_head(const struct core_make *c)
{
    return c->wide ? 64 + 56 * CORE_MAKE_ENTRIES : 52 + 32 * CORE_MAKE_ENTRIES;
}

static inline void core_entry(struct core_make *c, unsigned type, unsigned flags, uint64_t offset,
                              uint64_t start, uint64_t bytes, uint64_t memory)
{
    core_number(c, &c->table, type, 4);
    if (c->wide)
        core_number(c, &c->table, flags, 4);
    core_word(c, &c->table, offset);
    core_word(c, &c->table, start);
    core_word(c, &c->table, 0);
    core_word(c, &c->table, bytes);
    core_word(c, &c->table, memory);
    if (!c->wide)
        core_number(c, &c->table, flags, 4);
    core_word(c, &c->table, 0);
    c->entries++;
}

static inline void core_note(struct core_make *c, unsigned type, const void *bytes, size_t len)
{
    core_number(c, &c->notes, 5, 4);
    core_number(c, &c->notes, len, 4);
    core_number(c, &c->notes, type, 4);
    buf_add(&c->notes, "CORE\0\0\0", 8);
    buf_add(&c->notes, bytes, len);
    while (c->notes.len % 4)
        buf_addc(&c->notes, 0);
}

/* The notes are to be there already: contents are behind them. */
static inline void core_load(struct core_make *c, uint64_t start, uint64_t memory, unsigned flags,
                             const void *bytes, size_t len)
{
    core_entry(c, PT_LOAD, flags, core_head(c) + c->notes.len + c->memory.len, start, len, memory);
    buf_add(&c->memory, bytes, len);
}

/* The words of the registers behind their place. */
static inline void core_thread(struct core_make *c, int tid, unsigned signal, const uint64_t *regs,
                               size_t count)
{
    struct buf b = BUF_INIT;
    size_t word = c->wide ? 8 : 4;
    for (size_t i = 0; i < 12; i++)
        buf_addc(&b, 0);
    core_number(c, &b, signal, 2);
    core_number(c, &b, 0, 2);
    core_word(c, &b, 0);
    core_word(c, &b, 0);
    core_number(c, &b, (uint32_t)tid, 4);
    while (b.len < (c->wide ? 112 : 72))
        buf_addc(&b, 0);
    for (size_t i = 0; i < count; i++)
        core_word(c, &b, regs[i]);
    core_number(c, &b, 0, word);
    core_note(c, NT_PRSTATUS, b.data, b.len);
    buf_release(&b);
}

struct core_made_file {
    uint64_t start, end, page;
    const char *path;
};

static inline void core_files(struct core_make *c, const struct core_made_file *file, size_t count)
{
    struct buf b = BUF_INIT;
    core_word(c, &b, count);
    core_word(c, &b, CORE_MAKE_PAGE);
    for (size_t i = 0; i < count; i++) {
        core_word(c, &b, file[i].start);
        core_word(c, &b, file[i].end);
        core_word(c, &b, file[i].page);
    }
    for (size_t i = 0; i < count; i++)
        buf_add(&b, file[i].path, strlen(file[i].path) + 1);
    core_note(c, NT_FILE, b.data, b.len);
    buf_release(&b);
}

static inline void core_finish(struct core_make *c, struct buf *out)
{
    core_entry(c, PT_NOTE, 0, core_head(c), 0, c->notes.len, 0);
    buf_add(out, "\177ELF", 4);
    buf_addc(out, c->wide ? 2 : 1);
    buf_addc(out, c->big_endian ? 2 : 1);
    buf_adds(out, "\1");
    while (out->len < 16)
        buf_addc(out, 0);
    core_number(c, out, ET_CORE, 2);
    core_number(c, out, c->machine, 2);
    core_number(c, out, 1, 4);
    core_word(c, out, 0);
    core_word(c, out, c->wide ? 64 : 52);
    core_word(c, out, 0);
    core_number(c, out, 0, 4);
    core_number(c, out, c->wide ? 64 : 52, 2);
    core_number(c, out, c->wide ? 56 : 32, 2);
    core_number(c, out, c->entries, 2);
    for (size_t i = 0; i < 3; i++)
        core_number(c, out, 0, 2);
    buf_add(out, c->table.data, c->table.len);
    while (out->len < core_head(c))
        buf_addc(out, 0);
    buf_add(out, c->notes.data, c->notes.len);
    buf_add(out, c->memory.data, c->memory.len);
    buf_release(&c->table);
    buf_release(&c->notes);
    buf_release(&c->memory);
}
