#include "unit.h"

#include "../../src/core/unwind/x86_code.h"
#include "core/unwind/x86_code.h"

/* "LENGTH KIND...": of instructions one behind the other, up to one that is not known. */
static const char *read_all(const char *bytes, size_t len)
{
    static const char *const names[] = {"plain", "push",  "pop", "moves",  "sets fp",
                                        "leave", "jumps", "far", "returns"};
    static char text[512];
    uint8_t code[X86_MAX_BYTES];
    size_t n = 0;
    text[0] = '\0';
    for (size_t at = 0; at < len && n < 400;) {
        struct x86_code c;
        memset(code, 0, sizeof code);
        memcpy(code, bytes + at, len - at < sizeof code ? len - at : sizeof code);
        if (!x86_code_read(code, &c))
            return n += (size_t)snprintf(text + n, sizeof text - n, "%s?", at ? " " : ""), text;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%u %s", at ? " " : "", c.len,
                              names[c.kind]);
        if (c.kind == X86_PUSH || c.kind == X86_POP)
            n += (size_t)snprintf(text + n, sizeof text - n, " r%u", c.reg);
        if (c.kind == X86_MOVES_SP || c.kind == X86_JUMP)
            n += (size_t)snprintf(text + n, sizeof text - n, " %d", c.by);
        at += c.len;
    }
    return text;
}

#define READS(bytes, want) CHECK_STR(read_all(bytes, sizeof(bytes) - 1), want)

TEST(x86_code_lengths)
{
    READS("\xf3\x0f\x1e\xfa\x90", "4 plain 1 plain");                /* endbr64; nop */
    READS("\x66\x2e\x0f\x1f\x84\0\0\0\0\0\x90", "10 plain 1 plain"); /* cs nopw 0(%rax,%rax,1) */
    READS("\x48\x8d\x3d\1\2\3\4\x48\x39\xf8", "7 plain 3 plain");    /* lea; cmp */
    READS("\x80\x3d\1\2\3\4\0\x48\x83\x3d\1\2\3\4\0", "7 plain 8 plain"); /* cmpb, cmpq of memory */
    READS("\x48\xb8\1\2\3\4\5\6\7\x08\xb8\1\2\3\4", "10 plain 5 plain");  /* movabs; mov */
    READS("\x66\xb8\1\2\x66\x81\xc1\1\2", "4 plain 5 plain");             /* numbers of 16 bits */
    READS("\xf6\xc0\1\xf6\xd0\xf7\xc0\1\2\3\4\xf7\xd8",
          "3 plain 2 plain 6 plain 2 plain");           /* test, not, test, neg */
    READS("\x66\xf7\xc6\0\x20\x90", "5 plain 1 plain"); /* test of 16 bits */
    READS("\xe8\1\2\3\4\xff\xd0\xff\x15\1\2\3\4\x0f\x84\1\2\3\4\x74\x05",
          "5 plain 2 plain 6 plain 6 plain 2 plain");                 /* calls, branches */
    READS("\x8b\x44\x24\x08\x8b\x04\x25\1\2\3\4", "4 plain 7 plain"); /* by rsp; absolute */
}

TEST(x86_code_stack)
{
    READS("\x55\x41\x54\x5d\x41\x5c", "1 push r5 2 push r12 1 pop r5 2 pop r12");
    READS("\x48\x83\xec\x08\x48\x81\xc4\0\1\0\0", "4 moves -8 7 moves 256");
    READS("\x48\x8d\x64\x24\xf8\x48\x8d\xa4\x24\0\1\0\0", "5 moves -8 8 moves 256");
    READS("\x6a\x01\x68\1\2\3\4\xff\x35\1\2\3\4", "2 moves -8 5 moves -8 6 moves -8");
    READS("\x48\x89\xe5\x48\x8b\xec\xc9", "3 sets fp 3 sets fp 1 leave");
    READS("\xeb\xfe\xe9\0\1\0\0\xff\xe0\x3e\xff\xe0\xf3\xc3",
          "2 jumps -2 5 jumps 256 2 far 3 far 2 returns");
    READS("\x48\x83\xfc\x08\x49\x83\xec\x08", "4 plain 4 plain"); /* cmp of rsp; sub of r12 */
}

TEST(x86_code_that_is_not_known)
{
    READS("\x48\x89\xec", "?");     /* mov %rbp, %rsp */
    READS("\x48\x83\xe4\xf0", "?"); /* and $-16, %rsp */
    READS("\x48\x8d\x65\xd8", "?"); /* lea -40(%rbp), %rsp */
    READS("\x48\x29\xc4", "?");     /* sub %rax, %rsp */
    READS("\x48\x94", "?");         /* xchg %rax, %rsp */
    READS("\x5c", "?");             /* pop %rsp */
    READS("\xf4", "?");             /* hlt */
    READS("\xcc", "?");             /* int3 */
    READS("\x0f\x0b", "?");         /* ud2 */
    READS("\xc5\xf8\x77", "?");     /* vzeroupper */
    READS("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", "?"); /* too long */
}
