/* Which places a piece of code calls. */
#include "unit.h"

#include "core/insn/calls.h"

static void add_target(void *arg, uint64_t target)
{
    char *text = arg;
    size_t len = strlen(text);
    snprintf(text + len, 200 - len, "%" PRIx64 " ", target);
}

static const char *calls(enum insn_machine machine, const uint8_t *code, size_t len)
{
    static char text[200];
    text[0] = '\0';
    insn_calls(machine, code, len, 0x10000, add_target, text);
    return text;
}

TEST(insn_calls_of_x86)
{
    static const uint8_t code[] = {0xe8, 0xfb, 0,    0,    0,           /* call */
                                   0x0f, 0x84, 0,    0x10, 0,    0,     /* je */
                                   0xff, 0xd0,                          /* call *%rax */
                                   0x06,                                /* no instruction */
                                   0x0f, 0x0b,                          /* ud2 */
                                   0xe9, 0xeb, 0xff, 0xff, 0xff, 0xe8}; /* jmp; cut off */
    CHECK_STR(calls(INSN_X86_64, code, sizeof code), "10100 10000 ");
    CHECK_STR(calls(INSN_X86_64, code, 4), "");
}

TEST(insn_calls_of_arm)
{
    static const uint8_t arm64[] = {2,    0,    0,    0x94, 0,   0, 0x3f, 0xd6,    /* bl; blr x0 */
                                    0xfe, 0xff, 0xff, 0x17, 0x40};                 /* b; cut off */
    static const uint8_t arm[] = {2,    0,    0,    0xeb, 0x30, 0xff, 0x2f, 0xe1,  /* bl; blx r0 */
                                  0xfc, 0xff, 0xff, 0xea, 2,    0,    0,    0x0a}; /* b; beq */
    CHECK_STR(calls(INSN_ARM64, arm64, sizeof arm64), "10008 10000 ");
    CHECK_STR(calls(INSN_ARM, arm, sizeof arm), "10010 10000 ");
}

TEST(insn_machines_by_name)
{
    enum insn_machine machine;
    CHECK_INT(insn_machine_named("armv8l", &machine), true);
    CHECK_INT(machine, INSN_ARM);
    CHECK_INT(insn_machine_named("aarch64", &machine), true);
    CHECK_INT(machine, INSN_ARM64);
    CHECK_INT(insn_machine_named("riscv64", &machine), false);
}
