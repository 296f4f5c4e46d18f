/* Relocated instructions do what the original ones do, on an arm64 processor or in qemu-aarch64. */
#include "unit.h"

#ifdef __aarch64__

#include "../lib/chance.h"
#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/insn/arm64.h"
#include "core/probe/trampoline.h"

#include <stdbool.h>
#include <sys/mman.h>

enum { REGS = 31, X17 = 17, PAGE = 4096, PLACES = 8 };

struct state {
    uint64_t reg[32], flags, exit;
    uint8_t simd[32][16];
};

struct state arm64_state __attribute__((aligned(16)));
uint64_t arm64_host[24];
void arm64_enter(uint64_t to);
void arm64_leave(void);

/* Registers at 8 each, flags at 256, exit at 264, q0 at 272. A stub has pushed x16 and x17, and set
 * x16 to the exit. */
__asm__(".text\n"
        ".macro each_q op\n"
        "add x17, x17, #272\n"
        ".irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30\n"
        "\\op \\n\n"
        ".endr\n"
        "sub x17, x17, #784\n"
        ".endm\n"
        ".macro load_q n\n ldr q\\n, [x17], #16\n load_next \\n\n.endm\n"
        ".macro store_q n\n str q\\n, [x17], #16\n store_next \\n\n.endm\n"
        ".altmacro\n"
        ".macro load_next n\n load_one %(\\n + 1)\n.endm\n"
        ".macro store_next n\n store_one %(\\n + 1)\n.endm\n"
        ".macro load_one n\n ldr q\\n, [x17], #16\n.endm\n"
        ".macro store_one n\n str q\\n, [x17], #16\n.endm\n"
        ".global arm64_enter\n"
        "arm64_enter:\n"
        "adrp x17, arm64_host\n add x17, x17, :lo12:arm64_host\n"
        "stp x19, x20, [x17]\n stp x21, x22, [x17, #16]\n stp x23, x24, [x17, #32]\n"
        "stp x25, x26, [x17, #48]\n stp x27, x28, [x17, #64]\n stp x29, x30, [x17, #80]\n"
        "mov x16, sp\n str x16, [x17, #96]\n stp d8, d9, [x17, #104]\n"
        "stp d10, d11, [x17, #120]\n stp d12, d13, [x17, #136]\n stp d14, d15, [x17, #152]\n"
        "str x0, [x17, #168]\n"
        "adrp x17, arm64_state\n add x17, x17, :lo12:arm64_state\n"
        "each_q load_q\n"
        "ldr x0, [x17, #256]\n msr nzcv, x0\n"
        "ldp x0, x1, [x17]\n ldp x2, x3, [x17, #16]\n ldp x4, x5, [x17, #32]\n"
        "ldp x6, x7, [x17, #48]\n ldp x8, x9, [x17, #64]\n ldp x10, x11, [x17, #80]\n"
        "ldp x12, x13, [x17, #96]\n ldp x14, x15, [x17, #112]\n ldr x16, [x17, #128]\n"
        "ldr x18, [x17, #144]\n ldr x19, [x17, #152]\n"
        "ldp x20, x21, [x17, #160]\n ldp x22, x23, [x17, #176]\n ldp x24, x25, [x17, #192]\n"
        "ldp x26, x27, [x17, #208]\n ldp x28, x29, [x17, #224]\n ldr x30, [x17, #240]\n"
        "adrp x17, arm64_host\n add x17, x17, :lo12:arm64_host\n ldr x17, [x17, #168]\n"
        "br x17\n"
        ".global arm64_leave\n"
        "arm64_leave:\n"
        "adrp x17, arm64_state\n add x17, x17, :lo12:arm64_state\n"
        "stp x0, x1, [x17]\n stp x2, x3, [x17, #16]\n stp x4, x5, [x17, #32]\n"
        "stp x6, x7, [x17, #48]\n stp x8, x9, [x17, #64]\n stp x10, x11, [x17, #80]\n"
        "stp x12, x13, [x17, #96]\n stp x14, x15, [x17, #112]\n"
        "str x18, [x17, #144]\n str x19, [x17, #152]\n"
        "stp x20, x21, [x17, #160]\n stp x22, x23, [x17, #176]\n stp x24, x25, [x17, #192]\n"
        "stp x26, x27, [x17, #208]\n stp x28, x29, [x17, #224]\n str x30, [x17, #240]\n"
        "str x16, [x17, #264]\n"
        "ldp x0, x1, [sp], #16\n stp x0, x1, [x17, #128]\n"
        "mrs x0, nzcv\n str x0, [x17, #256]\n"
        "each_q store_q\n"
        "adrp x17, arm64_host\n add x17, x17, :lo12:arm64_host\n"
        "ldp x19, x20, [x17]\n ldp x21, x22, [x17, #16]\n ldp x23, x24, [x17, #32]\n"
        "ldp x25, x26, [x17, #48]\n ldp x27, x28, [x17, #64]\n ldp x29, x30, [x17, #80]\n"
        "ldr x16, [x17, #96]\n mov sp, x16\n ldp d8, d9, [x17, #104]\n"
        "ldp d10, d11, [x17, #120]\n ldp d12, d13, [x17, #136]\n ldp d14, d15, [x17, #152]\n"
        "ret\n"
        ".noaltmacro\n");

/* --- places: the original in the middle of the first, the copies in the others --- */

static uint8_t *place[PLACES];

static bool map_places(void)
{
    for (unsigned i = 0; i < PLACES; i++) {
        uint64_t addr = (UINT64_C(0x40000000) + i * UINT64_C(0xf00000)) & ~UINT64_C(4095);
        void *at = mmap((void *)addr, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        place[i] = at == MAP_FAILED ? NULL : at;
        if (!place[i])
            return false;
    }
    return true;
}

static void put_stub(uint8_t *at, unsigned exit)
{
    put_le32(at, 0xa9bf47f0);                 /* stp x16, x17, [sp, #-16]! */
    put_le32(at + 4, 0xd2800010 | exit << 5); /* movz x16 */
    put_le32(at + 8, 0x58000051);             /* ldr x17, the word behind the next */
    put_le32(at + 12, 0xd61f0220);            /* br x17 */
    put_le64(at + 16, (uintptr_t)arm64_leave);
}

/* --- a case --- */

enum { ORIGINAL = 2048, BACK = 1024, FORTH = 3072 };

static uint32_t relative_word(void)
{
    static const uint32_t forms[] = {0x14000000, 0x94000000, 0x54000000, 0x34000000, 0x35000000,
                                     0xb4000000, 0xb5000000, 0x36000000, 0x37000000, 0xb7000000,
                                     0x10000000, 0x90000000, 0x18000000, 0x58000000, 0x98000000,
                                     0xd8000000, 0x1c000000, 0x5c000000, 0x9c000000};
    uint32_t form = forms[draw() % (sizeof forms / sizeof *forms)];
    uint32_t reg = (uint32_t)(draw() % REGS), bits = (uint32_t)draw();
    uint32_t distance = (uint32_t)(draw() % 2 ? (FORTH - ORIGINAL) / 4 : (BACK - ORIGINAL) / 4);
    reg = reg == X17 || reg == 16 ? 0 : reg;
    if ((form & 0x7c000000) == 0x14000000)
        return form | (distance & 0x3ffffff);
    if (form == 0x54000000)
        return form | (distance & 0x7ffff) << 5 | (bits & 15);
    if ((form & 0x7e000000) == 0x36000000)
        return form | (distance & 0x3fff) << 5 | (bits & 31) << 19 | reg;
    if ((form & 0x1f000000) == 0x10000000)
        return form | (bits & 0x607fffe0) | reg; /* any address that a copy reaches, too */
    return form | (distance & 0x7ffff) << 5 | reg;
}

/* What adds, moves and compares, with a form for flags. */
static uint32_t plain_word(void)
{
    static const uint32_t forms[] = {0x8b000000, 0xeb000000, 0xaa000000, 0xca000000, 0x0b000000,
                                     0x6b000000, 0x9b007c00, 0x9ac02000, 0xba000000, 0x9a800000};
    uint32_t regs =
        (uint32_t)(draw() % 16) | (uint32_t)(draw() % 16) << 5 | (uint32_t)(draw() % 16) << 16;
    return forms[draw() % (sizeof forms / sizeof *forms)] | regs;
}

static void draw_state(struct state *s)
{
    for (unsigned i = 0; i < REGS; i++)
        s->reg[i] = draw() % 4 ? draw() : 0;
    s->flags = (draw() & 15) << 28;
    for (unsigned i = 0; i < sizeof s->simd; i++)
        s->simd[i / 16][i % 16] = (uint8_t)draw();
}

static void run_at(const uint8_t *to, const struct state *from, struct state *out)
{
    arm64_state = *from;
    arm64_enter((uintptr_t)to);
    *out = arm64_state;
    out->reg[X17] = 0;
}

static void flush(uint8_t *at)
{
    __builtin___clear_cache((char *)at, (char *)at + PAGE);
}

/* Alone, or behind a call of a hook: add x17, x30, #4; ldr x30, [sp], #16; br x17 */
static int write_copy(const struct probe_moved *m, uint8_t *to)
{
    uint8_t *hook = to - ((uintptr_t)to & (PAGE - 1)) + 3072;
    put_le32(hook, 0x910013d1);
    put_le32(hook + 4, 0xf84107fe);
    put_le32(hook + 8, 0xd61f0220);
    struct probe_hook h = {(uintptr_t)hook, 7};
    return draw() % 2 ? probe_arm64_relocate(m, to)
                      : probe_trampoline(ELF_MACHINE_AARCH64, m, &h, to);
}

static bool is_same(uint32_t word)
{
    static struct state start, original, copy;
    uint8_t bytes[4], *to = place[1 + draw() % (PLACES - 1)] + draw() % 256 * 4;
    put_le32(bytes, word);
    struct probe_moved m = {bytes, 4, (uintptr_t)place[0] + ORIGINAL, (uintptr_t)to, false};
    if (write_copy(&m, to) < 0)
        return false;
    memcpy(place[0] + ORIGINAL, bytes, 4);
    flush(place[0]);
    flush(to - ((uintptr_t)to & (PAGE - 1)));
    draw_state(&start);
    run_at(place[0] + ORIGINAL, &start, &original);
    run_at(to, &start, &copy);
    return memcmp(&original, &copy, sizeof copy) == 0;
}

TEST(probe_arm64_run_is_the_same)
{
    if (!map_places())
        SKIP("memory at the addresses of the test is taken");
    put_stub(place[0] + ORIGINAL + 4, 1);
    put_stub(place[0] + BACK, 2);
    put_stub(place[0] + FORTH, 3);
    uint64_t cases = chance_cases((uint64_t)unit_rounds(200000)), differences = 0;
    for (uint64_t i = 0; i < cases; i++) {
        uint32_t word = draw() % 4 ? relative_word() : plain_word();
        bool same = is_same(word);
        differences += !same;
        if (!same)
            printf("    %08x\n", word);
    }
    CHECK_INT(differences, 0);
    printf("    %llu cases, %llu differences\n", (unsigned long long)cases,
           (unsigned long long)differences);
}

#else

TEST(probe_arm64_run_is_the_same)
{
    SKIP("this is no arm64 processor");
}

#endif
