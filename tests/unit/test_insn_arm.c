#include "unit.h"

#include "core/insn/arm_code.h"
#include "core/insn/arm_registers.h"

enum { R0 = 1 << 0, R1 = 1 << 1, R2 = 1 << 2, R3 = 1 << 3, R4 = 1 << 4, R12 = 1 << 12 };
enum { SP = 1 << ARM_SP, LR = 1 << ARM_LR, PC = 1 << ARM_PC };

static uint32_t a32_target(uint32_t op)
{
    struct arm_code c;
    arm_code_read(op, &c);
    return arm_code_target(&c, false, 0x10000);
}

static uint32_t t32_target(uint32_t op, uint32_t at)
{
    struct arm_code c;
    thumb_code_read((uint16_t)(op >> 16), (uint16_t)op, &c);
    return arm_code_target(&c, true, at);
}

TEST(insn_arm_targets)
{
    CHECK_INT(a32_target(0xeafffffe), 0x10000);          /* b . */
    CHECK_INT(a32_target(0xeb000002), 0x10010);          /* bl */
    CHECK_INT(a32_target(0xfb000002), 0x10012);          /* blx */
    CHECK_INT(t32_target(0xe7fe0000, 0x10002), 0x10002); /* b . */
    CHECK_INT(t32_target(0xd0010000, 0x10002), 0x10008); /* beq */
    CHECK_INT(t32_target(0xb1080000, 0x10002), 0x10008); /* cbz */
    CHECK_INT(t32_target(0xf000f802, 0x10002), 0x1000a); /* bl */
    CHECK_INT(t32_target(0xf000e802, 0x10002), 0x10008); /* blx, from the aligned address */
    CHECK_INT(t32_target(0xf7ffbffe, 0x10002), 0x10002); /* b.w . */
}

static unsigned a32_read(uint32_t op, unsigned *written)
{
    struct arm_registers r;
    CHECK(arm_registers_a32(op, &r));
    *written = r.written;
    return r.read;
}

TEST(insn_arm_registers_a32)
{
    unsigned written;
    CHECK_INT(a32_read(0xe08f3003, &written), PC | R3); /* add r3, pc, r3 */
    CHECK_INT(written, R3);
    CHECK_INT(a32_read(0xe92d4010, &written), SP | R4 | LR); /* push {r4, lr} */
    CHECK_INT(a32_read(0xe1a0000e, &written), LR);           /* mov r0, lr */
    CHECK_INT(written, R0);
    CHECK_INT(a32_read(0xe5d21003, &written), R2); /* ldrb r1, [r2, #3] */
    CHECK_INT(written, R1);
    CHECK_INT(a32_read(0xe0030291, &written), R1 | R2); /* mul r3, r1, r2 */
    CHECK_INT(written, R3);
}

TEST(insn_arm_registers_t32)
{
    struct arm_registers r;
    CHECK(arm_registers_t16(0xb510, &r)); /* push {r4, lr} */
    CHECK_INT(r.read, SP | R4 | LR);
    CHECK(arm_registers_t16(0x447b, &r)); /* add r3, pc */
    CHECK_INT(r.read, PC | R3);
    CHECK_INT(r.pc_fields, 15 << 3);
    CHECK(arm_registers_t32(0xf8df3010, &r)); /* ldr.w r3, [pc, #16] */
    CHECK_INT(r.read, PC);
    CHECK_INT(r.pc_fields, 15 << 16);
    CHECK(arm_registers_t32(0xea4f0c0e, &r)); /* mov.w ip, lr */
    CHECK_INT(r.read, LR);
    CHECK_INT(r.written, R12);
}

TEST(insn_arm_that_is_none)
{
    struct arm_registers r;
    CHECK(!arm_registers_t16(0xde00, &r));     /* udf */
    CHECK(!arm_registers_a32(0xe7f000f0, &r)); /* udf */
    CHECK(!arm_registers_a32(0xffffffff, &r));
}

static bool is_known(uint32_t op)
{
    struct arm_registers r;
    return arm_registers_a32(op, &r);
}

TEST(insn_arm_simd_exists)
{
    CHECK(is_known(0xf2000000));  /* vhadd.s8 d0, d0, d0 */
    CHECK(!is_known(0xf2300000)); /* of double words */
    CHECK(is_known(0xf2000040));  /* of 128 bits */
    CHECK(!is_known(0xf2001040)); /* into an odd register */
    CHECK(!is_known(0xf2010040)); /* from odd ones */
    CHECK(!is_known(0xf2000041));
    CHECK(is_known(0xf3000110));  /* veor */
    CHECK(is_known(0xf3b40000));  /* vrev64.16 */
    CHECK(!is_known(0xf3bc0000)); /* .64 */
    CHECK(is_known(0xf2870010));  /* vmov.i32 d0, #112 */
    CHECK(!is_known(0xf2870f30)); /* of no such kind */
    CHECK(is_known(0xf2bfe590));  /* vshl.i64 d14, d0, #63 */
    CHECK(!is_known(0xf28f0490)); /* vsri is of the other half */
    CHECK(is_known(0xf3b00800));  /* vtbl */
    CHECK(is_known(0xf2810008));  /* vaddl.s8 */
    CHECK(!is_known(0xf2811008)); /* into an odd register */
    CHECK(is_known(0xf2910248));  /* vmlal.s16 by a scalar */
    CHECK(!is_known(0xf2810248)); /* of bytes */
}

TEST(insn_arm_float_exists)
{
    struct arm_registers r;
    CHECK(is_known(0xee000a00));  /* vmla.f32 */
    CHECK(is_known(0xeeb00a00));  /* vmov.f32 s0, #2 */
    CHECK(!is_known(0xeeb00aa0)); /* none */
    CHECK(is_known(0xeeb50a40));  /* vcmp.f32 s0, #0 */
    CHECK(!is_known(0xee800a40)); /* vdiv has no such bit */
    CHECK(is_known(0xeef1fa10));  /* vmrs apsr_nzcv, fpscr */
    CHECK(!is_known(0xeef8fa10)); /* fpexc is the kernel's */
    CHECK(is_known(0xecbd8b10));  /* vpop */
    CHECK(!is_known(0xec1d8b10)); /* vldm downwards without writing back */
    CHECK(is_known(0xf4200a0f));  /* vld1.8 {d0, d1} */
    CHECK(!is_known(0xf4200b0f)); /* of no such list */
    CHECK(!is_known(0xf4800c0f)); /* a store of one to all lanes */
    CHECK(arm_registers_t32(0xef000000, &r));
    CHECK(!arm_registers_t32(0xef300000, &r));
}
