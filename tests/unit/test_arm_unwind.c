/*
 * Functions of 32-bit ARM without call frame information, left by their instructions. All code here
 * was assembled; each function is followed from each of its instructions.
 */
#include "arm_world.h"

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
