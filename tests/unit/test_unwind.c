#include "unwind_world.h"

TEST(unwind_by_saved_registers)
{
    start(&w, UNWIND_X86_64);
    w.stack[0] = in(1);      /* of function 0, at sp */
    w.stack[3] = STACK + 96; /* of function 1: rbx at CFA - 16 */
    w.stack[4] = in(2);      /*   its return address */
    w.stack[13] = in(3);     /* of function 2: CFA = rbx + 16 = 112 */
    CHECK_STR(chain(&w, in(0), STACK), "f0 f1c f2c f3c whole");
    CHECK_INT(w.frame[0].returns, false);
    CHECK_INT(w.frame[1].returns, true);
    CHECK_INT(unwind_lookup_pc(&w.frame[1]), in(1) - 1);
    CHECK_INT(w.frame[3].sp, STACK + 112);
}

TEST(unwind_names_the_reason_why_it_ends)
{
    start(&w, UNWIND_X86_64);
    CHECK_STR(chain(&w, in(1), STACK + 8 * WORDS - 8), "f1 stack slice too short");
    CHECK_INT(w.result.at, STACK + 8 * WORDS + 16);
    start(&w, UNWIND_X86_64);
    w.regs.r[3] = STACK - 16;
    CHECK_STR(chain(&w, in(2), STACK + 8), "f2 frame address does not grow");
    start(&w, UNWIND_X86_64);
    w.regs.r[3] = STACK + 4;
    CHECK_STR(chain(&w, in(2), STACK), "f2 frame address does not grow");
    start(&w, UNWIND_X86_64);
    w.stack[0] = 0x1234;
    CHECK_STR(chain(&w, in(0), STACK), "f0 return address not in code");
    CHECK_INT(w.result.at, 0x1234);
    start(&w, UNWIND_X86_64);
    CHECK_STR(chain(&w, in(0), STACK), "f0 whole"); /* a thread's start: 0 */
    start(&w, UNWIND_X86_64);
    w.regs.known &= ~(uint64_t)8;
    CHECK_STR(chain(&w, in(2), STACK), "f2 value of a register unknown");
    start(&w, UNWIND_X86_64);
    for (int i = 0; i < WORDS; i++)
        w.stack[i] = in(0);
    CHECK_STR(strstr(chain(&w, in(0), STACK), "too"), "too deep");
    CHECK_INT(w.result.frames, MOST);
    start(&w, UNWIND_X86_64);
    w.regs.known = 1;
    CHECK_STR(chain(&w, in(0), STACK), "value of a register unknown");
}

/* Function 1 saved rbx 800 bytes above its frame, where the slice does not reach; function 2 needs
 * it. */
TEST(unwind_tells_a_register_beyond_the_slice)
{
    static const struct program p[] = {
        {{0}, 0}, {{0x0e, 32, 0x11, 3, 0x9c, 0x7f}, 6}, {{0x0c, 3, 16}, 3}, {{0x07, 16}, 2}};
    start(&w, UNWIND_X86_64);
    cfi_free(w.cfi);
    w.cfi = table(EM_X86_64, false, &x86_start, p, 4);
    w.stack[3] = in(2);
    CHECK_STR(chain(&w, in(1), STACK), "f1 f2c stack slice too short");
    CHECK_INT(w.result.at, STACK + 32 + 800);
}

/* The last instruction of function 0 calls, and its return address is in function 1. */
TEST(unwind_looks_up_what_called)
{
    start(&w, UNWIND_X86_64);
    w.stack[0] = in(1) - 0x80; /* function 1 would find its caller three words further out */
    w.stack[1] = in(3);
    CHECK_STR(chain(&w, in(0), STACK), "f0 501100c f3c whole");
}

TEST(unwind_arm64_with_signed_addresses_leaves_and_stubs)
{
    start(&w, UNWIND_AARCH64);
    w.regs.r[30] = in(1) | UINT64_C(0x2a) << 56 | UINT64_C(0x5) << 48; /* signed */
    w.stack[0] = STACK + 100, w.stack[1] = in(2) | UINT64_C(0xff) << 48;
    CHECK_STR(chain(&w, in(0), STACK), "f0 f1c f2c whole");
    start(&w, UNWIND_AARCH64);
    w.regs.r[30] = in(0); /* a leaf that was called by itself: for ever */
    CHECK_STR(chain(&w, in(0), STACK), "f0 f0c frame address does not grow");
    start(&w, UNWIND_AARCH64); /* a stub: lr */
    w.regs.r[30] = in(2);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f2l guessed, not confirmed");
    start(&w, UNWIND_AARCH64);
    w.regs.r[29] = STACK + 32, w.regs.r[30] = PLAIN + 8;
    w.stack[4] = 0, w.stack[5] = in(2);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f2p guessed, not confirmed");
}

/* The kernel's record, found by the instructions that return to it; the interrupted function may
 * be a leaf, and its stack another. */
TEST(unwind_signal_x86_64)
{
    static const uint8_t code_bytes[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
    start(&w, UNWIND_X86_64);
    w.has_code = true;
    memcpy(w.code + 16, code_bytes, sizeof code_bytes);
    w.stack[20] = PLAIN + 16;                                   /* the handler's return address */
    w.stack[21 + 5 + 15] = STACK, w.stack[21 + 5 + 16] = in(0); /* rsp, rip */
    w.stack[0] = in(3);
    CHECK_STR(chain(&w, in(0), STACK + 160), "f0 600010c f0s f3c whole");
    CHECK_INT(w.frame[1].returns, false); /* nothing has called there */
    CHECK_INT(w.frame[2].returns, false);
    CHECK_INT(w.frame[3].returns, true);
    start(&w, UNWIND_X86_64); /* between its two instructions */
    w.has_code = true;
    memcpy(w.code + 16, code_bytes, sizeof code_bytes);
    w.stack[5 + 15] = STACK + 256, w.stack[5 + 16] = in(0), w.stack[32] = in(3);
    CHECK_STR(chain(&w, PLAIN + 16 + 7, STACK), "600017 f0s f3c whole");
}

/* As Go has it: the instructions are a function with a rule as any other's. */
TEST(unwind_signal_return_with_a_rule)
{
    static const uint8_t code_bytes[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
    start(&w, UNWIND_X86_64);
    w.has_code = true;
    w.code_at = BIAS + CFIELF_CODE + 0x600;
    memcpy(w.code, code_bytes, sizeof code_bytes);
    w.stack[20] = w.code_at;
    w.stack[21 + 5 + 15] = STACK, w.stack[21 + 5 + 16] = in(0);
    w.stack[0] = in(3);
    w.regs.r[UNWIND_PC] = in(0);
    w.regs.r[7] = STACK + 160;
    unwind(&w.space, &w.regs, w.frame, MOST);
    CHECK(cfi_is_plain(w.cfi, in(0) - BIAS));
    CHECK(!cfi_is_plain(w.cfi, w.code_at - BIAS));
    CHECK(!cfi_is_plain(w.cfi, in(1) - BIAS));
    CHECK_STR(chain(&w, in(0), STACK + 160), "f0 501600c f0s f3c whole");
    CHECK_INT(w.frame[1].returns, false);
}

TEST(unwind_signal_frame_of_arm64)
{
    static const uint8_t code_bytes[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
    start(&w, UNWIND_AARCH64);
    w.has_code = true;
    memcpy(w.code + 16, code_bytes, sizeof code_bytes);
    w.regs.r[30] = PLAIN + 16;
    /* sp is 24 words below the stack: the first registers are not needed, but must be there */
    CHECK_STR(chain(&w, in(0), STACK), "f0 600010c stack slice too short");
    CHECK_INT(w.result.at, STACK + 8 * WORDS);
}

/* By rules alone, as glibc has them: rsp and the pc by expressions. Function 1 is interrupted at
 * its first byte. */
TEST(unwind_signal_frame_covers_its_first_byte)
{
    static const struct program p[2] = {{{0x0f, 3, 0x77, 0x10, 0x06, 0x10, 16, 2, 0x77, 8}, 10},
                                        {{0}, 0}};
    start(&w, UNWIND_X86_64);
    cfi_free(w.cfi);
    w.cfi = table(EM_X86_64, true, &x86_start, p, 2);
    w.stack[11] = in(1) - 0x80;
    w.stack[12] = STACK + 16;
    w.stack[2] = 0;
    CHECK_STR(chain(&w, in(0), STACK + 80), "f0 501100s 0s no call frame information");
    CHECK_INT(w.frame[1].sp, STACK + 16);
    CHECK_INT(w.frame[1].returns, false);
}

TEST(unwind_maps_the_registers_of_perf)
{
    struct unwind_regs r;
    uint64_t values[33];
    for (uint64_t i = 0; i < 33; i++)
        values[i] = 100 + i;
    CHECK_INT(unwind_perf_mask(UNWIND_X86_64), 0xff01ff);
    CHECK(unwind_regs_of_perf(UNWIND_X86_64, 2, 0xff01ff, values, 17, &r));
    CHECK_INT(r.r[0], 100);         /* AX */
    CHECK_INT(r.r[3], 101);         /* BX */
    CHECK_INT(r.r[6], 106);         /* BP */
    CHECK_INT(r.r[7], 107);         /* SP */
    CHECK_INT(r.r[UNWIND_PC], 108); /* IP */
    CHECK_INT(r.r[8], 109);         /* R8 */
    CHECK_INT(r.r[15], 116);
    CHECK_INT(r.known, 0xffff | UINT64_C(1) << UNWIND_PC);
    CHECK(!unwind_regs_of_perf(UNWIND_X86_64, 1, 0xff01ff, values, 17, &r));
    CHECK(unwind_regs_of_perf(UNWIND_AARCH64, 2, unwind_perf_mask(UNWIND_AARCH64), values, 33, &r));
    CHECK_INT(r.r[30], 130);
    CHECK_INT(r.r[31], 131);
    CHECK_INT(r.r[UNWIND_PC], 132);
    CHECK(unwind_regs_of_perf(UNWIND_ARM, 1, 0xffff, values, 16, &r));
    CHECK_INT(r.r[14], 114);
    CHECK_INT(r.r[UNWIND_PC], 115);
}
