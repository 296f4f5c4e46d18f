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
