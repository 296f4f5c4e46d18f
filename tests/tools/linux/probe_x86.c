/*
 * probe_x86 FILE CASES [SEED]: runs CASES random pieces of FILE's code as they are, and relocated,
 * from the same random registers and memory, and compares what they leave: registers, flags, the
 * state of x87 and SSE, memory, and where they leave to. Prints the cases that differ and
 * `N cases, N left by a signal, N not moved, N differences'.
 *
 * A piece is as long as a patch. Its jumps and operands relative to RIP lead to places of the test.
 */
#include "../../lib/chance.h"
#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/insn/x86.h"
#include "core/probe/plan.h"
#include "core/probe/relocate.h"
#include "core/unwind/cfi.h"
#include "plat/file.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __x86_64__

enum {
    REGS = 16,
    RSP = 4,
    JUMP = 5,
    DATA = 1 << 14,
    PIECE = 1024,
    FAR_PAGES = 16,
    STUB = 64,
    CODE = 4096
};
static const uint64_t code_at = 0x20000000, data_at = 0x20100000;

struct state {
    uint64_t reg[REGS], flags, exit;
    uint8_t fx[512] __attribute__((aligned(16)));
};

struct state test_state;
uint64_t test_host_rsp;
uint8_t test_host_fx[512] __attribute__((aligned(16)));
void test_enter(uint64_t to);
void test_leave(void);

/* Registers by their numbers at 8 each, flags at 128, exit at 136, fx at 144. A stub has stored rax
 * and the exit. */
__asm__(".text\n"
        "test_enter:\n"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
        "fxsave test_host_fx(%rip)\n"
        "mov %rsp, test_host_rsp(%rip)\n"
        "mov %rdi, test_target(%rip)\n"
        "fxrstor 144+test_state(%rip)\n"
        "pushq 128+test_state(%rip); popfq\n"
        "mov test_state(%rip), %rax; mov 8+test_state(%rip), %rcx\n"
        "mov 16+test_state(%rip), %rdx; mov 24+test_state(%rip), %rbx\n"
        "mov 32+test_state(%rip), %rsp; mov 40+test_state(%rip), %rbp\n"
        "mov 48+test_state(%rip), %rsi; mov 56+test_state(%rip), %rdi\n"
        "mov 64+test_state(%rip), %r8; mov 72+test_state(%rip), %r9\n"
        "mov 80+test_state(%rip), %r10; mov 88+test_state(%rip), %r11\n"
        "mov 96+test_state(%rip), %r12; mov 104+test_state(%rip), %r13\n"
        "mov 112+test_state(%rip), %r14; mov 120+test_state(%rip), %r15\n"
        "jmp *test_target(%rip)\n"
        "test_leave:\n"
        "mov %rcx, 8+test_state(%rip); mov %rdx, 16+test_state(%rip)\n"
        "mov %rbx, 24+test_state(%rip); mov %rsp, 32+test_state(%rip)\n"
        "mov %rbp, 40+test_state(%rip); mov %rsi, 48+test_state(%rip)\n"
        "mov %rdi, 56+test_state(%rip); mov %r8, 64+test_state(%rip)\n"
        "mov %r9, 72+test_state(%rip); mov %r10, 80+test_state(%rip)\n"
        "mov %r11, 88+test_state(%rip); mov %r12, 96+test_state(%rip)\n"
        "mov %r13, 104+test_state(%rip); mov %r14, 112+test_state(%rip)\n"
        "mov %r15, 120+test_state(%rip)\n"
        "mov test_host_rsp(%rip), %rsp\n"
        "pushfq; popq 128+test_state(%rip)\n"
        "pushq $0x202; popfq\n"
        "fxsave 144+test_state(%rip)\n"
        "fxrstor test_host_fx(%rip)\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
        "ret\n"
        ".local test_target\n"
        ".comm test_target,8,8\n");

/* --- places --- */

static uint8_t *data, *code, *far_page[FAR_PAGES], fresh[DATA];

static uint8_t *map_at(uint64_t addr, size_t len, int prot)
{
    void *at = mmap((void *)(uintptr_t)addr, len, prot,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* The relocated code is near, and up to nearly 2 GB away. */
static int map_places(void)
{
    code = map_at(code_at, CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
    data = map_at(data_at, DATA, PROT_READ | PROT_WRITE);
    for (unsigned i = 0; i < FAR_PAGES; i++)
        while (!far_page[i])
            far_page[i] =
                map_at((code_at + 0x10000 + below(i % 2 ? 0xe0000 : 0x7e000000)) & ~UINT64_C(4095),
                       4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    return code && data ? 0 : -1;
}

static uint8_t *put64(uint8_t *at, const char *opcode, uint64_t value)
{
    size_t len = strlen(opcode);
    memcpy(at, opcode, len);
    put_le64(at + len, value);
    return at + len + 8;
}

/* Stores rax and the exit's number, and goes to test_leave. */
static void write_stub(uint8_t *at, uint32_t number)
{
    at = put64(at, "\x48\xa3", (uintptr_t)&test_state.reg[0]);
    *at++ = 0xb8;
    put_le32(at, number);
    at = put64(at + 4, "\x48\xa3", (uintptr_t)&test_state.exit);
    at = put64(at, "\x48\xb8", (uintptr_t)test_leave);
    memcpy(at, "\xff\xe0", 2);
}

/* --- signals --- */

static sigjmp_buf escape;
static uint64_t signal_pc;

static void on_signal(int number, siginfo_t *info, void *context)
{
    static const int order[REGS] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    __asm__ volatile("pushq $0x202; popfq" ::: "memory", "cc"); /* above all no alignment check */
    const ucontext_t *u = context;
    (void)info;
    for (int i = 0; i < REGS; i++)
        test_state.reg[i] = (uint64_t)u->uc_mcontext.gregs[order[i]];
    test_state.flags = (uint64_t)u->uc_mcontext.gregs[REG_EFL];
    test_state.exit = 1000 + (uint64_t)number;
    signal_pc = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
    memcpy(test_state.fx, u->uc_mcontext.fpregs, sizeof test_state.fx);
    siglongjmp(escape, 1);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    static uint8_t stack[65536];
    struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &a, NULL);
}

/* --- a case --- */

struct piece {
    uint8_t bytes[64];
    size_t len;
    uint64_t addr; /* in the file */
    bool calls;    /* indirectly, at its end */
};

/* What asks the kernel, the clock or chance, or changes what the test itself runs by. */
static bool is_left_out(const struct x86_insn *i, const uint8_t *bytes)
{
    static const uint8_t one[] = {0x8e, 0x9d, 0xca, 0xcb, 0xcd, 0xcf, 0xf4};
    static const uint8_t two[] = {0x01, 0x05, 0x07, 0x31, 0x33, 0x34, 0x35, 0xa1,
                                  0xa2, 0xa9, 0xae, 0xb2, 0xb4, 0xb5, 0xc7};
    if (i->map == X86_MAP_ONE && memchr(one, i->opcode, sizeof one))
        return true;
    if (i->map == X86_MAP_0F && memchr(two, i->opcode, sizeof two))
        return true;
    if (i->map >= X86_MAP_EVEX)
        return true; /* nor does it know those registers */
    bool segment = memchr(bytes, 0x64, i->prefixes) || memchr(bytes, 0x65, i->prefixes);
    return segment && !(i->map == X86_MAP_ONE && i->opcode == 0x8b);
}

/* Relative numbers lead to places of the test: jumps to one of two stubs, operands to the data. */
static void redirect(struct piece *p, size_t at, const struct x86_insn *i, size_t end)
{
    uint64_t here = code_at + PIECE + at + i->len;
    uint64_t target = i->memory  ? data_at + DATA / 2 + below(256) * 16
                      : below(2) ? code_at + PIECE - STUB
                                 : code_at + PIECE + end + STUB;
    uint64_t distance = target - here;
    if (i->relative_size == 4)
        put_le32(p->bytes + at + i->relative_at, (uint32_t)distance);
    else
        p->bytes[at + i->relative_at] = (uint8_t)distance;
}

static bool cut_piece(struct elf_module *m, uint64_t addr, struct piece *out)
{
    uint64_t avail;
    struct x86_insn i;
    const uint8_t *bytes = elf_memory_at(m, addr, &avail);
    *out = (struct piece){.addr = addr};
    for (; out->len < JUMP; out->len += i.len)
        if (!bytes || avail < 64 || !x86_insn_read(bytes + out->len, 32, &i) ||
            is_left_out(&i, bytes + out->len))
            return false;
    memcpy(out->bytes, bytes, out->len);
    for (size_t at = 0; at < out->len; at += i.len) {
        x86_insn_read(out->bytes + at, 32, &i);
        out->calls = i.kind == INSN_CALL_INDIRECT;
        if (i.relative_size)
            redirect(out, at, &i, out->len);
    }
    return true;
}

static void draw_state(struct state *s)
{
    for (unsigned i = 0; i < REGS; i++)
        s->reg[i] = below(4) ? data_at + DATA / 4 + below(DATA / 2) : draw() << (below(2) * 8);
    s->reg[RSP] = data_at + DATA / 2 + below(256) * 8;
    s->flags = 0x202 | (draw() & 0x8d5);
    s->exit = 0;
    memcpy(s->fx, test_host_fx, sizeof s->fx);
    for (unsigned i = 160; i < 416; i++)
        s->fx[i] = (uint8_t)draw();
}

static void run_at(uint64_t to, const struct state *from, struct state *out)
{
    memcpy(data, fresh, DATA);
    test_state = *from;
    signal_pc = 0;
    if (!sigsetjmp(escape, 1)) {
        if (__builtin_cpu_supports("avx"))
            __asm__ volatile("vzeroupper"); /* FXRSTOR leaves the upper halves */
        test_enter(to);
    } else
        __asm__ volatile("fxrstor test_host_fx(%rip)");
    *out = test_state;
    memset(out->fx + 8, 0, 16);       /* where the last x87 instruction was */
    memset(out->fx + 416, 0, 96);     /* not written by FXSAVE */
    out->flags &= ~UINT64_C(0x10000); /* RF, which a signal sets */
}

static bool in_code(uint64_t pc, const uint8_t *page)
{
    return pc - (uintptr_t)page < 4096;
}

struct counts {
    uint64_t cases, signals, not_moved, differences;
};

/* A signal in the piece itself is at another address in its copy. */
static bool same_pc(uint64_t before, uint64_t after, const uint8_t *page)
{
    return before == after || (in_code(before, code) && in_code(after, page));
}

static void report(const struct piece *p, const struct state *a, const struct state *b)
{
    printf("%" PRIx64 ": exit %" PRIu64 " and %" PRIu64 ":", p->addr, a->exit, b->exit);
    for (unsigned i = 0; i < REGS; i++)
        if (a->reg[i] != b->reg[i])
            printf(" r%u %" PRIx64 " %" PRIx64, i, a->reg[i], b->reg[i]);
    printf(" bytes");
    for (size_t i = 0; i < p->len; i++)
        printf(" %02x", p->bytes[i]);
    printf("\n");
}

/* All of the page, before each run: a piece may write where its return address leads, and what it
 * wrote may then be run. */
static void write_code(const struct piece *p)
{
    memset(code, 0xcc, CODE);
    memcpy(code + PIECE, p->bytes, p->len);
    write_stub(code + PIECE + p->len, 1);
    write_stub(code + PIECE - STUB, 2);
    write_stub(code + PIECE + p->len + STUB, 3);
}

static void run_case(const struct piece *p, struct counts *n)
{
    static uint8_t after[DATA];
    static struct state start, original, moved;
    uint8_t *page = far_page[below(FAR_PAGES)];
    struct probe_moved m = {p->bytes, p->len, code_at + PIECE, (uintptr_t)page, false};
    if (probe_x86_relocate(&m, page) < 0) {
        n->not_moved++;
        return;
    }
    draw_state(&start);
    put_le64(fresh + (start.reg[RSP] - data_at), code_at + PIECE + p->len);
    put_le64(fresh + DATA / 2 + 16 * below(256), code_at + PIECE + p->len);
    write_code(p);
    run_at(code_at + PIECE, &start, &original);
    uint64_t pc = signal_pc;
    memcpy(after, data, DATA);
    write_code(p);
    run_at((uintptr_t)page, &start, &moved);
    if (p->calls && original.exit >= 1000)
        return; /* a moved call that fails has pushed its return address already */
    n->cases++;
    n->signals += original.exit >= 1000;
    if (memcmp(&original, &moved, sizeof moved) == 0 && memcmp(after, data, DATA) == 0 &&
        same_pc(pc, signal_pc, page))
        return;
    n->differences++;
    report(p, &original, &moved);
}

/* Half of the pieces begin an entry, half a later instruction of the function. */
static uint64_t draw_place(struct elf_module *m, const struct probe_plan *plan)
{
    const struct probe_site *s = &plan->site[below(plan->count)];
    uint64_t addr = s->start, avail;
    for (uint64_t steps = below(2) * below(200); steps; steps--) {
        struct x86_insn i;
        const uint8_t *bytes = elf_memory_at(m, addr, &avail);
        if (!bytes || !x86_insn_read(bytes, avail < 15 ? (size_t)avail : 15, &i) ||
            addr + i.len >= s->start + s->size)
            break;
        addr += i.len;
    }
    return addr;
}

static int run_cases(struct elf_module *m, const struct probe_plan *plan, uint64_t cases)
{
    struct counts n = {0};
    struct piece p;
    for (uint64_t tries = 0; n.cases < cases && tries < 20 * cases; tries++) {
        if (tries % 64 == 0)
            for (size_t i = 0; i < DATA; i++)
                fresh[i] = (uint8_t)draw();
        if (cut_piece(m, draw_place(m, plan), &p))
            run_case(&p, &n);
    }
    printf("%" PRIu64 " cases, %" PRIu64 " left by a signal, %" PRIu64 " not moved, %" PRIu64
           " differences\n",
           n.cases, n.signals, n.not_moved, n.differences);
    return n.differences != 0 || n.cases < cases;
}

int main(int argc, char **argv)
{
    struct image image;
    struct fail f;
    struct elf_module *m;
    struct cfi *c;
    struct probe_plan plan;
    if (argc < 3)
        return 2;
    seed = argc > 3 ? strtoull(argv[3], NULL, 0) * 2 + 1 : 1;
    if (file_map(argv[1], SIZE_MAX, &image, &f) < 0 ||
        elf_open(image.data, image.len, &m, &f) < 0 ||
        cfi_new(&(struct cfi_image){image.data, image.len, NULL}, NULL, &c, &f) < 0 ||
        probe_plan_init(&plan, m, c, &f) < 0 || !plan.count || map_places() < 0) {
        fprintf(stderr, "probe_x86: %s: %s\n", argv[1], f.what);
        return 1;
    }
    __asm__ volatile("fxsave test_host_fx(%rip)");
    catch_signals();
    return run_cases(m, &plan, strtoull(argv[2], NULL, 0));
}

#else

int main(void)
{
    fprintf(stderr, "probe_x86: this is no x86-64 processor\n");
    return 77;
}

#endif
