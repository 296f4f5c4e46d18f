#include "core/elf/elf.h"
#include "step.h"
#include <string.h>

#include "core/base/bytes.h"

enum { NONE = UNWIND_REGISTERS };

/* --- perf's numbers: arch/.../include/uapi/asm/perf_regs.h; each entry is the DWARF number + 1 ---
 */

enum { PC = UNWIND_PC + 1 };

/* AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8-R15 */
static const uint8_t perf_x86_64[] = {1, 4, 3, 2, 5, 6,  7,  8,  PC, 0,  0,  0,
                                      0, 0, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16};
/* X0-X29 LR SP PC */
static const uint8_t perf_aarch64[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                       12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                       23, 24, 25, 26, 27, 28, 29, 30, 31, 32, PC};
/* R0-R10 FP IP SP LR PC */
static const uint8_t perf_arm[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, PC};

/* --- calls --- */

static uint64_t add_displacement(uint64_t pc, uint32_t by)
{
    return pc + (uint64_t)(int64_t)(int32_t)by;
}

/* Whether a call through a register or memory (FF /2) ends there. */
static bool indirect_call(const uint8_t *end)
{
    static const struct {
        uint8_t back, mask, want; /* of the byte behind FF */
    } forms[] = {{2, 0xf8, 0xd0}, {2, 0xf8, 0x10}, {3, 0xf8, 0x50},
                 {3, 0xff, 0x14}, {4, 0xff, 0x54}, {6, 0xf8, 0x90},
                 {6, 0xff, 0x15}, {7, 0xff, 0x94}, {7, 0xff, 0x14}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const uint8_t *at = end - forms[i].back;
        if (at[0] == 0xff && (at[1] & forms[i].mask) == forms[i].want)
            return true;
    }
    return false;
}

static bool called_x86_64(const struct unwind_space *s, uint64_t pc, uint64_t *target, bool *unread)
{
    uint8_t before[8];
    *target = 0;
    *unread = !s->memory(s->arg, pc - sizeof before, before, sizeof before);
    if (*unread)
        return false;
    if (before[3] == 0xe8) {
        *target = add_displacement(pc, get_le32(before + 4));
        return true;
    }
    return indirect_call(before + sizeof before);
}

static bool called_aarch64(const struct unwind_space *s, uint64_t pc, uint64_t *target,
                           bool *unread)
{
    uint8_t before[4];
    *target = 0;
    *unread = !s->memory(s->arg, pc - 4, before, sizeof before);
    if (*unread)
        return false;
    uint32_t op = get_le32(before); /* instructions are little-endian always */
    if (op >> 26 == 0x25) {         /* bl */
        *target = add_displacement(pc - 4, (uint32_t)((int32_t)(op << 6) >> 4));
        return true;
    }
    return (op & 0xfffffc1f) == 0xd63f0000 || (op & 0xfefff800) == 0xd63f0800; /* blr, blraa */
}

/* --- jumps --- */

/* E9 and 0F 80-8F have a distance of 32 bits, EB and 70-7F one of 8; FF /4 jumps through a register
 * or memory. */
static bool jumps_x86_64(const struct unwind_space *s, uint64_t pc, uint64_t *target)
{
    uint8_t op[6];
    *target = 0;
    if (!s->memory(s->arg, pc, op, sizeof op))
        return false;
    bool wide = op[0] == 0x0f && (op[1] & 0xf0) == 0x80;
    if (wide || op[0] == 0xe9)
        *target = add_displacement(pc + 5 + wide, get_le32(op + 1 + wide));
    else if (op[0] == 0xeb || (op[0] & 0xf0) == 0x70)
        *target = add_displacement(pc + 2, (uint32_t)(int8_t)op[1]);
    return *target || (op[0] == 0xff && (op[1] >> 3 & 7) == 4);
}

/* A distance in instructions, of so many bits from the lowest one on. */
static uint64_t branch_target(uint64_t pc, uint32_t op, unsigned lowest, unsigned bits)
{
    return add_displacement(pc,
                            (uint32_t)((int32_t)(op << (32 - bits - lowest)) >> (32 - bits)) * 4);
}

/* b; b.cond, cbz, cbnz; tbz, tbnz; br, braa. */
static bool jumps_aarch64(const struct unwind_space *s, uint64_t pc, uint64_t *target)
{
    uint8_t bytes[4];
    *target = 0;
    if (!s->memory(s->arg, pc, bytes, sizeof bytes))
        return false;
    uint32_t op = get_le32(bytes);
    if (op >> 26 == 0x05)
        *target = branch_target(pc, op, 0, 26);
    else if (op >> 24 == 0x54 || (op >> 25 & 0x3f) == 0x1a)
        *target = branch_target(pc, op, 5, 19);
    else if ((op >> 25 & 0x3f) == 0x1b)
        *target = branch_target(pc, op, 5, 14);
    return *target || (op & 0xfffffc1f) == 0xd61f0000 || (op & 0xfefff800) == 0xd61f0800;
}

/* --- signals: struct ucontext of arch/.../include/uapi/asm/{ucontext,sigcontext}.h --- */

/* r8-r15 rdi rsi rbp rbx rdx rax rcx rsp rip */
static const uint8_t context_x86_64[] = {8, 9, 10, 11, 12, 13, 14, 15,       5,
                                         4, 6, 3,  1,  0,  2,  7,  UNWIND_PC};
/* x0-x30 sp pc */
static const uint8_t context_aarch64[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                          11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                          22, 23, 24, 25, 26, 27, 28, 29, 30, 31, UNWIND_PC};
/* r0-r15; behind two words and a stack of struct ucontext, and three of struct sigcontext. */
static const uint8_t context_arm[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UNWIND_PC};

const struct unwind_cpu unwind_cpus[UNWIND_MACHINES] = {
    [UNWIND_X86_64] = {.elf = ELF_MACHINE_X86_64,
                       .sp = 7,
                       .fp = 6,
                       .lr = NONE,
                       .word = 8,
                       .perf_mask = 0xff01ff,
                       .perf = perf_x86_64,
                       .perf_count = sizeof perf_x86_64,
                       .called = called_x86_64,
                       .jumps = jumps_x86_64,
                       .code_step = 1,
                       .code_searched = 1 << 14,
                       .context = 40, /* uc_flags, uc_link, uc_stack */
                       .saved = context_x86_64,
                       .saved_count = sizeof context_x86_64,
                       .sigreturn = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05},
                       .sigreturn_step = 7,
                       .sigreturn_len = 9},
    [UNWIND_AARCH64] = {.elf = ELF_MACHINE_AARCH64,
                        .sp = 31,
                        .fp = 29,
                        .lr = 30,
                        .word = 8,
                        .perf_mask = UINT64_C(0x1ffffffff),
                        .perf = perf_aarch64,
                        .perf_count = sizeof perf_aarch64,
                        .called = called_aarch64,
                        .jumps = jumps_aarch64,
                        .code_step = 4,
                        .code_searched = 1 << 14,
                        .context = 128 + 176 + 8, /* siginfo; ucontext to uc_mcontext; fault_address
                                                   */
                        .saved = context_aarch64,
                        .saved_count = sizeof context_aarch64,
                        .sigreturn = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4},
                        .sigreturn_step = 4,
                        .sigreturn_len = 8},
    [UNWIND_ARM] = {.elf = ELF_MACHINE_ARM,
                    .sp = 13,
                    .fp = 11,
                    .lr = 14,
                    .word = 4,
                    .perf_mask = 0xffff,
                    .perf = perf_arm,
                    .perf_count = sizeof perf_arm,
                    .called = unwind_called_arm,
                    .jumps = unwind_jumps_arm,
                    .code_step = 2,
                    .code_searched = 1 << 9,
                    .context = 32, /* any: is_sigreturn says which */
                    .saved = context_arm,
                    .saved_count = sizeof context_arm,
                    .is_sigreturn = unwind_is_sigreturn_arm},
};

bool unwind_machine_of(unsigned e_machine, enum unwind_machine *out)
{
    for (int m = 0; m < UNWIND_MACHINES; m++)
        if (unwind_cpus[m].elf == e_machine) {
            *out = (enum unwind_machine)m;
            return true;
        }
    return false;
}

uint64_t unwind_perf_mask(enum unwind_machine m)
{
    return unwind_cpus[m].perf_mask;
}

static uint64_t perf_abi(const struct unwind_cpu *cpu)
{
    return cpu->word == 8 ? 2 : 1; /* PERF_SAMPLE_REGS_ABI_64, _32 */
}

struct unwind_perf unwind_perf_of(enum unwind_machine m)
{
    const struct unwind_cpu *cpu = &unwind_cpus[m];
    struct unwind_perf p = {.abi = perf_abi(cpu), .word = cpu->word};
    p.call = m == UNWIND_X86_64 ? 1 : m == UNWIND_AARCH64 ? 4 : 2;
    while (p.pc + 1 < cpu->perf_count && cpu->perf[p.pc] != PC)
        p.pc++;
    return p;
}

bool unwind_regs_of_perf(enum unwind_machine m, uint64_t abi, uint64_t mask, const uint64_t *values,
                         size_t count, struct unwind_regs *out)
{
    const struct unwind_cpu *cpu = &unwind_cpus[m];
    *out = (struct unwind_regs){0};
    if (abi != perf_abi(cpu))
        return false;
    for (size_t i = 0; mask && count; mask &= mask - 1, i++, count--) {
        size_t bit = (size_t)__builtin_ctzll(mask);
        unsigned reg = bit < cpu->perf_count ? cpu->perf[bit] : 0;
        if (!reg)
            continue;
        out->r[reg - 1] = values[i];
        out->known |= UINT64_C(1) << (reg - 1);
    }
    return true;
}

uint64_t unwind_stack(enum unwind_machine m, const struct unwind_regs *regs)
{
    return regs->r[unwind_cpus[m].sp];
}

bool unwind_machine_named(const char *machine, enum unwind_machine *out)
{
    bool x86 = strcmp(machine, "x86_64") == 0, arm64 = strcmp(machine, "aarch64") == 0;
    bool arm = strncmp(machine, "armv", 4) == 0;
    *out = arm ? UNWIND_ARM : arm64 ? UNWIND_AARCH64 : UNWIND_X86_64;
    return x86 || arm64 || arm;
}
