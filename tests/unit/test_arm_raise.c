/*
 * The caller of a function of libgcc that has overwritten its return address is found by the calls
 * of it in other modules: here one module like libgcc, one like libstdc++ with a stub.
 */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/unwind/unwind.h"

#include "../lib/raiseelf.h"

#include <string.h>

enum {
    RAISES = 0x100000, /* where the modules are */
    THROWS = 0x200000,
    CALLER = 0x300000, /* Thumb: it has called through r3 */
    STACK = 0x400000,
    STACK_BYTES = 0x1000,
    ENTRY = STACK + 0x800,
    CODE = RAISEELF_CODE,
};

struct world {
    struct raiseelf raises, throws;
    struct cfi *cfi[2];
    uint8_t stack[STACK_BYTES];
};

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    static const uint8_t call[] = {0, 0, 0, 0, 0, 0, 0x98, 0x47}; /* blx r3 */
    const struct world *w = arg;
    const struct unwind_slice slices[] = {{RAISES + CODE, w->raises.code, sizeof w->raises.code},
                                          {THROWS + CODE, w->throws.code, sizeof w->throws.code},
                                          {CALLER - 8, call, sizeof call},
                                          {STACK, w->stack, sizeof w->stack}};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++)
        if (unwind_slice_read(&slices[i], addr, bytes, len))
            return true;
    return false;
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    const struct world *w = arg;
    uint64_t base = pc & ~UINT64_C(0xfffff);
    bool raises = base == RAISES, throws = base == THROWS;
    *out = (struct unwind_code){raises ? w->cfi[0] : throws ? w->cfi[1] : NULL, base};
    return raises || throws || (pc >= CALLER - 8 && pc <= CALLER);
}

static bool next(void *arg, uint64_t addr, uint64_t *start)
{
    (void)arg;
    *start = addr < RAISES + CODE ? RAISES + CODE : THROWS + CODE;
    return addr < THROWS + CODE;
}

static void put_word(struct world *w, uint32_t at, uint32_t value)
{
    put_le32(w->stack + (at - STACK), value);
}

static void new_table(struct raiseelf *i, struct cfi **out)
{
    struct fail f;
    CHECK(cfi_new(&(struct cfi_image){(const uint8_t *)i, sizeof *i, NULL}, NULL, out, &f) == 0);
}

/* bx lr; nop; nop; blx r3; ldr.w lr, [sp, #64]; add sp, #72; bx lr */
static const uint16_t t_raises[] = {0x4770, 0xbf00, 0xbf00, 0x4798, 0xf8dd, 0xe040, 0xb012, 0x4770};

/* The third frame of the chain, and its stack pointer: the call that was found. */
static struct unwind_frame caller_of_raise(const void *throws, size_t len, bool searched)
{
    static struct world w;
    struct unwind_frame frame[8] = {{0}};
    struct unwind_regs regs = {.known = 0xffff | UINT64_C(1) << UNWIND_PC};
    struct unwind_space s = {.machine = UNWIND_ARM,
                             .memory = memory,
                             .code = code,
                             .next = searched ? next : NULL,
                             .arg = &w};
    w = (struct world){.cfi = {NULL}};
    raiseelf_make(&w.raises, t_raises, sizeof t_raises, true);
    raiseelf_make(&w.throws, throws, len, false);
    new_table(&w.raises, &w.cfi[0]);
    new_table(&w.throws, &w.cfi[1]);
    put_word(&w, ENTRY + 4, CALLER | 1);       /* push {r4, lr} of the function that called */
    put_word(&w, ENTRY - 72 + 60, ENTRY + 64); /* overwritten */
    put_word(&w, ENTRY - 72 + 64, CALLER | 1);
    put_word(&w, ENTRY - 72 + 68, CALLER | 1);
    regs.r[UNWIND_PC] = RAISES + CODE;
    regs.r[13] = ENTRY - 72;
    regs.r[14] = RAISES + CODE + 8 + 1;
    unwind(&s, &regs, frame, 8);
    cfi_free(w.cfi[0]);
    cfi_free(w.cfi[1]);
    return frame[2];
}

/* push {r4, lr}; nop; blx STUB; nop; nop */
static const uint16_t t_throws[] = {0xb510, 0xbf00, 0xf000, 0xe81c, 0xbf00, 0xbf00};
/* push {r4, lr}; nop; blx STUB; blx STUB; nop; nop */
static const uint16_t t_twice[] = {0xb510, 0xbf00, 0xf000, 0xe81c, 0xf000, 0xe81a, 0xbf00, 0xbf00};

TEST(arm_raise_the_one_call_that_fits)
{
    struct unwind_frame f = caller_of_raise(t_throws, sizeof t_throws, true);
    CHECK_INT(f.pc, THROWS + CODE + 8);
    CHECK_INT(f.sp, ENTRY);
    CHECK_INT(f.method, UNWIND_CODE);
}

TEST(arm_raise_two_calls_that_fit_or_no_other_module)
{
    CHECK(caller_of_raise(t_twice, sizeof t_twice, true).pc != THROWS + CODE + 8);
    CHECK(caller_of_raise(t_throws, sizeof t_throws, false).pc != THROWS + CODE + 8);
}
