/*
 * Functions of 32-bit ARM without call frame information, left by their instructions. All code here
 * was assembled; each function is followed from each of its instructions.
 */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/unwind/unwind.h"

#include "../lib/armelf.h"

enum {
    CODE = 0x10000,
    CALLER = 0x20000, /* Thumb: it has called through r3 */
    CALLER_A32 = 0x30000,
    STACK = 0x40000,
    STACK_BYTES = 0x4000,
    ENTRY = STACK + 0x3000, /* the stack pointer of the caller */
    JUNK = 0x50000,
    MOST = 8,
};

struct world {
    const uint8_t *code;
    size_t len;
    uint8_t stack[STACK_BYTES];
    size_t stack_len;
    struct cfi *cfi; /* of the code, or NULL */
    struct unwind_regs regs;
    struct unwind_frame frame[MOST];
    struct unwind_result result;
};

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    static const uint8_t thumb[] = {0, 0, 0, 0, 0, 0, 0x98, 0x47};     /* blx r3 */
    static const uint8_t a32[] = {0, 0, 0, 0, 0x33, 0xff, 0x2f, 0xe1}; /* blx r3 */
    const struct world *w = arg;
    const struct unwind_slice slices[] = {{CODE, w->code, w->len},
                                          {CALLER - 8, thumb, sizeof thumb},
                                          {CALLER_A32 - 8, a32, sizeof a32},
                                          {STACK, w->stack, w->stack_len}};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++)
        if (unwind_slice_read(&slices[i], addr, bytes, len))
            return true;
    return false;
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    const struct world *w = arg;
    bool ours = pc >= CODE && pc < CODE + w->len;
    *out = (struct unwind_code){ours ? w->cfi : NULL, CODE - ARMELF_CODE};
    return ours || (pc >= CALLER - 8 && pc <= CALLER) || (pc >= CALLER_A32 - 8 && pc <= CALLER_A32);
}

static void put_word(struct world *w, uint32_t at, uint32_t value)
{
    put_le32(w->stack + (at - STACK), value);
}

static void start(struct world *w, const void *code_bytes, size_t len)
{
    *w = (struct world){.code = code_bytes, .len = len, .stack_len = STACK_BYTES};
    for (uint32_t at = STACK; at < STACK + STACK_BYTES; at += 4)
        put_word(w, at, JUNK);
    for (unsigned reg = 0; reg < 16; reg++)
        w->regs.r[reg] = JUNK;
    w->regs.known = 0xffff | UINT64_C(1) << UNWIND_PC;
}

static void run(struct world *w, uint32_t pc, uint32_t sp)
{
    struct unwind_space s = {.machine = UNWIND_ARM, .memory = memory, .code = code, .arg = w};
    w->regs.r[UNWIND_PC] = pc;
    w->regs.r[13] = sp;
    w->result = unwind(&s, &w->regs, w->frame, MOST);
}

/* --- every instruction of a function --- */

struct point { /* how far below ENTRY the stack pointer is, and the frame pointer (0: not set) */
    unsigned at, depth, frame;
    bool called; /* lr is another's return address */
};

struct function {
    const char *name;
    const void *code;
    size_t len;
    bool a32;
    unsigned frame_register;
    const struct point *point;
    size_t points;
};

/* lr is saved as the highest word. A call of its own has left a return address into itself. */
static void check_point(const struct function *f, const struct point *p, uint32_t returns_to)
{
    static struct world w;
    start(&w, f->code, f->len);
    if (p->depth)
        put_word(&w, ENTRY - 4, returns_to);
    w.regs.r[14] = p->called ? CODE + p->at : returns_to;
    if (p->frame)
        w.regs.r[f->frame_register] = ENTRY - p->frame;
    run(&w, CODE + p->at, ENTRY - p->depth);
    bool right = w.result.frames == 2 && w.frame[1].pc == (returns_to & ~1u) &&
                 w.frame[1].sp == ENTRY && w.frame[1].method == UNWIND_CODE &&
                 w.result.by_code == 1 && w.result.guessed == 0;
    if (!right)
        printf("%s + 0x%x: %zu frames, pc %#" PRIx64 ", sp %#" PRIx64 ", method %d\n", f->name,
               p->at, w.result.frames, w.frame[1].pc, w.frame[1].sp, w.frame[1].method);
    CHECK(right);
}

static void check_function(const struct function *f)
{
    for (size_t i = 0; i < f->points; i++) {
        check_point(f, &f->point[i], CALLER | 1);
        check_point(f, &f->point[i], CALLER_A32);
    }
}

#define CHECK_POINTS(bytes, is_a32, fp, ...)                                                       \
    check_function(&(struct function){                                                             \
        #bytes, bytes, sizeof(bytes), is_a32, fp, (const struct point[]){__VA_ARGS__},             \
        sizeof((const struct point[]){__VA_ARGS__}) / sizeof(struct point)})

/* push {r4, r7, lr}; sub sp, #12; add r7, sp, #0; mov r4, r0; cbz r0, 1f; blx r3; cmp r0, #1;
 * it eq; moveq r4, #3; 1: adds r7, #12; mov sp, r7; pop {r4, r7, pc} */
static const uint16_t t_framed[] = {0xb590, 0xb083, 0xaf00, 0x4604, 0xb118, 0x4798,
                                    0x2801, 0xbf08, 0x2403, 0x370c, 0x46bd, 0xbd90};

/* push.w {r4-r11, lr}; vpush {d8-d9}; sub.w sp, sp, #4096; strd r0, r1, [sp, #8]; 2: subs r0, #1;
 * beq.w 3f; cmp r0, #8; bne 2b; b 2b; 3: add.w sp, sp, #4096; vpop {d8-d9}; pop.w {r4-r11, pc} */
static const uint16_t t_wide[] = {0xe92d, 0x4ff0, 0xed2d, 0x8b04, 0xf5ad, 0x5d80, 0xe9cd,
                                  0x0102, 0x3801, 0xf000, 0x8003, 0x2808, 0xd1fa, 0xe7f9,
                                  0xf50d, 0x5d80, 0xecbd, 0x8b04, 0xe8bd, 0x8ff0};

/* cmp r0, #0; it eq; bxeq lr; push {r3, lr}; blx r3; ldmia.w sp!, {r3, lr}; b.w elsewhere */
static const uint16_t t_early[] = {0x2800, 0xbf08, 0x4770, 0xb508, 0x4798,
                                   0xe8bd, 0x4008, 0xf7ff, 0xbfd7};

/* push {r7, lr}; add r7, sp, #0; sub.w sp, sp, r0; mov r0, sp; blx r3; mov sp, r7; pop {r7, pc} */
static const uint16_t t_alloca[] = {0xb580, 0xaf00, 0xebad, 0x0d00, 0x4668, 0x4798, 0x46bd, 0xbd80};

TEST(arm_unwind_thumb_code)
{
    CHECK_POINTS(t_framed, false, 7, {0, 0, 0, false}, {2, 12, 0, false}, {4, 24, 0, false},
                 {6, 24, 24, false}, {8, 24, 24, false}, {10, 24, 24, false}, {12, 24, 24, true},
                 {14, 24, 24, true}, {16, 24, 24, true}, {18, 24, 24, true}, {20, 24, 12, true},
                 {22, 12, 12, true});
    CHECK_POINTS(t_wide, false, 7, {0, 0, 0, false}, {4, 36, 0, false}, {8, 52, 0, false},
                 {12, 4148, 0, false}, {16, 4148, 0, false}, {18, 4148, 0, false},
                 {22, 4148, 0, true}, {24, 4148, 0, true}, {26, 4148, 0, true}, {28, 4148, 0, true},
                 {32, 52, 0, true}, {36, 36, 0, true});
    CHECK_POINTS(t_early, false, 7, {0, 0, 0, false}, {2, 0, 0, false}, {4, 0, 0, false},
                 {6, 0, 0, false}, {8, 8, 0, false}, {10, 8, 0, true});
    CHECK_POINTS(t_alloca, false, 7, {0, 0, 0, false}, {2, 8, 0, false}, {4, 8, 8, false},
                 {8, 808, 8, false}, {10, 808, 8, false}, {12, 808, 8, true}, {14, 8, 8, true});
}

/* push {fp, lr}; add fp, sp, #4; sub sp, sp, #16; str r0, [fp, #-16]; blx r3; sub sp, fp, #4;
 * pop {fp, pc} */
static const uint32_t a_framed[] = {0xe92d4800, 0xe28db004, 0xe24dd010, 0xe50b0010,
                                    0xe12fff33, 0xe24bd004, 0xe8bd8800};

/* str fp, [sp, #-4]!; add fp, sp, #0; sub sp, sp, #20; str r0, [fp, #-16]; add sp, fp, #0;
 * ldr fp, [sp], #4; bx lr: lr is never saved */
static const uint32_t a_leaf[] = {0xe52db004, 0xe28db000, 0xe24dd014, 0xe50b0010,
                                  0xe28bd000, 0xe49db004, 0xe12fff1e};

/* push {r4, lr}; cmp r0, #0; popne {r4, pc}; blx r3; pop {r4, lr}; b elsewhere */
static const uint32_t a_early[] = {0xe92d4010, 0xe3500000, 0x18bd8010,
                                   0xe12fff33, 0xe8bd4010, 0xeafffff2};

/* push {r4-r11, lr}; vpush {d8-d11}; sub sp, sp, #260; 6: ldrd r4, r5, [sp, #8]; subs r0, r0, #1;
 * bne 6b; add sp, sp, #260; vpop {d8-d11}; pop {r4-r11, pc} */
static const uint32_t a_wide[] = {0xe92d4ff0, 0xed2d8b08, 0xe24ddf41, 0xe1cd40d8, 0xe2500001,
                                  0x1afffffc, 0xe28ddf41, 0xecbd8b08, 0xe8bd8ff0};

TEST(arm_unwind_a32_code)
{
    CHECK_POINTS(a_framed, true, 11, {0, 0, 0, false}, {4, 8, 0, false}, {8, 8, 4, false},
                 {12, 24, 4, false}, {16, 24, 4, false}, {20, 24, 4, true}, {24, 8, 4, true});
    CHECK_POINTS(a_leaf, true, 11, {0, 0, 0, false}, {24, 0, 0, false});
    CHECK_POINTS(a_early, true, 11, {0, 0, 0, false}, {4, 8, 0, false}, {8, 8, 0, false},
                 {12, 8, 0, false}, {16, 8, 0, true});
    CHECK_POINTS(a_wide, true, 11, {0, 0, 0, false}, {4, 36, 0, false}, {8, 68, 0, false},
                 {12, 328, 0, true}, {16, 328, 0, true}, {20, 328, 0, true}, {24, 328, 0, true},
                 {28, 68, 0, true}, {32, 36, 0, true});
}

/* mov r3, r0; cmp r2, #8; bcc 2f; 1: subs r2, r2, #8; stmiacs r3!, {r1, ip}; subscs r2, r2, #8;
 * stmiacs r3!, {r1, ip}; bcs 1b; 2: subs r2, r2, #1; strbcs r1, [r3], #1; bcs 2b; bx lr */
static const uint32_t a_fill[] = {0xe1a03000, 0xe3520008, 0x3a000004, 0xe2522008,
                                  0x28a31002, 0x22522008, 0x28a31002, 0x2afffffa,
                                  0xe2522001, 0x24c31001, 0x2afffffc, 0xe12fff1e};

/* Few of its instructions have the condition "always"; a sample does not say that it is A32. */
TEST(arm_unwind_a32_code_with_conditions)
{
    CHECK_POINTS(a_fill, true, 11, {0, 0, 0, false}, {8, 0, 0, false}, {16, 0, 0, false},
                 {20, 0, 0, false}, {24, 0, 0, false}, {28, 0, 0, false}, {36, 0, 0, false},
                 {44, 0, 0, false});
}

/* 1: subscs r2, #8; ldrcs r11, [r2, #0xd08] (in Thumb pop {r3, pc}; ..); bcs 1b; bx lr */
static const uint32_t a_conditional[] = {0x22522008, 0x2592bd08, 0x2afffffc, 0xe12fff1e};

TEST(arm_unwind_a32_code_that_looks_like_thumb)
{
    static struct world w;
    start(&w, a_conditional, sizeof a_conditional);
    put_word(&w, ENTRY + 4, CALLER | 1);
    w.regs.r[14] = CALLER_A32;
    run(&w, CODE, ENTRY);
    CHECK_INT(w.frame[1].pc, CALLER_A32);
    CHECK_INT(w.frame[1].sp, ENTRY);
}

/* push {r4, lr}; cmp r0, #1; bhi 3f; tbb [pc, r0]; its two bytes; movs r4, #0; pop {r4, pc};
 * movs r4, #1; pop {r4, pc}; 3: b 3b */
static const uint16_t t_table[] = {0xb510, 0x2801, 0xd806, 0xe8df, 0xf000, 0x0301,
                                   0x2400, 0xbd10, 0x2401, 0xbd10, 0xe7fe};

/* ldr r3, [pc, #4]; bx r3: a last call of a function that keeps lr */
static const uint16_t t_last[] = {0x4b01, 0x4718, 0xbf00, 0xbf00, 0, 0};

/* push {r4, lr}; cbz r0, 1f; blx r3, which does not return; and another function: push {r4, lr};
 * add sp, #16; pop {r4, pc}; 1: pop {r4, pc} of the first */
static const uint16_t t_next[] = {0xb510, 0xb118, 0x4798, 0xb510, 0xb004, 0xbd10, 0xbd10};

/* push {r4, lr}; 1: blx r3; b 1b: it never returns, but its begin leads there */
static const uint16_t t_endless[] = {0xb510, 0x4798, 0xe7fd, 0xbf00};

TEST(arm_unwind_ways_out_of_a_function)
{
    CHECK_POINTS(t_table, false, 7, {2, 8, 0, false}, {4, 8, 0, true}, {6, 8, 0, true});
    CHECK_POINTS(t_last, false, 7, {0, 0, 0, false}, {2, 0, 0, false});
    CHECK_POINTS(t_next, false, 7, {2, 8, 0, false}, {12, 8, 0, false});
    CHECK_POINTS(t_endless, false, 7, {2, 8, 0, true}, {4, 8, 0, true});
}

/* --- chains --- */

/* "PC/METHOD ... END" of a function at 0 of the code that nothing tells of, called from `from'. */
static const char *chain(struct world *w, uint32_t pc, uint32_t sp)
{
    static char text[256];
    static const char *const methods[] = {"",     "table", "signal", "code",
                                          "leaf", "frame", "zone",   "scan"};
    int n = 0;
    run(w, pc, sp);
    for (size_t i = 0; i < w->result.frames; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%" PRIx64 "/%s ", w->frame[i].pc,
                      methods[w->frame[i].method]);
    snprintf(text + n, sizeof text - (size_t)n, "%s", unwind_end_name(w->result.end));
    return text;
}

/* A leaf (bx lr), and behind a call in it: mov r7, #1; svc #0. */
static const uint16_t t_exits[] = {0x4770, 0xbf00, 0x4798, 0x2701, 0xdf00, 0xbf00, 0xbf00, 0xbf00};
static const uint32_t a_exits[] = {0xe12fff1e, 0xe12fff33, 0xe3a070f8, 0xef000000, 0xe12fff1e};
/* The same with getpid's number, from memory: it comes back, but lr is not what it was. */
static const uint16_t t_asks[] = {0x4770, 0xbf00, 0x4798, 0x4f01, 0xdf00, 0x4770, 20, 0};

TEST(arm_unwind_a_thread_ends_where_it_exits)
{
    static struct world w;
    start(&w, t_exits, sizeof t_exits);
    w.regs.r[14] = CODE + 6 + 1;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ 10006/code whole");
    start(&w, a_exits, sizeof a_exits);
    w.regs.r[14] = CODE + 8;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ 10008/code whole");
    start(&w, t_asks, sizeof t_asks);
    w.regs.r[14] = CODE + 6 + 1;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ 10006/code no call frame information");
}

TEST(arm_unwind_the_first_return_address_is_0)
{
    static struct world w;
    start(&w, t_exits, sizeof t_exits);
    w.regs.r[14] = 0;
    CHECK_STR(chain(&w, CODE, ENTRY), "10000/ whole");
}

/* bx lr; push {r7, lr}; sub sp, #8; add r7, sp, #0; blx r3; and the next function: push {r4, lr};
 * blx r3; pop {r4, pc}; and the caller: blx r3; or bl of the first, or of the second */
static const uint16_t t_stops[] = {0x4770, 0xb580, 0xb082, 0xaf00, 0x4798, 0xb510,
                                   0x4798, 0xbd10, 0xbf00, 0x4798, 0xbf00, 0xbf00,
                                   0xf7ff, 0xfff3, 0xbf00, 0xf7ff, 0xfff4, 0xbf00};

static const char *chain_of_stop(unsigned caller)
{
    static struct world w;
    start(&w, t_stops, sizeof t_stops);
    w.regs.r[14] = CODE + 10 + 1;
    w.regs.r[7] = ENTRY - 16;
    put_word(&w, ENTRY - 8, 0);
    put_word(&w, ENTRY - 4, CODE + caller + 1);
    return chain(&w, CODE, ENTRY - 816); /* below what alloca took */
}

/* What follows is another function, so the frame is that of the instructions before. */
TEST(arm_unwind_a_function_that_does_not_return)
{
    CHECK_STR(chain_of_stop(20), "10000/ 1000a/code 10014/scan no call frame information");
    CHECK_STR(chain_of_stop(28), "10000/ 1000a/code 1001c/code no call frame information");
    CHECK_STR(chain_of_stop(34), "10000/ 1000a/code no call frame information");
}

/* A function that ends in a call of the one behind it. That one jumps over frames by sp and lr as
 * they were saved; first it may ask the system, below r7 and 12 bytes, and not take them back. */
static const uint16_t t_jumps[] = {
    0xb538, 0x4604, 0x460d, 0x2d00, 0xbf08, 0x2501, 0x4629, 0x4620, 0xf000, 0xf800, 0x4684,
    0xf8dc, 0x4000, 0x45a5, 0xd912, 0xb480, 0x27ba, 0x2500, 0xb083, 0x4669, 0x4628, 0xdf00,
    0x2800, 0xd109, 0x9a01, 0xf012, 0x0f01, 0xd005, 0x9b00, 0x42a3, 0xd902, 0xb003, 0xbc80,
    0xe7fe, 0x4608, 0xf85c, 0x3b04, 0xf85c, 0x4b04, 0xf04f, 0x0201, 0x469d, 0x46a6, 0xe8bc,
    0x0ff0, 0xecbc, 0x8b10, 0x2800, 0xbf08, 0x4610, 0x4770,
};

static void check_jump(unsigned at, unsigned below)
{
    enum { CALLED = 16, CALLS = CODE + 0x14 }; /* the frame of what calls it, and where */
    static struct world w;
    char wanted[80];
    start(&w, t_jumps, sizeof t_jumps);
    w.regs.r[14] = CALLS + 1;
    put_word(&w, ENTRY - 4, CALLER + 1);
    snprintf(wanted, sizeof wanted, "%x/ %x/code %x/code no call frame information", CODE + at,
             CALLS, CALLER);
    CHECK_STR(chain(&w, CODE + at, ENTRY - CALLED - below), wanted);
}

/* What the instructions before it pushed is the frame of its caller, not its own. */
TEST(arm_unwind_a_function_that_jumps_out)
{
    static const unsigned char at[] = {0x14, 0x16, 0x1a, 0x1c, 0x1e, 0x42,
                                       0x44, 0x46, 0x4a, 0x4e, 0x52},
                               deeper[] = {0x26, 0x28, 0x2a, 0x2c, 0x2e, 0x30, 0x32, 0x36,
                                           0x38, 0x3c, 0x3e, 0x44, 0x46, 0x4a, 0x4e, 0x52};
    for (size_t i = 0; i < sizeof at; i++)
        check_jump(at[i], 0);
    check_jump(0x20, 4);
    check_jump(0x40, 4);
    for (size_t i = 0; i < sizeof deeper; i++)
        check_jump(deeper[i], 16);
}

/* Behind a call through a register, lr does not name the function. */
TEST(arm_unwind_a_jump_without_a_call_that_names_it)
{
    static struct world w;
    start(&w, t_jumps, sizeof t_jumps);
    w.regs.r[14] = CALLER + 1;
    put_word(&w, ENTRY - 4, CALLER + 1);
    CHECK_STR(chain(&w, CODE + 0x46, ENTRY - 16), "10046/ 20000/scan no call frame information");
}

/* bx lr; blx r3; and what libgcc's functions end with that raise: ldr.w lr, [sp, #64]; add sp, #72;
 * bx lr. The caller is the first of all. */
static const uint16_t t_raises[] = {0x4770, 0xbf00, 0xbf00, 0x4798, 0xf8dd,
                                    0xe040, 0xb012, 0x4770, 0xbf00, 0xbf00};

static const char *chain_of_raise(uint32_t saved_sp, uint32_t saved_pc)
{
    static struct world w;
    start(&w, t_raises, sizeof t_raises);
    w.regs.r[14] = CODE + 8 + 1;
    put_word(&w, ENTRY - 72 + 60, saved_sp);
    put_word(&w, ENTRY - 72 + 64, 0);
    put_word(&w, ENTRY - 72 + 68, saved_pc);
    return chain(&w, CODE, ENTRY - 72);
}

/* The registers that were saved are those of a frame further out. */
TEST(arm_unwind_a_return_address_that_was_overwritten)
{
    CHECK_STR(chain_of_raise(ENTRY, 0), "10000/ 10008/code whole");
    CHECK_STR(chain_of_raise(ENTRY + 64, 0), "10000/ 10008/code guessed, not confirmed");
    CHECK_STR(chain_of_raise(ENTRY, CALLER), "10000/ 10008/code guessed, not confirmed");
}

TEST(arm_unwind_a_slice_that_is_too_short)
{
    static struct world w;
    start(&w, t_framed, sizeof t_framed);
    w.regs.r[14] = CODE + 12;
    w.regs.r[7] = ENTRY - 24;
    w.stack_len = ENTRY - 4 - STACK;
    CHECK_STR(chain(&w, CODE + 12, ENTRY - 24), "1000c/ stack slice too short");
    CHECK_INT(w.result.at, ENTRY - 4);
}

/* --- signals --- */

static void check_signal(const void *bytes, size_t len, unsigned thumb, unsigned context)
{
    static struct world w;
    uint32_t sp = STACK + 0x100;
    start(&w, bytes, len);
    for (uint32_t reg = 0; reg < 15; reg++)
        put_word(&w, sp + context + 4 * reg, 0x100 + reg);
    put_word(&w, sp + context + 4 * 13, ENTRY);
    put_word(&w, sp + context + 4 * 14, CALLER | 1);
    put_word(&w, sp + context + 4 * 15, CODE);
    w.regs.r[14] = CODE + 4 + thumb;
    CHECK_STR(chain(&w, CODE, sp),
              "10000/ 10004/code 10000/signal 20000/code no call frame information");
}

/* A leaf, which is handler and interrupted function, and a return from a signal. */
TEST(arm_unwind_signals)
{
    static const uint16_t t32[] = {0x4770, 0xbf00, 0x2777, 0xdf00, 0xbf00, 0xbf00, 0xbf00},
                          t32_rt[] = {0x4770, 0xbf00, 0x27ad, 0xdf00, 0xbf00, 0xbf00, 0xbf00},
                          wide[] = {0x4770, 0xbf00, 0xf04f, 0x0777, 0xdf00, 0xbf00, 0xbf00},
                          wide_rt[] = {0x4770, 0xbf00, 0xf04f, 0x07ad, 0xdf00, 0xbf00, 0xbf00};
    static const uint32_t a32[] = {0xe12fff1e, 0xe3a07077, 0xef000000, 0xe12fff33},
                          a32_rt[] = {0xe12fff1e, 0xe3a070ad, 0xef000000, 0xe12fff33};
    check_signal(t32, sizeof t32, 1, 32);
    check_signal(t32_rt, sizeof t32_rt, 1, 160);
    check_signal(wide, sizeof wide, 1, 32);
    check_signal(wide_rt, sizeof wide_rt, 1, 160);
    check_signal(a32, sizeof a32, 0, 32);
    check_signal(a32_rt, sizeof a32_rt, 0, 160);
}

/* --- .ARM.exidx --- */

static void read_table(struct world *w, uint32_t entry)
{
    uint8_t table[8];
    size_t len;
    put_le32(table, (uint32_t)(ARMELF_CODE - ARMELF_TABLE) & 0x7fffffff);
    put_le32(table + 4, entry);
    struct armelf_parts p = {w->code, w->len, table, sizeof table, sizeof table};
    uint8_t *image = armelf_new(&p, &len);
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &w->cfi, NULL), 0);
    free(image);
}

/* t_framed with the entry that compilers write: sp = r7 + 12; pop {r4, r7, lr}. */
static const char *chain_by_table(uint32_t at, unsigned depth, uint32_t entry)
{
    static struct world w;
    start(&w, t_framed, sizeof t_framed);
    read_table(&w, entry);
    if (depth)
        put_word(&w, ENTRY - 4, CALLER | 1);
    w.regs.r[14] = depth > 12 ? CODE + 13 : CALLER | 1;
    w.regs.r[7] = ENTRY - 24;
    const char *text = chain(&w, CODE + at, ENTRY - depth);
    cfi_free(w.cfi);
    return text;
}

TEST(arm_unwind_tables_where_the_instructions_agree)
{
    enum { CANNOT = 1 };
    /* sp += 12; pop {r4, r7, lr}, in the body, and where it does not hold: in the first two */
    const uint32_t entry = 0x80028409;
    CHECK_STR(chain_by_table(12, 24, entry), "1000c/ 20000/table no call frame information");
    CHECK_STR(chain_by_table(0, 0, entry), "10000/ 20000/code no call frame information");
    CHECK_STR(chain_by_table(2, 12, entry), "10002/ 20000/code no call frame information");
    CHECK_STR(chain_by_table(22, 12, entry), "10016/ 20000/code no call frame information");
    CHECK_STR(chain_by_table(12, 24, CANNOT), "1000c/ 20000/code no call frame information");
}
