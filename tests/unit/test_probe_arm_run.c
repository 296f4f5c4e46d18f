/* Relocated instructions of A32 and T32 do what the original ones do, on a processor of 32-bit ARM
 * or in qemu-arm. */
#include "unit.h"

#if defined(__arm__) && defined(__ARM_NEON)

#include "../lib/chance.h"
#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "core/insn/arm_code.h"
#include "core/insn/arm_registers.h"
#include "core/probe/trampoline.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

enum { REGS = 16, SP = 13, LR = 14, PC = 15, PAGE = 4096, PLACES = 8, DATA = 8192 };
enum { FIRST_PLACE = 0x7e7e7000, GATE = 0x7e7b7000, DESK = 0x6b6b6000 };
enum { ORIGINAL = 2048, BACK = 1968, SIGNALLED = 0x10000, BELOW_SP = 64 };
enum { ENDLESS = SIGNALLED + SIGPROF };

struct state {
    uint32_t reg[REGS], flags, exit, fault, unused; /* fault: the address of a signal */
    uint64_t simd[32];
};

/* At DESK: what of the test's own memory can be written while a piece runs. */
struct desk {
    struct state state;
    uint32_t host_sp;
    volatile bool inside;
    unsigned runs, runs_then; /* at the last tick */
    sigjmp_buf escape;
    ucontext_t runner;
    uint8_t runner_stack[32768], signal_stack[32768];
};

void arm_enter(void);
void arm_leave(void);

/* The state is at DESK: registers at 4 each, flags at 64, exit at 68, d0 at 80; behind it is the
 * stack pointer of the test. A stub has pushed r0 and r1, and set r0 to the exit. */
__asm__(".syntax unified\n"
        ".arm\n"
        ".text\n"
        ".align 2\n"
        ".global arm_enter\n"
        ".type arm_enter, %function\n"
        "arm_enter:\n"
        "push {r4-r11, lr}\n"
        "vpush {d8-d15}\n"
        "ldr r1, =0x6b6b6150\n"
        "str sp, [r1]\n"
        "ldr r1, =0x6b6b6000\n"
        "add r0, r1, #80\n"
        "vldmia r0!, {d0-d15}\n"
        "vldmia r0, {d16-d31}\n"
        "ldr r0, [r1, #64]\n"
        "msr APSR_nzcvq, r0\n"
        "ldr sp, [r1, #52]\n"
        "ldr lr, [r1, #56]\n"
        "add r0, r1, #8\n"
        "ldmia r0, {r2-r12}\n"
        "ldr r0, [r1]\n"
        "ldr r1, [r1, #4]\n"
        "ldr pc, =0x7e7b7000\n"
        ".global arm_leave\n"
        ".type arm_leave, %function\n"
        "arm_leave:\n"
        "ldr r1, =0x6b6b6000\n"
        "str r0, [r1, #68]\n"
        "ldr r0, [sp]\n"
        "str r0, [r1]\n"
        "ldr r0, [sp, #4]\n"
        "str r0, [r1, #4]\n"
        "add r0, sp, #8\n"
        "str r0, [r1, #52]\n"
        "add r0, r1, #8\n"
        "stmia r0, {r2-r12}\n"
        "str lr, [r1, #56]\n"
        "mrs r0, APSR\n"
        "str r0, [r1, #64]\n"
        "add r0, r1, #80\n"
        "vstmia r0!, {d0-d15}\n"
        "vstmia r0, {d16-d31}\n"
        "ldr r1, =0x6b6b6150\n"
        "ldr sp, [r1]\n"
        "vpop {d8-d15}\n"
        "pop {r4-r11, pc}\n"
        ".ltorg\n");

/* --- places: the original in the middle of the first, copies in the others --- */

_Static_assert(offsetof(struct desk, host_sp) == 0x150, "as in arm_enter");

static struct desk *desk;
static uint8_t *place[PLACES], *data, *gate, fresh[DATA], after[DATA];

static void *map_at(uint32_t addr, size_t len, int allowed)
{
    void *at =
        mmap((void *)addr, len, allowed, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* LDR PC, and the word behind it: in and out, so that no code that a piece may read has an address
 * of the test. */
static void put_gate(void)
{
    put_le32(gate, 0xe51ff004);
    put_le32(gate + 8, 0xe51ff004);
    put_le32(gate + 12, (uint32_t)arm_leave);
}

/* No four bytes of an address there, and of a stub, are an address of the test itself, so that what
 * a piece reads at an odd place leads nowhere. Copies are within the reach of a branch of T32, of
 * one of A32, and beyond. */
static bool map_places(void)
{
    static const uint32_t at[PLACES] = {0,         0x10000,    0xf00000,  0xff100000,
                                        0x1800000, 0xfe800000, 0x8000000, 0xe0000000};
    enum { CODE = PROT_READ | PROT_WRITE | PROT_EXEC };
    bool mapped = (data = map_at(0x50000000, DATA, PROT_READ | PROT_WRITE)) &&
                  (desk = map_at(DESK, sizeof *desk, PROT_READ | PROT_WRITE));
    for (unsigned i = 0; mapped && i < PLACES; i++)
        mapped = (place[i] = map_at(FIRST_PLACE + at[i], PAGE, CODE));
    mapped = mapped && (gate = map_at(GATE, PAGE, CODE));
    if (mapped)
        put_gate();
    return mapped;
}

static void flush(uint8_t *at)
{
    __builtin___clear_cache((char *)at, (char *)at + PAGE);
}

/* push {r0, r1}; movw r0, #0x5a00 + number; ldr r1, =GATE + 8; bx r1 */
static void put_stub(uint8_t *at, bool thumb, unsigned number)
{
    if (thumb) {
        put_le16(at, 0xb403);
        put_le16(at + 2, 0xf645);
        put_le16(at + 4, (uint16_t)(0x2000 | number));
        put_le32(at + 6, 0x1004f8df);
        put_le16(at + 10, 0x4708);
        put_le16(at + 12, 0);
        put_le32(at + ((((uintptr_t)at + 6) & ~3u) + 8 - (uintptr_t)at), GATE + 8);
        return;
    }
    put_le32(at, 0xe92d0003);
    put_le32(at + 4, 0xe3050a00 | number);
    put_le32(at + 8, 0xe59f1000);
    put_le32(at + 12, 0xe12fff11);
    put_le32(at + 16, GATE + 8);
}

enum { HOOK_A32 = 3072, HOOK_T32 = 3136 };

/* str r0, [sp, #4]; add r0, lr, #4; ldr lr, [sp]; str r0, [sp]; ldr r0, [sp, #4]; ldr pc, [sp], #8
 */
static void put_hooks(uint8_t *page)
{
    static const uint32_t a32[] = {0xe58d0004, 0xe28e0004, 0xe59de000,
                                   0xe58d0000, 0xe59d0004, 0xe49df008};
    static const uint16_t t32[] = {0x9001, 0xf10e, 0x0004, 0xf8dd, 0xe000,
                                   0x9000, 0x9801, 0xf85d, 0xfb08};
    for (unsigned i = 0; i < sizeof a32 / 4; i++)
        put_le32(page + HOOK_A32 + 4 * i, a32[i]);
    for (unsigned i = 0; i < sizeof t32 / 2; i++)
        put_le16(page + HOOK_T32 + 2 * i, t32[i]);
}

/* --- the test's own memory --- */

enum { MAX_OWN = 64 };
static struct {
    uint32_t start, len;
} own[MAX_OWN];
static unsigned own_count;

/* All that can be written now, but what pieces may write. */
static bool find_own_memory(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], rights[5];
    unsigned long start, end;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3 && rights[1] == 'w' &&
            rights[2] != 'x' && start != DESK && start != 0x50000000 && own_count < MAX_OWN) {
            own[own_count].start = (uint32_t)start;
            own[own_count++].len = (uint32_t)(end - start);
        }
    return maps && fclose(maps) == 0 && own_count > 0 && own_count < MAX_OWN;
}

/* A store that hits the test would end it anywhere later; so it traps, as others do. */
static void allow_writing(bool allowed)
{
    for (unsigned i = 0; i < own_count; i++)
        mprotect((void *)own[i].start, own[i].len, PROT_READ | (allowed ? PROT_WRITE : 0));
    mprotect(gate, PAGE, PROT_READ | PROT_EXEC | (allowed ? PROT_WRITE : 0));
}

static ucontext_t outside;

/* On a stack of the desk. */
static void run_pieces(void)
{
    for (;;) {
        if (!sigsetjmp(desk->escape, 1)) {
            allow_writing(false);
            desk->inside = true;
            arm_enter();
            allow_writing(true);
        }
        desk->inside = false;
        swapcontext(&desk->runner, &outside);
    }
}

static void make_runner(void)
{
    getcontext(&desk->runner);
    desk->runner.uc_stack.ss_sp = desk->runner_stack;
    desk->runner.uc_stack.ss_size = sizeof desk->runner_stack;
    makecontext(&desk->runner, run_pieces, 0);
}

/* --- signals --- */

/* It may be anywhere, and its flags are those of a user program: N to Q, GE, and the instruction
 * set. Where the kernel has kept d0 to d31 is said by a number of its own. */
static void keep_state(struct state *s, const siginfo_t *info, const ucontext_t *u)
{
    enum { FLAGS = 0x0f0020, VFP_MAGIC = 0x56465001 };
    memcpy(s->reg, &u->uc_mcontext.arm_r0, sizeof s->reg);
    s->flags = (uint32_t)u->uc_mcontext.arm_cpsr & (0xf8000000u | FLAGS);
    s->fault = (uint32_t)(uintptr_t)info->si_addr;
    if (u->uc_regspace[0] == VFP_MAGIC)
        memcpy(s->simd, u->uc_regspace + 2, sizeof s->simd);
}

/* True if the same piece has run since the last tick. */
static bool is_endless(void)
{
    bool same = desk->runs == desk->runs_then;
    desk->runs_then = desk->runs;
    return desk->inside && same;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (number == SIGPROF && !is_endless())
        return;
    if (number != SIGPROF)
        keep_state(&desk->state, info, context);
    desk->state.exit = SIGNALLED + (uint32_t)number;
    allow_writing(true);
    siglongjmp(desk->escape, 1);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGPROF};
    struct sigaction a = {.sa_sigaction = on_signal,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaltstack(&(stack_t){.ss_sp = desk->signal_stack, .ss_size = sizeof desk->signal_stack},
                NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &a, NULL);
    setitimer(ITIMER_PROF, &(struct itimerval){{2, 0}, {2, 0}}, NULL);
}

/* --- a case --- */

struct piece {
    uint8_t bytes[24];
    size_t len;
    bool thumb, calls;
};

/* What asks the kernel, waits, or is relative to the pc in a way that no entry is. */
static bool is_left_out(const struct piece *p, uint32_t op, const struct arm_code *c)
{
    if (c->kind == ARM_SYSTEM_CALL || c->kind == ARM_UNKNOWN || c->kind == ARM_TABLE)
        return true;
    if (p->thumb && c->len == 2)
        return op >> 8 == 0xbe || (op >> 8 == 0xbf && c->kind != ARM_IF) || op >> 8 == 0xde ||
               op == 0xb650 || op == 0xb658 || (op & 0xffe8) == 0xb660;
    bool system = (op & 0x0e000000) == 0x0c000000 || (op & 0x0f000000) == 0x0e000000,
         floating = (op & 0xe00) == 0xa00;
    bool status = p->thumb ? (op & 0xff80d000) == 0xf3808000
                           : (op & 0x0f900000) == 0x01000000 || (op & 0x0fb00000) == 0x03200000;
    bool simple_branch =
        !p->thumb && ((op & 0x0ffffff0) == 0x012fff10 || (op & 0x0ffffff0) == 0x012fff30);
    bool a32_exclusive = !p->thumb && (op & 0x0f0000f0) == 0x01000090;
    bool exclusive = p->thumb && (op & 0xfe600000) == 0xe8400000;
    bool writes_code = !p->thumb && (op & 0x0c1f0000) == 0x040f0000;
    bool loads_below = !p->thumb && (op & 0x0e9f0000) == 0x081d0000;
    bool stores_by_shift = !p->thumb && (op & 0x0e100000) == 0x06000000 && op & 0xff0;
    return loads_below || stores_by_shift || (system && !floating) || writes_code ||
           (status && !simple_branch) || a32_exclusive || exclusive ||
           (op & 0x0ff00000) == 0x0ee00000 || (op & 0x0ff00000) == 0x0ef00000;
}

static bool read_registers(const struct piece *p, uint32_t op, unsigned len)
{
    struct arm_registers r;
    return !p->thumb  ? arm_registers_a32(op, &r)
           : len == 4 ? arm_registers_t32(op, &r)
                      : arm_registers_t16((uint16_t)op, &r);
}

static uint32_t draw_halves(unsigned form)
{
    static const uint32_t relative[] = {0x4800, 0xa000, 0x4478, 0x467b, 0xd000,
                                        0xe000, 0xb100, 0xb900, 0xbf00, 0xb500};
    uint32_t bits = (uint32_t)draw(), op = relative[form % 10];
    switch (op) {
    case 0x4478: /* add, mov */
    case 0x467b:
        return op | (bits & 0x80) >> (op == 0x467b) | (bits & 7);
    case 0xb100:
    case 0xb900:
        return op | (bits & 7);
    case 0xd000:
        return op | (bits % 14) << 8;
    case 0xbf00:
        return op | (bits % 14) << 4 | 8 >> below(2);
    default:
        return op | (bits & 0x7ff);
    }
}

static uint32_t draw_long(unsigned form)
{
    static const uint32_t forms[] = {0xf8df0000, 0xf85f0000, 0xf89f0000, 0xf9bf0000, 0xe9df0000,
                                     0xed9f0a00, 0xed1f0b00, 0xf20f0000, 0xf2af0000, 0xf0008000,
                                     0xf0009000, 0xf000d000, 0xf000c000};
    uint32_t bits = (uint32_t)draw(), op = forms[form % 13];
    if (op < 0xf0000000)
        return op | (bits & 0x0000f03f) | (op < 0xed000000 ? bits & 0xf00 : 0);
    if ((op & 0xff5f0000) == 0xf20f0000)
        return op | (bits & 0x4000fff & ~8u << 28);
    if (op == 0xf0008000)
        return op | (bits % 14) << 22;
    return op >= 0xf8000000 ? op | (bits & 0xf1ff) : op;
}

static uint32_t draw_a32(unsigned form)
{
    static const uint32_t forms[] = {0x059f0000, 0x051f0000, 0x028f0000, 0x024f0000, 0x008f0000,
                                     0x0080000f, 0x079f0000, 0x01df00b0, 0x0d9f0a00, 0x0d1f0b00,
                                     0x0a000000, 0x0b000000, 0x01a0000f, 0x01cf00d0, 0x012fff30};
    uint32_t bits = (uint32_t)draw(), op = forms[form % 15];
    uint32_t always = below(2) ? 14 : below(15);
    if ((op & 0x0e000000) == 0x0a000000 || op == 0x012fff30)
        return always << 28 | op | (op == 0x012fff30 ? bits & 15 : 0);
    return always << 28 | op | (bits & (op & 0x04000000 || op & 0x02000000 ? 0xf0ff : 0xf00f));
}

/* Half of them relative, half anything. */
static uint32_t draw_word(const struct piece *p)
{
    unsigned kind = (unsigned)below(8);
    uint32_t any = (uint32_t)draw();
    if (!p->thumb)
        return kind < 4   ? draw_a32((unsigned)draw())
               : kind < 7 ? (any & 0x0fffffff) | 0xe0000000
                          : any;
    if (kind < 3)
        return draw_halves((unsigned)draw()) << 16 | (any & 0xffff);
    return kind < 6 ? draw_long((unsigned)draw()) : any;
}

/* Direct jumps lead to a stub. */
static uint32_t redirected(const struct piece *p, uint32_t op, const struct arm_code *c,
                           uint32_t at)
{
    uint32_t target = (uintptr_t)place[0] + (below(2) ? BACK : ORIGINAL + 64), by;
    if (c->kind != ARM_JUMP && c->kind != ARM_BRANCH && !(c->kind == ARM_CALL && c->direct))
        return op;
    by = target - at - (p->thumb ? 4 : 8);
    if (!p->thumb)
        return op >> 28 == 15 ? 0xe1a00000 : (op & 0xff000000) | (by >> 2 & 0xffffff);
    if (c->len == 2 && op >> 12 == 0xb)
        return (op & 0xfd07) | (((uintptr_t)place[0] + ORIGINAL + 64 - at - 4) & 0x3e) << 2;
    if (c->len == 2 && op >> 12 == 0xd)
        return (op & 0xff00) | (by >> 1 & 0xff);
    if (c->len == 2)
        return 0xe000 | (by >> 1 & 0x7ff);
    uint32_t s = by >> 31;
    if (c->kind == ARM_BRANCH)
        return (op & 0xfbc0d000) | s << 26 | s << 13 | s << 11 | (by >> 12 & 0x3f) << 16 |
               (by >> 1 & 0x7ff);
    op = (op & 0xf000d000) | 0x1000; /* not BLX: there is no stub of A32 */
    return op | s << 26 | (by >> 12 & 0x3ff) << 16 | 0x2800 | (by >> 1 & 0x7ff);
}

static bool add_instruction(struct piece *p)
{
    uint32_t word = draw_word(p), op = word;
    struct arm_code c;
    if (p->thumb)
        thumb_code_read((uint16_t)(word >> 16), (uint16_t)word, &c);
    else
        arm_code_read(word, &c);
    op = p->thumb && c.len == 2 ? word >> 16 : word;
    if (!read_registers(p, op, c.len) || is_left_out(p, op, &c))
        return false;
    op = redirected(p, op, &c, (uint32_t)((uintptr_t)place[0] + ORIGINAL + p->len));
    if (p->thumb && c.len == 4) {
        put_le16(p->bytes + p->len, (uint16_t)(op >> 16));
        put_le16(p->bytes + p->len + 2, (uint16_t)op);
    } else if (p->thumb)
        put_le16(p->bytes + p->len, (uint16_t)op);
    else
        put_le32(p->bytes + p->len, op);
    p->calls |= c.kind == ARM_CALL;
    p->len += c.len;
    return true;
}

static bool draw_piece(struct piece *p)
{
    *p = (struct piece){.thumb = below(3)};
    size_t wanted = p->thumb && below(4) == 0 ? 8 : 4;
    while (p->len < wanted)
        if (!add_instruction(p))
            return false;
    return true;
}

/* Where the test itself has no memory. */
static uint32_t draw_number(void)
{
    uint32_t value = (uint32_t)draw() >> below(32);
    return value >= PAGE && value < 0x80000000 ? value % PAGE : value;
}

static void draw_state(struct state *s)
{
    for (unsigned i = 0; i < REGS; i++)
        s->reg[i] =
            below(4) ? 0x50000000 + DATA / 4 + 4 * (uint32_t)below(DATA / 8) : draw_number();
    if (below(8) == 0)
        s->reg[below(13)] = (uint32_t)((uintptr_t)place[0] + BACK) | 1;
    s->reg[SP] = 0x50000000 + DATA / 2 + 8 * (uint32_t)below(64);
    s->reg[PC] = 0;
    s->flags = (uint32_t)draw() & 0xf8000000;
    for (unsigned i = 0; i < sizeof s->simd; i++)
        ((uint8_t *)s->simd)[i] = (uint8_t)draw();
}

/* A copy keeps registers below the stack pointer. */
static void forget_below(uint8_t *memory, uint32_t sp)
{
    for (uint32_t at = sp - BELOW_SP; at != sp; at++)
        if (at - 0x50000000 < DATA)
            memory[at - 0x50000000] = 0;
}

static uint32_t top[2]; /* of the stack, when the last piece had run */

static void keep_top(uint32_t sp)
{
    for (unsigned i = 0; i < 2; i++)
        top[i] =
            sp + 4 * i - 0x50000000 <= DATA - 4 ? get_le32(data + (sp + 4 * i - 0x50000000)) : 0;
}

static void run_at(uint32_t to, const struct state *from, struct state *out, uint32_t below_sp)
{
    memcpy(data, fresh, DATA);
    for (unsigned at = BELOW_SP; at; at -= 4)
        put_le32(data + (from->reg[SP] - 0x50000000 - at), below_sp);
    desk->state = *from;
    desk->runs++;
    put_le32(gate + 4, to);
    swapcontext(&outside, &desk->runner);
    *out = desk->state;
    keep_top(out->reg[SP]);
    forget_below(data, from->reg[SP]);
    forget_below(data, out->reg[SP]);
}

/* Before each run: a piece may write there. What is between the stubs are addresses of one. */
static void write_original(const struct piece *p)
{
    for (unsigned at = 0; at < PAGE; at += 4)
        put_le32(place[0] + at, (uint32_t)(uintptr_t)place[0] + BACK + p->thumb);
    memcpy(place[0] + ORIGINAL, p->bytes, p->len);
    put_stub(place[0] + ORIGINAL + p->len, p->thumb, 1);
    put_stub(place[0] + BACK, p->thumb, 2);
    put_stub(place[0] + ORIGINAL + 64, p->thumb, 3);
    flush(place[0]);
}

static struct counts {
    unsigned same_exit, same_signal, refused, left_out, stackless, endless;
} counts[2]; /* of A32 and T32 */

static unsigned compared(void)
{
    return counts[0].same_exit + counts[0].same_signal + counts[1].same_exit +
           counts[1].same_signal;
}

static void report(const struct piece *p, const struct state *a, const struct state *b)
{
    printf("    %s:", p->thumb ? "T32" : "A32");
    for (size_t i = 0; i < p->len; i += p->thumb ? 2 : 4)
        printf(p->thumb ? " %04x" : " %08x",
               p->thumb ? get_le16(p->bytes + i) : (unsigned)get_le32(p->bytes + i));
    printf("; exit %u and %u", (unsigned)a->exit, (unsigned)b->exit);
    for (unsigned i = 0; i < REGS; i++)
        if (a->reg[i] != b->reg[i])
            printf(" r%u %x %x", i, (unsigned)a->reg[i], (unsigned)b->reg[i]);
    printf(" flags %x %x\n", (unsigned)a->flags, (unsigned)b->flags);
}

/* Alone, or behind a call of a hook. */
static int write_copy(const struct probe_moved *m, uint8_t *to)
{
    uint32_t page = (uint32_t)(uintptr_t)to & ~(PAGE - 1u);
    struct probe_hook h = {page + (m->thumb ? HOOK_T32 : HOOK_A32), 7};
    return below(2) ? probe_arm_relocate(m, to) : probe_trampoline(ELF_MACHINE_ARM, m, &h, to);
}

/* The original: false if what it does depends on what is below the stack pointer, which is
 * nobody's (an address there, and none), or if it writes to its own code. */
static bool run_original(const struct piece *p, const struct state *start, struct state *out)
{
    static uint8_t code[PAGE];
    static struct state again;
    bool writes = false;
    for (unsigned i = 0; i < 2; i++) {
        write_original(p);
        memcpy(code, place[0], PAGE);
        run_at((uint32_t)(uintptr_t)(place[0] + ORIGINAL) | p->thumb, start, i ? &again : out,
               i ? 0x50000000 + DATA / 2 : 0xfefefefe);
        writes |= memcmp(code, place[0], PAGE) != 0;
        if (i == 0)
            memcpy(after, data, DATA);
    }
    return !writes && memcmp(out, &again, sizeof again) == 0 && memcmp(after, data, DATA) == 0;
}

/* --- a signal in the piece is at another address in its copy --- */

static bool is_same_place(uint32_t original, uint32_t copy, const uint8_t *to)
{
    uint32_t page = (uint32_t)(uintptr_t)to & ~(PAGE - 1u);
    return original == copy ||
           (original - (uint32_t)(uintptr_t)place[0] < PAGE && copy - page < PAGE);
}

/* The registers that the copy has on the stack meanwhile get their values back: one, or r0 and r1.
 * One that a literal is loaded into has its address before. */
static void take_back(const struct state *original, struct state *copy)
{
    uint32_t kept = (original->reg[SP] - copy->reg[SP]) / 4;
    unsigned i = 0;
    while (i < PC && (i == SP || copy->reg[i] == original->reg[i]))
        i++;
    if (i == PC || kept > 2)
        return;
    if (kept ? top[kept == 2 ? i & 1 : 0] == original->reg[i] : copy->reg[i] == copy->fault)
        copy->reg[i] = original->reg[i];
    copy->reg[SP] += 4 * kept;
}

/* Where an instruction of T32 set the stack pointer to no place for a push, the copy of the next
 * one pushes earlier than what is behind the piece. */
static bool lost_its_stack(const struct piece *p, const struct state *s)
{
    uint32_t at = s->reg[SP] - 0x50000000;
    return p->thumb && s->exit >= SIGNALLED && (at % 4 || at < 2 * sizeof top || at > DATA);
}

static bool is_same_signal(const struct state *original, struct state *copy, const uint8_t *to)
{
    forget_below(after, copy->reg[SP]);
    forget_below(data, original->reg[SP]);
    take_back(original, copy);
    if (!is_same_place(original->reg[PC], copy->reg[PC], to) ||
        !is_same_place(original->fault, copy->fault, to))
        return false;
    copy->reg[PC] = original->reg[PC];
    copy->fault = original->fault;
    return memcmp(original, copy, sizeof *copy) == 0 && memcmp(after, data, DATA) == 0;
}

/* --- a case, to its end --- */

static bool is_same_end(const struct piece *p, const struct state *original, struct state *copy,
                        const uint8_t *to)
{
    struct counts *n = &counts[p->thumb];
    bool signals = original->exit >= SIGNALLED && copy->exit >= SIGNALLED;
    bool same = signals
                    ? is_same_signal(original, copy, to)
                    : memcmp(original, copy, sizeof *copy) == 0 && memcmp(after, data, DATA) == 0;
    *(signals ? &n->same_signal : &n->same_exit) += same;
    if (!same)
        report(p, original, copy);
    return same;
}

static bool is_same(const struct piece *p)
{
    static struct state start, original, copy;
    uint8_t *to = place[1 + below(PLACES - 1)] + below(256) * 4;
    struct probe_moved m = {p->bytes, p->len, (uintptr_t)place[0] + ORIGINAL, (uintptr_t)to,
                            p->thumb};
    if (write_copy(&m, to) < 0) {
        counts[p->thumb].refused++;
        return true;
    }
    flush((uint8_t *)((uintptr_t)to & ~(PAGE - 1u)));
    draw_state(&start);
    if (!run_original(p, &start, &original)) {
        counts[p->thumb].left_out++;
        return true;
    }
    write_original(p);
    run_at((uint32_t)(uintptr_t)to | p->thumb, &start, &copy, 0xfefefefe);
    bool endless = original.exit == ENDLESS && copy.exit == ENDLESS;
    bool lost = lost_its_stack(p, &original) && copy.exit >= SIGNALLED;
    counts[p->thumb].endless += endless;
    counts[p->thumb].stackless += lost && !endless;
    return endless || lost || is_same_end(p, &original, &copy, to);
}

static void print_counts(unsigned differences)
{
    for (unsigned i = 0; i < 2; i++)
        printf("    %s: %u run to the end, %u to a signal, %u not moved, %u by what is nobody's, "
               "%u without a stack, %u endless\n",
               i ? "T32" : "A32", counts[i].same_exit, counts[i].same_signal, counts[i].refused,
               counts[i].left_out, counts[i].stackless, counts[i].endless);
    printf("    %u compared, %u differences\n", compared() + differences, differences);
}

TEST(probe_arm_run_is_the_same)
{
    struct piece p;
    uint64_t cases = chance_cases((uint64_t)unit_rounds(5000));
    if (!map_places())
        SKIP("memory at the addresses of the test is taken");
    if (!find_own_memory())
        SKIP("/proc/self/maps is not readable");
    make_runner();
    catch_signals();
    for (unsigned i = 1; i < PLACES; i++)
        put_hooks(place[i]);
    unsigned differences = 0;
    while (compared() < cases && differences < 20) {
        if (compared() % 64 == 0)
            for (size_t i = 0; i < DATA; i++)
                fresh[i] = (uint8_t)draw() | 0x80;
        if (draw_piece(&p))
            differences += !is_same(&p);
    }
    CHECK_INT(differences, 0);
    CHECK(counts[0].same_exit > cases / 8 && counts[1].same_exit > cases / 4);
    print_counts(differences);
}

#else

TEST(probe_arm_run_is_the_same)
{
    SKIP("this is no 32-bit ARM processor with NEON");
}

#endif
