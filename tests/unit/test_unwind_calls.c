#include "unwind_world.h"

/* in(3) is where function 3 goes on: 0x380 into the code. */
static bool is_call(const uint8_t before[8], size_t callee)
{
    start(&w, UNWIND_X86_64);
    w.has_before = true;
    memcpy(w.before, before, 8);
    bool is = unwind_is_call(&w.space, in(3), in(callee));
    cfi_free(w.cfi);
    return is;
}

TEST(unwind_a_call_leads_to_a_function)
{
    static const uint8_t to_1[8] = {0x90, 0x90, 0x90, 0xe8, 0x80, 0xfd, 0xff, 0xff};
    static const uint8_t by_rax[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0};
    static const uint8_t no_call[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};
    CHECK(is_call(to_1, 1));
    CHECK(!is_call(to_1, 0));
    CHECK(!is_call(to_1, 2));
    CHECK(is_call(by_rax, 2));
    CHECK(!is_call(no_call, 1));
}

/* A function that is called goes on in function 2. */
static bool goes_on(enum unwind_machine m, uint64_t returns_to, const void *jump, size_t len,
                    size_t at, size_t callee)
{
    w.has_code = true;
    memset(w.code, m == UNWIND_X86_64 ? 0x90 : 0, sizeof w.code);
    w.code_at = in(0) - 0x80;
    memcpy(w.code + at, jump, len);
    return unwind_is_call(&w.space, returns_to, in(callee));
}

TEST(unwind_a_call_that_goes_on)
{
    static const uint8_t to_0[8] = {0x90, 0x90, 0x90, 0xe8, 0x80, 0xfc, 0xff, 0xff};
    static const uint8_t jmp[] = {0xe9, 0xdb, 0x01, 0, 0}, jne[] = {0x0f, 0x85, 0xda, 0x01, 0, 0};
    static const uint8_t stub[] = {0xff, 0x25, 0, 0, 0, 0};
    start(&w, UNWIND_X86_64);
    w.has_before = true;
    memcpy(w.before, to_0, 8);
    CHECK(goes_on(UNWIND_X86_64, in(3), jmp, sizeof jmp, 32, 2)); /* to 0x200: its first byte */
    CHECK(!goes_on(UNWIND_X86_64, in(3), jmp, sizeof jmp, 32, 1));
    CHECK(goes_on(UNWIND_X86_64, in(3), jne, sizeof jne, 32, 2));
    CHECK(goes_on(UNWIND_X86_64, in(3), stub, sizeof stub, 4, 2));
    CHECK(!goes_on(UNWIND_X86_64, in(3), stub, sizeof stub, 32, 2)); /* a switch's, may be */
    CHECK(!goes_on(UNWIND_X86_64, in(3), "", 0, 0, 2));
    cfi_free(w.cfi);
}

static void put_op(uint8_t *to, uint32_t op)
{
    put_le32(to, op);
}

TEST(unwind_a_call_that_goes_on_arm64)
{
    static const struct {
        uint32_t op;
        size_t at;
        bool goes;
    } tried[] = {{0x14000080, 0, true},  {0x14000078, 32, true},  {0x54000f00, 32, true},
                 {0xb4000f00, 32, true}, {0x36000f00, 32, true},  {0x54000700, 32, false},
                 {0xd61f0220, 8, true},  {0xd61f0220, 32, false}, {0x94000078, 32, false}};
    uint8_t op[4];
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        start(&w, UNWIND_AARCH64);
        w.has_before = true;
        put_op(w.before + 4, 0x97ffff21); /* bl 0x0, at 0x37c */
        put_op(op, tried[i].op);
        CHECK_INT(goes_on(UNWIND_AARCH64, BIAS + CFIELF_CODE + 0x380, op, 4, tried[i].at, 2),
                  tried[i].goes);
        cfi_free(w.cfi);
    }
}
