#include "unwind_world.h"

TEST(unwind_code_without_rules)
{
    start(&w, UNWIND_X86_64); /* by frame pointer, then by rule again */
    w.regs.r[6] = STACK + 32;
    w.stack[0] = 77;
    w.stack[4] = STACK + 64, w.stack[5] = PLAIN + 0x20;
    w.stack[8] = STACK + 96, w.stack[9] = in(3);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 600020p f3p guessed, not confirmed");
    CHECK_INT(w.result.guessed, 2);
    CHECK_INT(w.result.at, PLAIN + 0x10);
    start(&w, UNWIND_X86_64); /* not yet moved its stack: the caller has rules */
    w.stack[0] = in(3);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3l guessed, not confirmed");
    start(&w, UNWIND_X86_64); /* a frame pointer that goes back */
    w.regs.r[6] = STACK + 32;
    w.stack[4] = STACK + 16, w.stack[5] = in(3);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 no call frame information");
    start(&w, UNWIND_X86_64); /* a call through a wild pointer */
    w.stack[0] = in(3);
    CHECK_STR(chain(&w, 0, STACK), "0 f3l guessed, not confirmed");
    start(&w, UNWIND_X86_64); /* the program's start */
    w.stack[0] = BIAS + CFIELF_CODE + 0x8010;
    CHECK_STR(chain(&w, in(0), STACK), "f0 509010c whole");
}

static void put_call(uint64_t target)
{
    w.has_before = true;
    memset(w.before, 0x90, sizeof w.before);
    w.before[3] = 0xe8;
    put_le32(w.before + 4, (uint32_t)(target - in(3)));
}

/* From code without rules at PLAIN + 0x10, over frame records, to function 3. */
static void through_records(unsigned records, uint64_t callers_register)
{
    start(&w, UNWIND_X86_64);
    w.regs.r[6] = STACK + 32;
    for (unsigned i = 0; i < records; i++) {
        bool last = i + 1 == records;
        w.stack[4 + 4 * i] = last ? callers_register : STACK + 32 * (i + 2);
        w.stack[5 + 4 * i] = last ? in(3) : PLAIN + 0x20;
    }
}

TEST(unwind_confirms_guessed_frames)
{
    static const uint8_t indirect[] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd6};
    through_records(1, STACK + 64); /* the call leads to code without rules */
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    CHECK_INT(w.result.guessed, 1);
    through_records(1, STACK + 64); /* to a function that has rules: it, or a frame, is missing */
    put_call(in(2) - 0x80);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p guessed, not confirmed");
    through_records(1, STACK + 64); /* what may be a frame of code that keeps none is nearer */
    put_call(PLAIN + 8);
    w.stack[2] = PLAIN + 0x20;
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p guessed, not confirmed");
    through_records(1, STACK + 64); /* through a register */
    w.has_before = true;
    memcpy(w.before, indirect, sizeof indirect);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    through_records(3, STACK + 128); /* the last confirms those that could not be read */
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 600020p 600020p f3p whole");
    CHECK_INT(w.result.guessed, 3);
    start(&w, UNWIND_X86_64); /* a leaf */
    w.stack[0] = in(3);
    put_call(PLAIN + 0x10);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3l whole");
}

/* Function 0 is called, and ends in a jump to where a stub is, or elsewhere. */
static const char *after_jump_to(uint64_t target)
{
    start(&w, UNWIND_X86_64);
    w.stack[0] = in(3);
    put_call(in(0) - 0x80);
    w.has_code = true;
    w.code_at = in(0) - 0x80;
    w.code[32] = 0xe9;
    put_le32(w.code + 33, (uint32_t)(target - (w.code_at + 37)));
    return chain(&w, PLAIN + 0x14, STACK);
}

TEST(unwind_confirms_calls_that_go_on)
{
    CHECK_STR(after_jump_to(PLAIN + 0x10), "600014 f3l whole");
    CHECK_STR(after_jump_to(PLAIN + 0x15), "600014 f3l guessed, not confirmed");
    CHECK_STR(after_jump_to(PLAIN + 0x04), "600014 f3l guessed, not confirmed");
}

/* The end of a program, that crti.o and crtbegin.o bring, from so many bytes into it. */
static const char *chain_ahead(const char *code, size_t len, unsigned at)
{
    static const uint8_t indirect[] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0};
    w.has_code = w.has_before = true;
    memcpy(w.code, code, len);
    memcpy(w.before, indirect, sizeof indirect);
    return chain(&w, PLAIN + at, STACK);
}

TEST(unwind_code_without_rules_ahead)
{
    /* endbr64; sub $8, %rsp; add $8, %rsp; ret */
    static const char fini[] = "\xf3\x0f\x1e\xfa\x48\x83\xec\x08\x48\x83\xc4\x08\xc3";
    for (unsigned at = 0; at <= 12; at += 4) {
        start(&w, UNWIND_X86_64);
        w.stack[at == 8] = in(3);
        w.stack[at != 8] = PLAIN + 0x20; /* no return address */
        chain_ahead(fini, sizeof fini, at);
        CHECK_INT(w.result.end, UNWIND_WHOLE);
        CHECK_INT(w.result.frames, 2);
        CHECK_INT(w.frame[1].method, UNWIND_CODE_SCAN);
        CHECK_INT(w.frame[1].sp, STACK + (at == 8 ? 16 : 8));
    }
    /* push %rbp; cmpq $0, x; mov %rsp, %rbp; je; call; movb $1, x; pop %rbp; ret */
    static const char aux[] = "\x55\x48\x83\x3d\1\1\1\1\0\x48\x89\xe5\x74\x05\xe8\1\0\0\0"
                              "\xc6\x05\1\1\1\1\1\x5d\xc3";
    static const unsigned at[] = {0, 1, 9, 12, 14, 19, 26, 27};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        bool pushed = at[i] > 0 && at[i]<27, framed = at[i]> 9;
        start(&w, UNWIND_X86_64);
        w.regs.r[6] = framed && pushed ? STACK : STACK + 64; /* the caller's, that it needs */
        w.stack[0] = pushed ? STACK + 64 : in(4);
        w.stack[1] = in(4);
        w.stack[9] = in(3);
        chain_ahead(aux, sizeof aux, at[i]);
        CHECK_INT(w.result.frames, 3);
        CHECK_INT(w.frame[1].pc, in(4));
        CHECK_INT(w.frame[2].pc, in(3));
        CHECK_INT(w.frame[2].sp, STACK + 80);
    }
}

/* The call names a function that ends in a jump through a register, or in none such. */
TEST(unwind_ahead_of_a_jump_through_a_register)
{
    for (int jumps = 0; jumps < 2; jumps++) {
        start(&w, UNWIND_X86_64);
        w.stack[0] = in(3);
        put_call(in(0) - 0x80);
        w.has_code = w.has_callee = true;
        memset(w.code, 0x90, sizeof w.code);
        w.code[32] = 0xc3;
        memcpy(w.callee, jumps ? "\x90\x90\xff\xe0" : "\x90\x90\xff\xd0", 4);
        CHECK_STR(chain(&w, PLAIN + 0x10, STACK),
                  jumps ? "600010 f3a whole" : "600010 f3a guessed, not confirmed");
    }
}

/* Compiled code saves its caller's register, whatever that holds: it matters where the caller needs
 * it to be found. */
TEST(unwind_by_frame_pointer_to_one_without)
{
    through_records(1, 77);
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    through_records(1, STACK + 8);
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    through_records(1, 77); /* it could not be read whether that is a call */
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 no call frame information");
    through_records(2, STACK + 96);
    w.stack[4] = 77;
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 no call frame information");
}

/* Where code can be read, a return address is behind a call. */
TEST(unwind_needs_a_call_before_a_return_address)
{
    static const uint8_t call[] = {0xe8, 0xf6, 0xff, 0xff, 0xff}; /* at 0x20 - 5, to 0x16 */
    for (int i = 0; i < 3; i++) {
        start(&w, UNWIND_X86_64);
        w.has_code = true;
        if (i)
            memcpy(w.code + 0x20 - sizeof call, call, sizeof call);
        w.stack[0] = PLAIN + 0x20;
        w.regs.r[6] = 0;
        CHECK_STR(chain(&w, PLAIN + (i == 2 ? 0x16 : 0x10), STACK),
                  i == 2 ? "600016 600020l no call frame information"
                         : "600010 no call frame information");
    }
}

/* Function 5 has popped rbp, of which its rule does not tell: its caller is found by rbp. */
static const char *chain_after(const char *before, const char *after)
{
    size_t before_len = strlen(before);
    start(&w, UNWIND_X86_64);
    w.has_code = true;
    w.code_at = in(5) - 32;
    memcpy(w.code + 32 - before_len, before, before_len);
    memcpy(w.code + 32, after, strlen(after));
    w.regs.r[6] = STACK + 64;
    w.stack[0] = in(4);
    w.stack[9] = in(3);
    return chain(&w, in(5), STACK);
}

TEST(unwind_recognises_epilogues_of_x86_64)
{
    static const char whole[] = "f5 f4c f3c whole", broken[] = "f5 f4c stack slice too short";
    CHECK_STR(chain_after("", "\x41\x5c\x41\x5d\xc3"), whole);      /* pop r12, r13; ret */
    CHECK_STR(chain_after("", "\xf3\xc3"), whole);                  /* rep ret */
    CHECK_STR(chain_after("", "\x41\x5c\x48\x89\xd8\xc3"), broken); /* a mov on the way */
    CHECK_STR(chain_after("\x5b\x5d", "\xe9"), whole);              /* pop rbx, rbp; jmp */
    CHECK_STR(chain_after("\xc9", "\xe9"), whole);                  /* leave */
    CHECK_STR(chain_after("\x5d\x5b", "\xe9"), broken);             /* rbp is not the last */
    CHECK_STR(chain_after("\x41\x5d", "\xe9"), broken);             /* r13 is */
    CHECK_STR(chain_after("\x48\x89\xd8", "\xe9"), broken);         /* none */
    CHECK_STR(chain_after("", "[[[[[[[[[[[[\xc3"), broken);         /* too many */
}

/* The caller's stack pointer is below rsp, and in the frame; what looks like one is no call's. */
TEST(unwind_finds_the_caller_below_the_red_zone)
{
    for (int call = 0; call < 2; call++) {
        start(&w, UNWIND_X86_64);
        w.has_code = true;
        w.code_at = in(3) - 32;
        w.code[32 - 5] = call ? 0xe8 : 0;
        w.stack[4] = STACK + 8;
        w.stack[10] = STACK + 160;
        w.stack[20] = in(3);
        CHECK_STR(chain(&w, in(6), STACK), call ? "f6 f3r whole" : "f6 stack slice too short");
        CHECK_INT(w.result.guessed, call);
    }
    start(&w, UNWIND_X86_64); /* of a caller it is known, and no guess is made */
    w.stack[0] = in(6), w.stack[4] = STACK + 160, w.stack[20] = in(3);
    CHECK_STR(chain(&w, in(0), STACK), "f0 f6c stack slice too short");
}
