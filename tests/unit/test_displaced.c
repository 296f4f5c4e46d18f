#include "core/insn/displaced.h"
#include "unit.h"

#include <string.h>

enum { FROM = 0x401000, TO = 0x1000000 };

static struct displaced x86(const char *code, size_t len)
{
    struct displaced d;
    CHECK(displaced_x86((const uint8_t *)code, len, FROM, TO, &d));
    return d;
}

TEST(an_x86_instruction_that_is_not_relative_is_copied)
{
    struct displaced d = x86("\x48\x89\xe5", 3); /* mov %rsp,%rbp */
    CHECK_INT(d.len, 3);
    CHECK_INT(d.fix, DISPLACED_MOVE);
    CHECK(memcmp(d.bytes, "\x48\x89\xe5", 3) == 0);
}

TEST(an_x86_operand_means_the_same_address)
{
    struct displaced d = x86("\x48\x8d\x05\x10\0\0\0", 7); /* lea 16(%rip),%rax */
    int32_t moved;
    memcpy(&moved, d.bytes + 3, 4);
    CHECK_INT(TO + 7 + moved, FROM + 7 + 16);
    CHECK_INT(d.fix, DISPLACED_MOVE);
    CHECK(
        !displaced_x86((const uint8_t *)"\x48\x8d\x05\x10\0\0\0", 7, FROM, UINT64_C(1) << 40, &d));
}

TEST(x86_jumps_are_set_right_behind_the_step)
{
    CHECK_INT(x86("\xe8\1\0\0\0", 5).fix, DISPLACED_CALL);
    CHECK_INT(x86("\xff\xd0", 2).fix, DISPLACED_RETURNED); /* call *%rax */
    CHECK_INT(x86("\xff\xe0", 2).fix, DISPLACED_NOTHING);  /* jmp *%rax */
    CHECK_INT(x86("\xc3", 1).fix, DISPLACED_NOTHING);
    CHECK_INT(x86("\x74\x05", 2).fix, DISPLACED_JUMP); /* je */
    CHECK_INT(x86("\xf3\x0f\x1e\xfa", 4).fix, DISPLACED_SKIP);
    CHECK_INT(x86("\x66\x90", 2).fix, DISPLACED_SKIP);
}

TEST(what_x86_does_not_know_is_not_displaced)
{
    struct displaced d;
    CHECK(!displaced_x86((const uint8_t *)"\x06", 1, FROM, TO, &d));
    CHECK(!displaced_x86((const uint8_t *)"\x48\x8d\x05", 3, FROM, TO, &d));
}

static struct displaced arm64(uint32_t word)
{
    struct displaced d;
    CHECK(displaced_arm64((const uint8_t[]){(uint8_t)word, (uint8_t)(word >> 8),
                                            (uint8_t)(word >> 16), (uint8_t)(word >> 24)},
                          4, FROM, TO, &d));
    return d;
}

TEST(arm64_addresses_are_loaded)
{
    struct displaced d = arm64(0x10000043); /* adr x3, . + 8 */
    CHECK_INT(d.fix, DISPLACED_LOAD);
    CHECK_INT(d.reg, 3);
    CHECK_INT(d.value, FROM + 8);
    CHECK_INT(arm64(0xb0000003).value, (FROM & ~0xfff) + 0x1000); /* adrp x3, . + 4096 */
}

TEST(arm64_jumps_are_set_right_behind_the_step)
{
    CHECK_INT(arm64(0x94000001).fix, DISPLACED_CALL);
    CHECK_INT(arm64(0xd63f0000).fix, DISPLACED_RETURNED); /* blr x0 */
    CHECK_INT(arm64(0xd65f03c0).fix, DISPLACED_NOTHING);  /* ret */
    CHECK_INT(arm64(0x54000040).fix, DISPLACED_JUMP);     /* b.eq */
    CHECK_INT(arm64(0xd503233f).fix, DISPLACED_MOVE);     /* paciasp */
    CHECK_INT(arm64(0xd503245f).fix, DISPLACED_SKIP);     /* bti c */
    CHECK_INT(arm64(0xa9bf7bfd).fix, DISPLACED_MOVE);     /* stp */
}

TEST(behind_an_arm64_slot_there_is_a_breakpoint)
{
    struct displaced d = arm64(0xd4000001); /* svc #0 */
    CHECK_INT(d.fix, DISPLACED_MOVE);
    CHECK(d.call);
    CHECK(memcmp(d.bytes, "\x01\0\0\xd4\0\0\x20\xd4", 8) == 0);
    CHECK(!arm64(0xa9bf7bfd).call);
}

TEST(an_arm64_literal_is_not_displaced)
{
    struct displaced d;
    CHECK(!displaced_arm64((const uint8_t *)"\x40\0\0\x58", 4, FROM, TO, &d)); /* ldr x0, . + 8 */
}

TEST(an_x86_slot_leads_back)
{
    struct displaced d = x86("\x48\x89\xe5", 3); /* mov %rsp,%rbp */
    int32_t back;
    CHECK(d.returns);
    CHECK_INT(d.bytes[3], 0xe9);
    memcpy(&back, d.bytes + 4, 4);
    CHECK_INT(TO + 3 + 5 + back, FROM + 3);
    CHECK(x86("\xc3", 1).returns); /* it goes elsewhere */
}

TEST(an_x86_slot_that_needs_more_does_not_lead_back)
{
    CHECK(!x86("\xe8\1\0\0\0", 5).returns);                      /* call */
    CHECK(!x86("\x74\x05", 2).returns);                          /* je */
    CHECK(!x86("\x0f\x05", 2).returns);                          /* syscall */
    CHECK(!x86("\xcd\x80", 2).returns);                          /* int $0x80 */
    CHECK(!x86("\xcc", 1).returns);                              /* int3 */
    CHECK(!x86("\x48\xc7\x84\x24\0\1\0\0\1\0\0\0", 12).returns); /* movq $1,256(%rsp) */
    CHECK(x86("\xc7\x84\x24\0\1\0\0\1\0\0\0", 11).returns);      /* movl $1,256(%rsp) */
}

TEST(an_arm64_slot_leads_back_as_far_as_a_branch_reaches)
{
    struct displaced d = arm64(0xaa0003e1); /* mov x1, x0 */
    uint32_t branch;
    CHECK(d.returns);
    memcpy(&branch, d.bytes + 4, 4);
    CHECK_INT(branch >> 26, 5);
    CHECK_INT(TO + 4 + ((int32_t)(branch << 6) >> 4), FROM + 4);
    CHECK(!arm64(0xd4000001).returns); /* svc #0 */
    CHECK(!arm64(0xc85f7c00).returns); /* ldxr x0, [x0] */
    CHECK(arm64(0xd65f03c0).returns);  /* ret */
    CHECK(displaced_arm64((const uint8_t *)"\xe1\x03\x00\xaa", 4, FROM, FROM + (1 << 28), &d));
    CHECK(!d.returns);
}
