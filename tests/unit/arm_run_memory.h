/*
 * arm_run_memory: the memory of code that is run: places for it and for its copies, at addresses of
 * which no part leads into the test; and the test's own memory, which it must not write.
 */
#pragma once

#include "arm_run_desk.h"

#include "core/base/bytes.h"

#include <stdio.h>
#include <sys/mman.h>

/* --- places: the original in the middle of the first, copies in the others --- */

static uint8_t *place[PLACES], *data, *gate, fresh[DATA], after[DATA];

static void *map_at(uint32_t addr, size_t len, int allowed)
{
    void *at =
        mmap((void *)addr, len, allowed, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* LDR PC, and the word behind it: in and out, so that no code that a piece may read has an address
 * of the test. */
static void put_gate(void)
{
    put_le32(gate, 0xe51ff004);
    put_le32(gate + 8, 0xe51ff004);
    put_le32(gate + 12, (uint32_t)arm_leave);
}

/* No four bytes of an address there, and of a stub, are an address of the test itself, so that what
 * a piece reads at an odd place leads nowhere. Copies are within the reach of a branch of T32, of
 * one of A32, and beyond. */
static bool map_places(void)
{
    static const uint32_t at[PLACES] = {0,         0x10000,    0xf00000,  0xff100000,
                                        0x1800000, 0xfe800000, 0x8000000, 0xe0000000};
    enum { CODE = PROT_READ | PROT_WRITE | PROT_EXEC };
    bool mapped = (data = map_at(0x50000000, DATA, PROT_READ | PROT_WRITE)) &&
                  (desk = map_at(DESK, sizeof *desk, PROT_READ | PROT_WRITE));
    for (unsigned i = 0; mapped && i < PLACES; i++)
        mapped = (place[i] = map_at(FIRST_PLACE + at[i], PAGE, CODE));
    mapped = mapped && (gate = map_at(GATE, PAGE, CODE));
    if (mapped)
        put_gate();
    return mapped;
}

static void flush(uint8_t *at)
{
    __builtin___clear_cache((char *)at, (char *)at + PAGE);
}

/* push {r0, r1}; movw r0, #0x5a00 + number; ldr r1, =GATE + 8; bx r1 */
static void put_stub(uint8_t *at, bool thumb, unsigned number)
{
    if (thumb) {
        put_le16(at, 0xb403);
        put_le16(at + 2, 0xf645);
        put_le16(at + 4, (uint16_t)(0x2000 | number));
        put_le32(at + 6, 0x1004f8df);
        put_le16(at + 10, 0x4708);
        put_le16(at + 12, 0);
        put_le32(at + ((((uintptr_t)at + 6) & ~3u) + 8 - (uintptr_t)at), GATE + 8);
        return;
    }
    put_le32(at, 0xe92d0003);
    put_le32(at + 4, 0xe3050a00 | number);
    put_le32(at + 8, 0xe59f1000);
    put_le32(at + 12, 0xe12fff11);
    put_le32(at + 16, GATE + 8);
}

enum { HOOK_A32 = 3072, HOOK_T32 = 3136 };

/* str r0, [sp, #4]; add r0, lr, #4; ldr lr, [sp]; str r0, [sp]; ldr r0, [sp, #4]; ldr pc, [sp], #8
 */
static void put_hooks(uint8_t *page)
{
    static const uint32_t a32[] = {0xe58d0004, 0xe28e0004, 0xe59de000,
                                   0xe58d0000, 0xe59d0004, 0xe49df008};
    static const uint16_t t32[] = {0x9001, 0xf10e, 0x0004, 0xf8dd, 0xe000,
                                   0x9000, 0x9801, 0xf85d, 0xfb08};
    for (unsigned i = 0; i < sizeof a32 / 4; i++)
        put_le32(page + HOOK_A32 + 4 * i, a32[i]);
    for (unsigned i = 0; i < sizeof t32 / 2; i++)
        put_le16(page + HOOK_T32 + 2 * i, t32[i]);
}

/* --- the test's own memory --- */

enum { MAX_OWN = 64 };
static struct {
    uint32_t start, len;
} own[MAX_OWN];
static unsigned own_count;

/* All that can be written now, but what pieces may write. */
static bool find_own_memory(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], rights[5];
    unsigned long start, end;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3 && rights[1] == 'w' &&
            rights[2] != 'x' && start != DESK && start != 0x50000000 && own_count < MAX_OWN) {
            own[own_count].start = (uint32_t)start;
            own[own_count++].len = (uint32_t)(end - start);
        }
    return maps && fclose(maps) == 0 && own_count > 0 && own_count < MAX_OWN;
}

/* A store that hits the test would end it anywhere later; so it traps, as others do. */
static void allow_writing(bool allowed)
{
    for (unsigned i = 0; i < own_count; i++)
        mprotect((void *)own[i].start, own[i].len, PROT_READ | (allowed ? PROT_WRITE : 0));
    mprotect(gate, PAGE, PROT_READ | PROT_EXEC | (allowed ? PROT_WRITE : 0));
}
