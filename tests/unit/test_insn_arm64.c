#include "unit.h"

#include "core/insn/arm64.h"

static const char *read(uint32_t word)
{
    static const char *const kinds[] = {"plain", "nop",   "landing", "jump",   "branch",
                                        "call",  "jump*", "call*",   "return", "trap"};
    static const char *const forms[] = {"", " b", " branch", " test", " adr", " adrp", " literal"};
    static char text[64];
    struct arm64_insn i;
    arm64_insn_read(word, &i);
    int n = snprintf(text, sizeof text, "%s%s%s", kinds[i.kind], forms[i.relative],
                     i.signs ? " signs" : "");
    if (i.relative)
        snprintf(text + n, sizeof text - (size_t)n, " %" PRIx64, arm64_insn_target(&i, 0x10004));
    return text;
}

TEST(insn_arm64_flow)
{
    CHECK_STR(read(0x14000002), "jump b 1000c");
    CHECK_STR(read(0x97ffffff), "call b 10000");
    CHECK_STR(read(0x54ffffe0), "branch branch 10000"); /* b.eq */
    CHECK_STR(read(0xb5000040), "branch branch 1000c"); /* cbnz x0 */
    CHECK_STR(read(0x37180040), "branch test 1000c");   /* tbnz w0, #3 */
    CHECK_STR(read(0xd61f0220), "jump*");               /* br x17 */
    CHECK_STR(read(0xd71f0a11), "jump*");               /* braa x16, x17 */
    CHECK_STR(read(0xd63f0000), "call*");
    CHECK_STR(read(0xd65f03c0), "return");
    CHECK_STR(read(0xd65f0bff), "return"); /* retaa */
    CHECK_STR(read(0xd4200000), "trap");   /* brk */
    CHECK_STR(read(0x00000000), "trap");   /* udf */
    CHECK_STR(read(0xd4000001), "plain");  /* svc */
}

TEST(insn_arm64_that_is_relative)
{
    CHECK_STR(read(0x10000040), "plain adr 1000c");
    CHECK_STR(read(0x70ffffe0), "plain adr 10003");
    CHECK_STR(read(0xb0000000), "plain adrp 11000");
    CHECK_STR(read(0x58000040), "plain literal 1000c"); /* ldr x0 */
    CHECK_STR(read(0x9c000040), "plain literal 1000c"); /* ldr q0 */
    CHECK_STR(read(0x98000040), "plain literal 1000c"); /* ldrsw x0 */
    CHECK_STR(read(0xf9400000), "plain");               /* ldr x0, [x0] */
}

TEST(insn_arm64_hints)
{
    CHECK_STR(read(0xd503201f), "nop");
    CHECK_STR(read(0xd503245f), "landing");     /* bti c */
    CHECK_STR(read(0xd50324df), "landing");     /* bti jc */
    CHECK_STR(read(0xd503233f), "plain signs"); /* paciasp */
    CHECK_STR(read(0xd503237f), "plain signs"); /* pacibsp */
    CHECK_STR(read(0xd50323bf), "plain");       /* autiasp */
}

TEST(insn_arm64_stores)
{
    struct arm64_store s;
    CHECK(arm64_store_read(0xa9bf7bfd, &s)); /* stp x29, x30, [sp, #-16]! */
    CHECK_INT(s.base, 31);
    CHECK_INT(s.reg, 29);
    CHECK_INT(s.reg2, 30);
    CHECK(arm64_store_read(0xf81f0ffe, &s)); /* str x30, [sp, #-16]! */
    CHECK_INT(s.reg, 30);
    CHECK(arm64_store_read(0xf90007fe, &s));  /* str x30, [sp, #8] */
    CHECK(!arm64_store_read(0xa8c17bfd, &s)); /* ldp */
    CHECK(!arm64_store_read(0xf94007fe, &s)); /* ldr */
}

static int32_t stored_at(uint32_t word)
{
    struct arm64_store s;
    return arm64_store_read(word, &s) ? s.offset : 1;
}

TEST(insn_arm64_stores_at)
{
    CHECK_INT(stored_at(0xa9bf7bfd), -16); /* stp x29, x30, [sp, #-16]! */
    CHECK_INT(stored_at(0xa9037bfd), 48);  /* stp x29, x30, [sp, #48] */
    CHECK_INT(stored_at(0xa8817bfd), 0);   /* stp x29, x30, [sp], #16 */
    CHECK_INT(stored_at(0xf81f0ffe), -16); /* str x30, [sp, #-16]! */
    CHECK_INT(stored_at(0xf80107fe), 0);   /* str x30, [sp], #16 */
    CHECK_INT(stored_at(0xf81f83fe), -8);  /* stur x30, [sp, #-8] */
    CHECK_INT(stored_at(0xf90007fe), 8);   /* str x30, [sp, #8] */
}

static const char *stack_by(uint32_t word)
{
    static char text[16];
    int32_t by;
    snprintf(text, sizeof text, "%d", arm64_stack_change(word, &by) ? (int)by : 1);
    return text;
}

TEST(insn_arm64_stack_changes)
{
    CHECK_STR(stack_by(0xd10143ff), "-80");    /* sub sp, sp, #0x50 */
    CHECK_STR(stack_by(0xd14063ff), "-98304"); /* sub sp, sp, #0x18, lsl #12 */
    CHECK_STR(stack_by(0x910143ff), "80");     /* add sp, sp, #0x50 */
    CHECK_STR(stack_by(0x9100c3fd), "0");      /* add x29, sp, #0x30 */
    CHECK_STR(stack_by(0xa9bf7bfd), "-16");    /* stp x29, x30, [sp, #-16]! */
    CHECK_STR(stack_by(0xa8c27bfd), "32");     /* ldp x29, x30, [sp], #32 */
    CHECK_STR(stack_by(0xa9037bfd), "0");      /* stp x29, x30, [sp, #48] */
    CHECK_STR(stack_by(0xf81f0ffe), "-16");    /* str x30, [sp, #-16]! */
    CHECK_STR(stack_by(0xf81f0c3e), "0");      /* str x30, [x1, #-16]! */
    CHECK_STR(stack_by(0x6dbf23e9), "-16");    /* stp d9, d8, [sp, #-16]! */
    CHECK_STR(stack_by(0xadbf07e0), "-32");    /* stp q0, q1, [sp, #-32]! */
    CHECK_STR(stack_by(0xfc1f0fe8), "-16");    /* str d8, [sp, #-16]! */
    CHECK_STR(stack_by(0x910003bf), "1");      /* mov sp, x29 */
    CHECK_STR(stack_by(0xd10083bf), "1");      /* sub sp, x29, #0x20 */
    CHECK_STR(stack_by(0x927ae53f), "1");      /* and sp, x9, #-64 */
    CHECK_STR(stack_by(0xcb2363ff), "1");      /* sub sp, sp, x3 */
    CHECK_STR(stack_by(0xeb2363ff), "0");      /* cmp sp, x3 */
    CHECK_STR(stack_by(0xf240013f), "0");      /* tst x9, #1 */
}
