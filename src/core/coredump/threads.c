/* The registers of threads: NT_PRSTATUS, whose contents differ by processor. */
#include "parts.h"

enum { EM_386 = 3, EM_ARM = 40, EM_X86_64 = 62, EM_AARCH64 = 183 };
enum { MAX_REGISTERS = 34, NONE = -1 };

struct layout {
    unsigned machine;
    bool wide, unwinds;
    size_t registers, count; /* where they are, words */
    size_t pc;
    /* The DWARF number of each; NONE: it has none. Of processors that are unwound. */
    int8_t number[MAX_REGISTERS];
};

enum { X = NONE };
static const struct layout layouts[] = {
    /* r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs flags rsp ss ... */
    {EM_X86_64, true, true, 112, 27, 16, {15, 14, 13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4,
                                          5,  X,  X,  X,  X, 7, X,  X,  X, X, X, X, X}},
    /* x0 to x30, sp, pc, pstate */
    {EM_AARCH64, true, true, 112, 34, 32, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                           12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                           24, 25, 26, 27, 28, 29, 30, 31, X,  X}},
    /* r0 to r15, cpsr, orig_r0 */
    {EM_ARM, false, true, 72, 18, 15, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, X, X, X}},
    /* ebx ecx edx esi edi ebp eax ds es fs gs orig_eax eip cs flags esp ss */
    {EM_386, false, false, 72, 17, 12, {0}},
};

static const struct layout *layout_of(const struct coredump *c)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].machine == c->machine && layouts[i].wide == c->wide)
            return &layouts[i];
    return NULL;
}

static void read_registers(const struct coredump *c, const struct layout *l, const uint8_t *at,
                           struct coredump_thread *out)
{
    size_t word = coredump_word_bytes(c);
    out->has_pc = true;
    out->pc = coredump_word(c, at + l->pc * word);
    out->unwinds = l->unwinds && unwind_machine_of(c->machine, &out->unwinder);
    for (size_t i = 0; out->unwinds && i < l->count; i++)
        if (l->number[i] != NONE) {
            out->regs.r[l->number[i]] = coredump_word(c, at + i * word);
            out->regs.known |= 1ULL << l->number[i];
        }
    out->regs.r[UNWIND_PC] = out->pc;
    out->regs.known |= 1ULL << UNWIND_PC;
}

/* si_signo, si_code, si_errno, pr_cursig (16 bits); pr_sigpend, pr_sighold (words), pr_pid. */
void coredump_thread(const struct coredump *c, size_t i, struct coredump_thread *out)
{
    const struct layout *l = layout_of(c);
    struct coredump_note n = c->thread[i];
    size_t word = coredump_word_bytes(c), tid = 16 + 2 * word;
    *out = (struct coredump_thread){0};
    if (n.len < tid + 4)
        return;
    out->signal = get_u16(n.at + 12, c->big_endian);
    out->tid = (int)get_u32(n.at + tid, c->big_endian);
    if (l && n.len >= l->registers + l->count * word)
        read_registers(c, l, n.at + l->registers, out);
}

void coredump_first_thread(struct coredump *c)
{
    struct coredump_thread first;
    if (!c->threads)
        return;
    coredump_thread(c, 0, &first);
    c->signal = c->signal ? c->signal : first.signal;
    c->pid = c->pid ? c->pid : first.tid;
}
