/*
 * kcore: where in /proc/kcore the memory of the kernel is, by the head of that file, an ELF core
 * file (elf(5)) of one segment for each range of addresses.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KCORE_RANGES = 256, KCORE_HEAD_BYTES = 32 << 10 };

struct kcore_range {
    uint64_t start, bytes, offset; /* offset: in the file */
};
struct kcore {
    struct kcore_range range[KCORE_RANGES]; /* those beyond so many are left out */
    size_t ranges;
};

/* By the file's first bytes, as many as there are up to KCORE_HEAD_BYTES. -ENOEXEC: it is no ELF
 * file of this kind. */
int kcore_read(const uint8_t *head, size_t len, struct kcore *out);

/* Where len bytes from an address on are in the file; false: not all of them are. */
bool kcore_find(const struct kcore *k, uint64_t address, uint64_t len, uint64_t *offset);
