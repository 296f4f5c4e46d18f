/*
 * dwarf_packed: a compressed debug section. SHF_COMPRESSED of the generic ABI (Elf32_Chdr,
 * Elf64_Chdr, then the stream), or .zdebug of GNU before it ("ZLIB", the length as eight bytes of
 * big end first, then a stream of zlib).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ELFCOMPRESS_ZLIB and _ZSTD; the elf.h of before 2022 has not the second. */
enum { DWARF_ZLIB = 1, DWARF_ZSTD = 2 };

struct dwarf_packed {
    bool is_there, has_header; /* there, and its header is whole; the rest is then known */
    uint32_t type;             /* of its compression */
    const uint8_t *stream;
    size_t len;
    uint64_t unpacked_len; /* as the header claims */
};

struct elf_module;
struct dwarf_packed dwarf_packed_compressed(const struct elf_module *m, const uint8_t *bytes,
                                            size_t len);
struct dwarf_packed dwarf_packed_zdebug(const uint8_t *bytes, size_t len);

/* --- inflate.c --- */

/* Whether this build can unpack the type. */
bool dwarf_unpacks(uint32_t type);

/* Unpacks into *out, allocated. -EBADMSG when the stream is damaged, or is shorter or longer than
 * the header claims; -ENOMEM. dwarf_unpacks was true. */
int dwarf_unpack(const struct dwarf_packed *p, uint8_t **out);
