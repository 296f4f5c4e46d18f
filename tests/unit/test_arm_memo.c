/*
 * The frame that instructions of 32-bit ARM gave at an address holds for the next chain that comes
 * there, as long as the same function was called; and it takes no more than so much memory.
 */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/unwind/unwind.h"

#include "../lib/armelf.h"

enum {
    CODE = 0x100000,
    START = 0x8000, /* where the program begins, in its code: a chain ends there */
    STACK = 0x400000,
    STACK_BYTES = 0x1000,
    CANNOT_UNWIND = 1,
    FEW = 16, /* times that memory is asked for by a step that is known */
};

struct world {
    uint16_t code[START / 2 + 16];
    size_t asked; /* asked: how often for memory */
    uint8_t stack[STACK_BYTES];
    struct cfi *cfi;
    struct unwind_regs regs;
};

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    struct world *w = arg;
    struct unwind_slice code = {CODE, (const uint8_t *)w->code, sizeof w->code},
                        stack = {STACK, w->stack, STACK_BYTES};
    w->asked++;
    return unwind_slice_read(&code, addr, bytes, len) ||
           unwind_slice_read(&stack, addr, bytes, len);
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    struct world *w = arg;
    *out = (struct unwind_code){w->cfi, CODE - ARMELF_CODE};
    return pc >= CODE && pc < CODE + sizeof w->code;
}

/* bl */
static void put_call(struct world *w, uint32_t at, uint32_t to)
{
    uint32_t by = to - at - 4;
    w->code[at / 2] = (uint16_t)(0xf400 | (by >> 12 & 0x3ff));
    w->code[at / 2 + 1] = (uint16_t)(0xf800 | (by >> 1 & 0x7ff));
}

/* Leaves (bx lr), and at the start calls of the first and of the second instruction. */
static struct world *world_new(const uint16_t *code_bytes, size_t len)
{
    struct world *w = calloc(1, sizeof *w);
    uint8_t table[8];
    size_t image_len;
    for (size_t i = 0; i < START / 2; i++)
        w->code[i] = 0x4770;
    if (len)
        memcpy(w->code, code_bytes, len);
    put_call(w, START, 0);
    put_call(w, START + 4, 2);
    w->code[START / 2 + 5] = 0x4798; /* blx r3 */
    put_le32(table, (uint32_t)(ARMELF_CODE - ARMELF_TABLE) & 0x7fffffff);
    put_le32(table + 4, CANNOT_UNWIND);
    struct armelf_parts p = {w->code, sizeof w->code, table, sizeof table, sizeof table};
    uint8_t *image = armelf_new(&p, &image_len);
    CHECK_INT(cfi_new(&(struct cfi_image){image, image_len, NULL}, NULL, &w->cfi, NULL), 0);
    free(image);
    return w;
}

static void world_free(struct world *w)
{
    cfi_free(w->cfi);
    free(w);
}

static struct unwind_result unwind_at(struct world *w, uint32_t at, uint32_t sp, uint32_t lr,
                                      struct unwind_frame f[3])
{
    struct unwind_space s = {.machine = UNWIND_ARM, .memory = memory, .code = code, .arg = w};
    w->regs.known = 0xffff | UINT64_C(1) << UNWIND_PC;
    w->regs.r[13] = sp;
    w->regs.r[14] = lr | 1;
    w->regs.r[UNWIND_PC] = CODE + at;
    w->asked = 0;
    return unwind(&s, &w->regs, f, 3);
}

/* The second frame of a chain of two, at an instruction. */
static struct unwind_frame caller_of(struct world *w, uint32_t at, uint32_t sp, uint32_t lr)
{
    struct unwind_frame f[3] = {0};
    CHECK_INT(unwind_at(w, at, sp, lr, f).end, UNWIND_WHOLE);
    return f[1];
}

/* push {r4, r7, lr}; sub sp, #12; mov r4, r0; 6: blx r3; add sp, #12; pop {r4, r7, pc} */
static const uint16_t t_called[] = {0xb590, 0xb083, 0x4604, 0x4798, 0xb003, 0xbd90};

static struct unwind_frame caller_of_called(struct world *w, uint32_t sp, uint32_t returns_to)
{
    put_le32(w->stack + (sp + 20 - STACK), returns_to | 1);
    return caller_of(w, 8, sp, CODE + 8);
}

TEST(arm_memo_follows_the_instructions_once)
{
    struct world *w = world_new(t_called, sizeof t_called);
    for (uint32_t sp = STACK + 64; sp < STACK + 512; sp += 64) {
        struct unwind_frame f = caller_of_called(w, sp, CODE + START + 4);
        CHECK_INT(f.pc, CODE + START + 4);
        CHECK_INT(f.sp, sp + 24);
        CHECK_INT(f.method, UNWIND_CODE);
        CHECK(sp == STACK + 64 ? w->asked > FEW : w->asked <= FEW);
    }
    world_free(w);
}

/* What is behind the start's second call has called at 2: the push, which is at 0, is missing. */
TEST(arm_memo_holds_for_the_function_that_was_called)
{
    struct world *w = world_new(t_called, sizeof t_called);
    caller_of_called(w, STACK + 64, CODE + START + 4);
    caller_of_called(w, STACK + 64, CODE + START + 8);
    CHECK(w->asked > FEW);
    world_free(w);
}

static enum unwind_end end_of_called(struct world *w, uint32_t sp, uint32_t returns_to)
{
    struct unwind_frame f[3] = {0};
    put_le32(w->stack + (sp + 20 - STACK), returns_to | 1);
    return unwind_at(w, 8, sp, CODE + 8, f).end;
}

/* What is saved as the return address is behind no call. */
TEST(arm_memo_searches_in_vain_a_few_times_only)
{
    enum { SEARCHES = 4, LATER = 32 };
    struct world *w = world_new(t_called, sizeof t_called);
    size_t least = SIZE_MAX, all = 0;
    for (unsigned i = 0; i < SEARCHES; i++) {
        CHECK(end_of_called(w, STACK + 64, CODE + 0x100) != UNWIND_WHOLE);
        least = w->asked < least ? w->asked : least;
    }
    for (unsigned i = 0; i < LATER; i++, all += w->asked)
        CHECK(end_of_called(w, STACK + 64, CODE + 0x100) != UNWIND_WHOLE);
    CHECK(all < LATER * least / 2);
    world_free(w);
}

/* A leaf, and behind a call in it: mov r7, #1; svc #0. Nothing has called the thread's first
 * function, whose begin is looked for. */
TEST(arm_memo_searches_for_what_called_a_thread_a_few_times_only)
{
    enum { SEARCHES = 4, LATER = 32, AT = 0x2000 };
    static const uint16_t exits[] = {0x4770, 0xbf00, 0x4798, 0x2701, 0xdf00};
    struct world *w = world_new(NULL, 0);
    size_t all = 0;
    memcpy(w->code + AT / 2, exits, sizeof exits);
    for (unsigned i = 0; i < SEARCHES; i++) {
        CHECK_INT(caller_of(w, AT, STACK + 64, CODE + AT + 6).pc, CODE + AT + 6);
        CHECK(w->asked > AT / 2);
    }
    for (unsigned i = 0; i < LATER; i++, all += w->asked)
        CHECK_INT(caller_of(w, AT, STACK + 64, CODE + AT + 6).pc, CODE + AT + 6);
    CHECK(all < LATER * AT / 4);
    world_free(w);
}

TEST(arm_memo_searches_again_now_and_then)
{
    enum { SEARCHES = 8, LATER = 32 };
    struct world *w = world_new(t_called, sizeof t_called);
    unsigned whole = 0;
    for (unsigned i = 0; i < SEARCHES; i++)
        end_of_called(w, STACK + 64, CODE + 0x100);
    for (unsigned i = 0; i < LATER && !whole; i++)
        whole += end_of_called(w, STACK + 64, CODE + START + 4) == UNWIND_WHOLE;
    CHECK_INT(whole, 1);
    CHECK_INT(end_of_called(w, STACK + 64, CODE + START + 4), UNWIND_WHOLE);
    world_free(w);
}

TEST(arm_memo_is_bounded)
{
    struct world *w = world_new(NULL, 0);
    struct cfi_size before, after;
    cfi_size(w->cfi, &before);
    for (uint32_t at = 0; at < START; at += 2)
        CHECK_INT(caller_of(w, at, STACK + 64, CODE + START + 12).method, UNWIND_CODE);
    cfi_size(w->cfi, &after);
    CHECK(after.bytes > before.bytes);
    CHECK(after.bytes - before.bytes <= 512 << 10);
    world_free(w);
}
