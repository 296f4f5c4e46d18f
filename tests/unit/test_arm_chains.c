/*
 * Chains of 32-bit ARM through functions that end them, leave them, or do not return, and through
 * signals. All code here was assembled.
 */
#include "arm_world.h"

/* A leaf (bx lr), and behind a call in it: mov r7, #1; svc #0. */
static const uint16_t t_exits[] = {0x4770, 0xbf00, 0x4798, 0x2701, 0xdf00, 0xbf00, 0xbf00, 0xbf00};
static const uint32_t a_exits[] = {0xe12fff1e, 0xe12fff33, 0xe3a070f8, 0xef000000, 0xe12fff1e};
/* The same with getpid's number, from memory: it comes back, but lr is not what it was. */
static const uint16_t t_asks[] = {0x4770, 0xbf00, 0x4798, 0x4f01, 0xdf00, 0x4770, 20, 0};

TEST(arm_chains_a_thread_ends_where_it_exits)
{
    static struct world w;
    start(&w, t_exits, sizeof t_exits);
    w.regs.r[14] = CODE + 6 + 1;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ 10006/code whole");
    start(&w, a_exits, sizeof a_exits);
    w.regs.r[14] = CODE + 8;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ 10008/code whole");
    start(&w, t_asks, sizeof t_asks);
    w.regs.r[14] = CODE + 6 + 1;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ 10006/code no call frame information");
}

TEST(arm_chains_the_first_return_address_is_0)
{
    static struct world w;
    start(&w, t_exits, sizeof t_exits);
    w.regs.r[14] = 0;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ whole");
}

/* bx lr; push {r7, lr}; sub sp, #8; add r7, sp, #0; blx r3; and the next function: push {r4, lr};
 * blx r3; pop {r4, pc}; and the caller: blx r3; or bl of the first, or of the second */
static const uint16_t t_stops[] = {0x4770, 0xb580, 0xb082, 0xaf00, 0x4798, 0xb510,
                                   0x4798, 0xbd10, 0xbf00, 0x4798, 0xbf00, 0xbf00,
                                   0xf7ff, 0xfff3, 0xbf00, 0xf7ff, 0xfff4, 0xbf00};

static const char *chain_of_stop(unsigned caller)
{
    static struct world w;
    start(&w, t_stops, sizeof t_stops);
    w.regs.r[14] = CODE + 10 + 1;
    w.regs.r[7] = ENTRY - 16;
    put_word(&w, ENTRY - 8, 0);
    put_word(&w, ENTRY - 4, CODE + caller + 1);
    return chain(&w, CODE, ENTRY - 816); /* below what alloca took */
}

/* What follows is another function, so the frame is that of the instructions before. */
TEST(arm_chains_a_function_that_does_not_return)
{
    CHECK_STR(chain_of_stop(20), "10000/ 1000a/code 10014/scan no call frame information");
    CHECK_STR(chain_of_stop(28), "10000/ 1000a/code 1001c/code no call frame information");
    CHECK_STR(chain_of_stop(34), "10000/ 1000a/code no call frame information");
}

/* A function that ends in a call of the one behind it. That one jumps over frames by sp and lr as
 * they were saved; first it may ask the system, below r7 and 12 bytes, and not take them back. */
static const uint16_t t_jumps[] = {
    0xb538, 0x4604, 0x460d, 0x2d00, 0xbf08, 0x2501, 0x4629, 0x4620, 0xf000, 0xf800, 0x4684,
    0xf8dc, 0x4000, 0x45a5, 0xd912, 0xb480, 0x27ba, 0x2500, 0xb083, 0x4669, 0x4628, 0xdf00,
    0x2800, 0xd109, 0x9a01, 0xf012, 0x0f01, 0xd005, 0x9b00, 0x42a3, 0xd902, 0xb003, 0xbc80,
    0xe7fe, 0x4608, 0xf85c, 0x3b04, 0xf85c, 0x4b04, 0xf04f, 0x0201, 0x469d, 0x46a6, 0xe8bc,
    0x0ff0, 0xecbc, 0x8b10, 0x2800, 0xbf08, 0x4610, 0x4770,
};

static void check_jump(unsigned at, unsigned below)
{
    enum { CALLED = 16, CALLS = CODE + 0x14 }; /* the frame of what calls it, and where */
    static struct world w;
    char wanted[80];
    start(&w, t_jumps, sizeof t_jumps);
    w.regs.r[14] = CALLS + 1;
    put_word(&w, ENTRY - 4, CALLER + 1);
    snprintf(wanted, sizeof wanted, "%x/ %x/code %x/code no call frame information", CODE + at,
             CALLS, CALLER);
    CHECK_STR(chain(&w, CODE + at, ENTRY - CALLED - below), wanted);
}

/* What the instructions before it pushed is the frame of its caller, not its own. */
TEST(arm_chains_a_function_that_jumps_out)
{
    static const unsigned char at[] = {0x14, 0x16, 0x1a, 0x1c, 0x1e, 0x42,
                                       0x44, 0x46, 0x4a, 0x4e, 0x52},
                               deeper[] = {0x26, 0x28, 0x2a, 0x2c, 0x2e, 0x30, 0x32, 0x36,
                                           0x38, 0x3c, 0x3e, 0x44, 0x46, 0x4a, 0x4e, 0x52};
    for (size_t i = 0; i < sizeof at; i++)
        check_jump(at[i], 0);
    check_jump(0x20, 4);
    check_jump(0x40, 4);
    for (size_t i = 0; i < sizeof deeper; i++)
        check_jump(deeper[i], 16);
}

/* Behind a call through a register, lr does not name the function. */
TEST(arm_chains_a_jump_without_a_call_that_names_it)
{
    static struct world w;
    start(&w, t_jumps, sizeof t_jumps);
    w.regs.r[14] = CALLER + 1;
    put_word(&w, ENTRY - 4, CALLER + 1);
    CHECK_STR(chain(&w, CODE + 0x46, ENTRY - 16), "10046/ 20000/scan no call frame information");
}

/* bx lr; blx r3; and what libgcc's functions end with that raise: ldr.w lr, [sp, #64]; add sp, #72;
 * bx lr. The caller is the first of all. */
static const uint16_t t_raises[] = {0x4770, 0xbf00, 0xbf00, 0x4798, 0xf8dd,
                                    0xe040, 0xb012, 0x4770, 0xbf00, 0xbf00};

static const char *chain_of_raise(uint32_t saved_sp, uint32_t saved_pc)
{
    static struct world w;
    start(&w, t_raises, sizeof t_raises);
    w.regs.r[14] = CODE + 8 + 1;
    put_word(&w, ENTRY - 72 + 60, saved_sp);
    put_word(&w, ENTRY - 72 + 64, 0);
    put_word(&w, ENTRY - 72 + 68, saved_pc);
    return chain(&w, CODE, ENTRY - 72);
}

/* The registers that were saved are those of a frame further out. */
TEST(arm_chains_a_return_address_that_was_overwritten)
{
    CHECK_STR(chain_of_raise(ENTRY, 0), "10000/ 10008/code whole");
    CHECK_STR(chain_of_raise(ENTRY + 64, 0), "10000/ 10008/code guessed, not confirmed");
    CHECK_STR(chain_of_raise(ENTRY, CALLER), "10000/ 10008/code guessed, not confirmed");
}

/* --- signals --- */

static void check_signal(const void *bytes, size_t len, unsigned thumb, unsigned context)
{
    static struct world w;
    uint32_t sp = STACK + 0x100;
    start(&w, bytes, len);
    for (uint32_t reg = 0; reg < 15; reg++)
        put_word(&w, sp + context + 4 * reg, 0x100 + reg);
    put_word(&w, sp + context + 4 * 13, ENTRY);
    put_word(&w, sp + context + 4 * 14, CALLER | 1);
    put_word(&w, sp + context + 4 * 15, CODE);
    w.regs.r[14] = CODE + 4 + thumb;
    CHECK_STR(chain(&w, CODE, sp),
              "10000/ 10004/code 10000/signal 20000/code no call frame information");
}

/* A leaf, which is handler and interrupted function, and a return from a signal. */
TEST(arm_chains_signals)
{
    static const uint16_t t32[] = {0x4770, 0xbf00, 0x2777, 0xdf00, 0xbf00, 0xbf00, 0xbf00},
                          t32_rt[] = {0x4770, 0xbf00, 0x27ad, 0xdf00, 0xbf00, 0xbf00, 0xbf00},
                          wide[] = {0x4770, 0xbf00, 0xf04f, 0x0777, 0xdf00, 0xbf00, 0xbf00},
                          wide_rt[] = {0x4770, 0xbf00, 0xf04f, 0x07ad, 0xdf00, 0xbf00, 0xbf00};
    static const uint32_t a32[] = {0xe12fff1e, 0xe3a07077, 0xef000000, 0xe12fff33},
                          a32_rt[] = {0xe12fff1e, 0xe3a070ad, 0xef000000, 0xe12fff33};
    check_signal(t32, sizeof t32, 1, 32);
    check_signal(t32_rt, sizeof t32_rt, 1, 160);
    check_signal(wide, sizeof wide, 1, 32);
    check_signal(wide_rt, sizeof wide_rt, 1, 160);
    check_signal(a32, sizeof a32, 0, 32);
    check_signal(a32_rt, sizeof a32_rt, 0, 160);
}
