#include "core/insn/arm_step.h"
#include "unit.h"

#include <string.h>

enum { AT = 0x10000, MEMORY = 0x20000, SLOT = 0x30000, SP = 13, LR = 14, PC = 15, N = 1u << 31 };
enum { Z = 1 << 30, C = 1 << 29 };

struct memory {
    uint32_t word[8];
};

static bool read_memory(void *arg, uint64_t address, void *to, size_t len)
{
    const struct memory *m = arg;
    if (address < MEMORY || address - MEMORY + len > sizeof *m)
        return false;
    memcpy(to, (const uint8_t *)m + (address - MEMORY), len);
    return true;
}

static struct displaced displace(uint32_t op, bool thumb)
{
    struct displaced d = {0};
    bool is_long = !thumb || op >> 16;
    uint32_t code = thumb && is_long ? op << 16 | op >> 16 : op;
    uint8_t b[4];
    memcpy(b, &code, 4);
    CHECK(displaced_arm(b, 4, AT | thumb, SLOT | thumb, &d));
    CHECK_INT(d.len, is_long ? 4 : 2);
    CHECK_INT(d.op, op);
    return d;
}

static struct arm_state state(bool thumb, uint32_t flags)
{
    struct arm_state s = {.cpsr = 0x10 | flags | (thumb ? ARM_CPSR_T : 0)};
    for (uint32_t i = 0; i < 13; i++)
        s.reg[i] = 100 + i;
    s.reg[1] = MEMORY;
    s.reg[SP] = MEMORY + 8;
    s.reg[LR] = 0x40001;
    s.reg[PC] = AT;
    return s;
}

static struct memory words = {{0x11110000, 0x22220001, 0x33330000, 0x44440001, 5, 6, 7, 8}};

static struct arm_state done(uint32_t op, bool thumb, uint32_t flags)
{
    struct displaced d = displace(op, thumb);
    struct arm_state s = state(thumb, flags);
    CHECK_INT(d.fix, DISPLACED_REGISTERS);
    CHECK(arm_is_executed(&s, d.op, d.len));
    CHECK(arm_do(&s, &d, read_memory, &words));
    return s;
}

static uint32_t leads(uint32_t op, bool thumb, uint32_t flags)
{
    struct arm_state s = done(op, thumb, flags);
    return s.reg[PC] | (s.cpsr & ARM_CPSR_T ? 1 : 0);
}

static bool is_executed(uint32_t op, unsigned len, bool thumb, uint32_t flags)
{
    struct arm_state s = state(thumb, flags);
    return arm_is_executed(&s, op, len);
}

TEST(a32_branches_lead_there_or_on)
{
    CHECK_INT(leads(0xea000002, false, 0), AT + 16); /* b */
    CHECK_INT(leads(0x0a000002, false, Z), AT + 16); /* beq */
    CHECK_INT(leads(0x0a000002, false, 0), AT + 4);
    CHECK_INT(leads(0xe12fff1e, false, 0), 0x40001); /* bx lr: to T32 */
    CHECK_INT(leads(0xe12fff10, false, 0), 100);     /* bx r0 */
}

TEST(a32_calls_leave_where_they_return_to)
{
    struct arm_state s = done(0xeb000002, false, 0); /* bl */
    CHECK_INT(s.reg[PC], AT + 16);
    CHECK_INT(s.reg[LR], AT + 4);
    s = done(0xfb000002, false, 0); /* blx, by half a word more */
    CHECK_INT(s.reg[PC], AT + 18);
    CHECK(s.cpsr & ARM_CPSR_T);
    s = done(0xe12fff3e, false, 0); /* blx lr */
    CHECK_INT(s.reg[PC], 0x40000);
    CHECK_INT(s.reg[LR], AT + 4);
}

TEST(loads_of_the_pc_change_the_instruction_set)
{
    struct arm_state s = done(0xe8bd8010, false, 0); /* pop {r4, pc} */
    CHECK_INT(s.reg[4], 0x33330000);
    CHECK_INT(s.reg[PC], 0x44440000);
    CHECK_INT(s.reg[SP], MEMORY + 16);
    CHECK(s.cpsr & ARM_CPSR_T);
    CHECK_INT(leads(0xe591f000, false, 0), 0x11110000); /* ldr pc, [r1] */
    s = done(0xe49df004, false, 0);                     /* pop {pc} */
    CHECK_INT(s.reg[PC], 0x33330000);
    CHECK_INT(s.reg[SP], MEMORY + 12);
    CHECK_INT(leads(0xbd10, true, 0), 0x44440001);     /* pop {r4, pc} */
    CHECK_INT(leads(0xe8bd8010, true, 0), 0x44440001); /* the same of 32 bits */
    CHECK_INT(leads(0xf8d1f004, true, 0), 0x22220001); /* ldr.w pc, [r1, #4] */
    struct displaced d = displace(0xe592f000, false);  /* ldr pc, [r2]: no memory there */
    s = state(false, 0);
    CHECK(!arm_do(&s, &d, read_memory, &words));
    CHECK_INT(s.reg[PC], AT);
}

TEST(t32_branches_lead_there_or_on)
{
    CHECK_INT(leads(0xe002, true, 0), (AT + 8) | 1); /* b */
    CHECK_INT(leads(0xd002, true, Z), (AT + 8) | 1); /* beq */
    CHECK_INT(leads(0xd002, true, 0), (AT + 2) | 1);
    CHECK_INT(leads(0xf0008002, true, Z), (AT + 8) | 1); /* beq.w */
    CHECK_INT(leads(0xf0008002, true, 0), (AT + 4) | 1);
    CHECK_INT(leads(0xb910, true, 0), (AT + 8) | 1);       /* cbnz r0 */
    CHECK_INT(leads(0xb110, true, 0), (AT + 2) | 1);       /* cbz r0 */
    CHECK_INT(leads(0x4687, true, 0), 101);                /* mov pc, r0: stays in T32 */
    CHECK_INT(leads(0x4487, true, 0), (AT + 4 + 100) | 1); /* add pc, r0 */
    CHECK_INT(leads(0x4770, true, 0), 0x40001);            /* bx lr */
    CHECK_INT(leads(0x4778, true, 0), AT + 4);             /* bx pc: to A32 */
}

TEST(t32_calls_leave_where_they_return_to)
{
    struct arm_state s = done(0xf000f802, true, 0); /* bl */
    CHECK_INT(s.reg[PC], AT + 8);
    CHECK_INT(s.reg[LR], (AT + 4) | 1);
    s = done(0xf000e802, true, 0); /* blx */
    CHECK_INT(s.reg[PC], AT + 8);
    CHECK(!(s.cpsr & ARM_CPSR_T));
    s = done(0x4788, true, 0); /* blx r1 */
    CHECK_INT(s.reg[PC], MEMORY);
    CHECK_INT(s.reg[LR], (AT + 2) | 1);
}

TEST(tables_and_literals_are_read)
{
    struct displaced d = displace(0xe8d1f003, true); /* tbb [r1, r3] */
    struct arm_state s = state(true, 0);
    s.reg[3] = 3;
    CHECK(arm_do(&s, &d, read_memory, &words));
    CHECK_INT(s.reg[PC], AT + 4 + 2 * 0x11);
    d = displace(0xe8d1f013, true); /* tbh */
    s = state(true, 0);
    s.reg[3] = 1;
    CHECK(arm_do(&s, &d, read_memory, &words));
    CHECK_INT(s.reg[PC], AT + 4 + 2 * 0x1111);
    s = done(0xa202, true, 0); /* adr r2 */
    CHECK_INT(s.reg[2], AT + 12);
    s = done(0xf20f0210, true, 0); /* adr.w r2 */
    CHECK_INT(s.reg[2], AT + 20);
    d = displace(0x4a01, true); /* ldr r2, [pc, #4] */
    s = state(true, 0);
    s.reg[PC] = MEMORY + 2;
    CHECK(arm_do(&s, &d, read_memory, &words));
    CHECK_INT(s.reg[2], 0x33330000);
    CHECK_INT(s.reg[PC], MEMORY + 4);
}

TEST(conditions_are_the_processors)
{
    static const struct {
        uint32_t flags;
        const char *holds; /* of 14 conditions */
    } want[] = {{0, "01010101011010"},
                {Z, "10010101011001"},
                {C, "01100101101010"},
                {N, "01011001010101"},
                {N | 1u << 28, "01011010011010"},
                {1u << 28, "01010110010101"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        for (uint32_t c = 0; c < 14; c++)
            CHECK_INT(is_executed(c << 28 | 0x01a00001, 4, false, want[i].flags),
                      want[i].holds[c] == '1');
    CHECK(is_executed(0xe1a00001, 4, false, 0));
    CHECK(is_executed(0xf57ff05f, 4, false, 0)); /* dmb */
    CHECK(is_executed(0x0a000002, 4, false, 0)); /* a branch that is not taken */
    CHECK(!is_executed(0x0b000002, 4, false, 0));
}

TEST(blocks_of_conditions_are_followed)
{
    struct arm_state s = done(0xbf0c, true, Z); /* ite eq */
    CHECK_INT(arm_it(s.cpsr), 0x0c);
    CHECK_INT(s.reg[PC], AT + 2);
    CHECK(arm_is_executed(&s, 0x2001, 2));
    struct displaced d = displace(0x2001, true);
    struct arm_state before = s;
    arm_enter_slot(&s, &d, SLOT | 1);
    CHECK_INT(s.reg[PC], SLOT);
    CHECK_INT(arm_it(s.cpsr), 0xe8); /* so that it is executed, and sets no flags */
    s.reg[PC] += 2;
    arm_leave_slot(&s, &before, &d, true);
    CHECK_INT(s.reg[PC], AT + 4);
    CHECK_INT(arm_it(s.cpsr), 0x18); /* ne */
    CHECK(!arm_is_executed(&s, 0x2000, 2));
    arm_pass(&s, 2);
    CHECK_INT(arm_it(s.cpsr), 0);
    CHECK_INT(s.reg[PC], AT + 6);
    arm_leave_slot(&s, &before, &d, false);
    CHECK_INT(arm_it(s.cpsr), 0x0c);
    CHECK_INT(s.reg[PC], AT + 2);
}

static uint32_t slot_word(const struct displaced *d, size_t at)
{
    uint32_t w;
    memcpy(&w, d->bytes + at, 4);
    return w;
}

TEST(what_reads_the_pc_reads_a_register)
{
    struct displaced d = displace(0xe08f3003, false); /* add r3, pc, r3 */
    CHECK_INT(d.fix, DISPLACED_MOVE);
    CHECK_INT(slot_word(&d, 0), 0xe0803003);
    CHECK_INT(slot_word(&d, 4), 0xe7f001f0);
    CHECK_INT(d.reg, 0);
    CHECK_INT(d.value, AT + 8);
    d = displace(0x447b, true); /* add r3, pc */
    CHECK_INT(slot_word(&d, 0), 0xde014403);
    CHECK_INT(d.value, AT + 4);
    d = displace(0xed9f0b02, true); /* vldr d0, [pc, #8] */
    CHECK_INT(slot_word(&d, 0), 0x0b00ed90);
    CHECK_INT(d.value, AT + 12);
    d = displace(0xe59f2008, false); /* ldr r2, [pc, #8] */
    CHECK_INT(slot_word(&d, 0), 0xe5902008);
    struct arm_state s = state(false, 0), before = s;
    arm_enter_slot(&s, &d, SLOT);
    CHECK_INT(s.reg[0], AT + 8);
    s.reg[2] = 7;
    arm_leave_slot(&s, &before, &d, true);
    CHECK_INT(s.reg[0], 100);
    CHECK_INT(s.reg[2], 7);
    CHECK_INT(s.reg[PC], AT + 4);
}

TEST(what_writes_the_pc_writes_a_register)
{
    struct displaced d = displace(0xe08ff103, false); /* add pc, pc, r3, lsl #2 */
    CHECK_INT(slot_word(&d, 0), 0xe0801103);
    CHECK_INT(d.target, 1);
    struct arm_state s = state(false, 0), before = s;
    arm_enter_slot(&s, &d, SLOT);
    s.reg[1] = 0x50000;
    arm_leave_slot(&s, &before, &d, true);
    CHECK_INT(s.reg[PC], 0x50000);
    CHECK_INT(s.reg[1], MEMORY);
    CHECK_INT(s.reg[0], 100);
    d = displace(0xe791f102, false); /* ldr pc, [r1, r2, lsl #2] */
    CHECK_INT(slot_word(&d, 0), 0xe7910102);
    CHECK_INT(d.target, 0);
    d = displace(0xf851f022, true); /* ldr.w pc, [r1, r2, lsl #2] */
    CHECK_INT(slot_word(&d, 0), 0x0022f851);
    CHECK_INT(d.target, 0);
    d = displace(0xe1a0f00e, false); /* mov pc, lr */
    CHECK_INT(slot_word(&d, 0), 0xe1a0000e);
    CHECK_INT(d.target, 0);
}

TEST(what_is_no_instruction_is_not_displaced)
{
    struct displaced d;
    CHECK(!displaced_arm((const uint8_t *)"\1\xde\0\0", 4, AT | 1, SLOT | 1, &d)); /* udf */
    CHECK(!displaced_arm((const uint8_t *)"\0\xf0", 2, AT | 1, SLOT | 1, &d));
    CHECK(displace(0xdf00, true).call);
    CHECK(displace(0xef000000, false).call);
}
