/* Relocated instructions of A32 and T32 do what the original ones do, on a processor of 32-bit ARM
 * or in qemu-arm. */
#include "unit.h"

#if defined(__arm__) && defined(__ARM_NEON)

#include "arm_run_pieces.h"
#include "arm_run_signals.h"

#include "core/elf/elf.h"
#include "core/probe/trampoline.h"

/* --- a case --- */

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
