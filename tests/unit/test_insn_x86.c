#include "unit.h"

#include "core/insn/x86.h"

/* "LENGTH KIND...": of instructions one behind the other, up to one that is not known. */
static const char *read_all(const char *bytes, size_t len)
{
    static const char *const names[] = {"plain", "nop",   "landing", "jump",   "branch",
                                        "call",  "jump*", "call*",   "return", "trap"};
    static char text[512];
    struct x86_insn i = {.len = 0};
    size_t n = 0;
    text[0] = '\0';
    for (size_t at = 0; at < len && n < 400; at += i.len) {
        bool known = x86_insn_read((const uint8_t *)bytes + at, len - at, &i);
        if (!known)
            return n += (size_t)snprintf(text + n, sizeof text - n, "%s?", at ? " " : ""), text;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%u %s", at ? " " : "", i.len,
                              names[i.kind]);
    }
    return text;
}

#define READS(bytes, want) CHECK_STR(read_all(bytes, sizeof(bytes) - 1), want)

TEST(insn_x86_kinds)
{
    READS("\xf3\x0f\x1e\xfa\x90\x66\x90", "4 landing 1 nop 2 nop");
    READS("\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0\xf3\x90", "11 nop 2 plain"); /* nopw, pause */
    READS("\xe8\1\2\3\4\xff\xd0\xff\x15\1\2\3\4", "5 call 2 call* 6 call*");
    READS("\xeb\1\xe9\1\2\3\4\xff\xe0\x3e\xff\x24\xc5\1\2\3\4", "2 jump 5 jump 2 jump* 8 jump*");
    READS("\x74\1\x0f\x84\1\2\3\4\xe2\1\xe3\1", "2 branch 6 branch 2 branch 2 branch");
    READS("\xc3\xf3\xc3\xc2\1\2\xcc\x0f\x0b\xf4",
          "1 return 2 return 3 return 1 trap 2 trap 1 trap");
    READS("\x0f\x05\xf2\xe9\1\2\3\4", "2 plain 6 jump"); /* syscall; bnd jmp */
}

TEST(insn_x86_lengths)
{
    READS("\x48\xb8\1\2\3\4\5\6\7\x08\x66\xb8\1\2\xb8\1\2\3\4", "10 plain 4 plain 5 plain");
    READS("\xf6\xc0\1\xf6\xd0\xf7\xc0\1\2\3\4\x66\xf7\xc0\1\2",
          "3 plain 2 plain 6 plain 5 plain"); /* test, not */
    READS("\xc8\1\2\3\xa1\1\2\3\4\5\6\7\x08\x67\xa1\1\2\3\4",
          "4 plain 9 plain 6 plain"); /* enter; mov of an address */
    READS("\x8b\x44\x24\x08\x8b\x04\x25\1\2\3\4\x8b\x05\1\2\3\4\x8b\x80\1\2\3\4",
          "4 plain 7 plain 6 plain 6 plain");
    READS("\xc5\xf8\x77\xc5\xf9\x6f\x07\xc4\xe3\x75\x38\xc0\1", "3 plain 4 plain 6 plain");
    READS("\x62\xf1\xfe\x48\x6f\x07\x62\xf3\x75\x20\x3f\xc0\1", "6 plain 7 plain");
    READS("\x66\x0f\x3a\x0f\xc1\x08\xf2\x0f\x38\xf1\xc1\x0f\xc2\xc1\1", "6 plain 5 plain 4 plain");
}

TEST(insn_x86_that_is_not_known)
{
    READS("\x06", "?");                 /* push %es, of 32 bits */
    READS("\xea", "?");                 /* far jump */
    READS("\xc7\xf8\1\2\3\4", "?");     /* xbegin */
    READS("\x66\xe9\1\2\3\4", "?");     /* its length is Intel's or AMD's */
    READS("\x67\x8b\x05\1\2\3\4", "?"); /* relative to eip */
    READS("\xc5\xe8\x77", "?");         /* vzeroupper with a register */
    READS("\x66\xc5\xf9\x6f\x07", "?");
    READS("\x48\x66\x90", "?");     /* REX before a prefix */
    READS("\x0f\x0f\xc1\x9e", "?"); /* 3DNow */
    READS("\x0f\xff\xc0", "?");
    READS("\xe9\1\2", "?"); /* cut off */
    READS("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", "?");
}

TEST(insn_x86_operands)
{
    struct x86_insn i;
    CHECK(x86_insn_read((const uint8_t *)"\x81\x3d\x10\0\0\0\1\2\3\4", 10, &i)); /* cmpl 16(%rip) */
    CHECK_INT(i.base, X86_RIP);
    CHECK_INT(i.relative_at, 2);
    CHECK_INT(i.relative_size, 4);
    CHECK_INT(x86_insn_target(&i, 0x1000), 0x101a);
    CHECK(x86_insn_read((const uint8_t *)"\x75\xfe", 2, &i));
    CHECK_INT(x86_insn_target(&i, 0x1000), 0x1000);
    CHECK(x86_insn_read((const uint8_t *)"\x4b\x8b\x44\xec\xf8", 5, &i)); /* -8(%r12,%r13,8) */
    CHECK_INT(i.base, 12);
    CHECK_INT(i.index, 13);
    CHECK_INT(i.displacement, -8);
    CHECK_INT(i.relative_size, 0);
}
