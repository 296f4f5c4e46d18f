#include "unit.h"

#include "core/base/bytes.h"
#include "core/unwind/unwind.h"

#include "../lib/cfielf.h"

/* Code at 0x500000 + its link-time address, of which the first half has rules; code without any
 * at 0x600000; a stack of 64 words at 0x7000. */
enum { BIAS = 0x500000, PLAIN = 0x600000, STACK = 0x7000, WORDS = 64, MOST = 16 };

struct world {
    struct cfi *cfi;
    uint64_t stack[WORDS];
    uint8_t code[64]; /* at code_at, PLAIN when that is 0; when has_code */
    uint64_t code_at;
    bool has_code;
    uint8_t before[8]; /* in(3): what calls there, when has_before */
    bool has_before;
    uint8_t callee[8]; /* the first of function 0, when has_callee */
    bool has_callee;
    struct unwind_regs regs;
    struct unwind_space space;
    struct unwind_frame frame[MOST];
    struct unwind_result result;
};

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    struct world *w = arg;
    struct unwind_slice stack = {STACK, (const uint8_t *)w->stack, sizeof w->stack};
    struct unwind_slice code = {w->code_at ? w->code_at : PLAIN, w->code,
                                w->has_code ? sizeof w->code : 0};
    struct unwind_slice before = {BIAS + CFIELF_CODE + 0x380 - 8, w->before, w->has_before ? 8 : 0};
    struct unwind_slice callee = {BIAS + CFIELF_CODE, w->callee, w->has_callee ? 8 : 0};
    return unwind_slice_read(&stack, addr, bytes, len) ||
           unwind_slice_read(&callee, addr, bytes, len) ||
           unwind_slice_read(&code, addr, bytes, len) ||
           unwind_slice_read(&before, addr, bytes, len);
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    struct world *w = arg;
    *out = (struct unwind_code){NULL, 0};
    if (pc >= BIAS + CFIELF_CODE && pc < BIAS + CFIELF_CODE + CFIELF_CODE_BYTES)
        *out = (struct unwind_code){w->cfi, BIAS};
    return out->cfi || (pc >= PLAIN && pc < PLAIN + 0x1000);
}

/* .eh_frame: a CIE that begins with the program, and a function of 256 bytes each at 0x1000,
 * 0x1100... with the programs; all of at most 60 bytes. */
struct program {
    uint8_t bytes[60];
    uint8_t len;
};

static size_t put_entry(uint8_t *to, size_t at, uint64_t id, const uint8_t *body, size_t body_len,
                        const struct program *p)
{
    size_t len = 4 + body_len + p->len;
    put_le32(to + at, (uint32_t)len);
    put_le32(to + at + 4, (uint32_t)id);
    memcpy(to + at + 8, body, body_len);
    memcpy(to + at + 8 + body_len, p->bytes, p->len);
    return at + 4 + len;
}

static struct cfi *table(unsigned machine, bool signal, const struct program *initial,
                         const struct program *p, size_t count)
{
    uint8_t bytes[1024], body[12];
    uint8_t head[] = {1, 'z', 'R', signal ? 'S' : 0, 0, 1, 0x78, machine == EM_X86_64 ? 16 : 30,
                      1, 0x1b};
    size_t at, len;
    struct cfi *c = NULL;
    if (!signal) /* one letter less */
        memmove(head + 3, head + 4, sizeof head - 4);
    at = put_entry(bytes, 0, 0, head, sizeof head - !signal, initial);
    for (size_t i = 0; i < count; i++) {
        put_le32(body, (uint32_t)(CFIELF_CODE + 0x100 * i - (CFIELF_SECTION + at + 8)));
        put_le32(body + 4, 0x100);
        body[8] = 0;
        at = put_entry(bytes, at, at + 4, body, 9, &p[i]);
    }
    uint8_t *image = cfielf_new(machine, ".eh_frame", bytes, at, &len);
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &c, NULL), 0);
    free(image);
    return c;
}

static const struct program x86_start = {{0x0c, 7, 8, 0x90, 1}, 5}, arm_start = {{0x0c, 31, 0}, 3};
/* Functions 0-6 of x86-64: no frame; 32 bytes with rbx saved; CFA by rbx + 16; the outermost; by
 * a frame pointer; rbx and rbp saved, and popped; CFA as the word below rsp has it, + 8. */
static const struct program x86_functions[] = {{{0}, 0},
                                               {{0x0e, 32, 0x83, 2}, 4},
                                               {{0x0c, 3, 16}, 3},
                                               {{0x07, 16}, 2},
                                               {{0x0c, 6, 16, 0x86, 2}, 5},
                                               {{0x86, 2, 0x83, 3}, 4},
                                               {{0x0f, 5, 0x77, 0x78, 0x06, 0x23, 8}, 7}};
/* Of AArch64: a leaf; a frame record in 32 bytes; the outermost. */
static const struct program arm_functions[] = {
    {{0}, 0}, {{0x0e, 32, 0x9d, 4, 0x9e, 3}, 6}, {{0x07, 30}, 2}};

static void start(struct world *w, enum unwind_machine m)
{
    *w = (struct world){.space = {.machine = m, .memory = memory, .code = code}};
    w->space.arg = w;
    w->regs.known = UINT64_MAX;
    w->cfi = m == UNWIND_X86_64 ? table(EM_X86_64, false, &x86_start, x86_functions, 7)
                                : table(EM_AARCH64, false, &arm_start, arm_functions, 3);
}

static uint64_t in(unsigned function)
{
    return BIAS + CFIELF_CODE + 0x100 * function + 0x80;
}

/* "pc/by ..., end at": the functions, or the pc. */
static const char *chain(struct world *w, uint64_t pc, uint64_t sp)
{
    static char text[512];
    int n = 0;
    w->regs.r[UNWIND_PC] = pc;
    w->regs.r[w->space.machine == UNWIND_X86_64 ? 7 : 31] = sp;
    w->result = unwind(&w->space, &w->regs, w->frame, MOST);
    for (size_t i = 0; i < w->result.frames && n < 400; i++) {
        uint64_t at = w->frame[i].pc - BIAS - CFIELF_CODE;
        if (at < CFIELF_CODE_BYTES && at % 0x100 == 0x80)
            n += snprintf(text + n, sizeof text - (size_t)n, "f%" PRIu64, at / 0x100);
        else
            n += snprintf(text + n, sizeof text - (size_t)n, "%" PRIx64, w->frame[i].pc);
        n += snprintf(text + n, sizeof text - (size_t)n, "%s ",
                      &"\0\0c\0s\0i\0l\0p\0r\0a"[2 * w->frame[i].method]);
    }
    snprintf(text + n, sizeof text - (size_t)n, "%s", unwind_end_name(w->result.end));
    cfi_free(w->cfi);
    w->cfi = NULL;
    return text;
}

static struct world w;

TEST(unwind_by_saved_registers)
{
    start(&w, UNWIND_X86_64);
    w.stack[0] = in(1);      /* of function 0, at sp */
    w.stack[3] = STACK + 96; /* of function 1: rbx at CFA - 16 */
    w.stack[4] = in(2);      /*   its return address */
    w.stack[13] = in(3);     /* of function 2: CFA = rbx + 16 = 112 */
    CHECK_STR(chain(&w, in(0), STACK), "f0 f1c f2c f3c whole");
    CHECK_INT(w.frame[0].returns, false);
    CHECK_INT(w.frame[1].returns, true);
    CHECK_INT(unwind_lookup_pc(&w.frame[1]), in(1) - 1);
    CHECK_INT(w.frame[3].sp, STACK + 112);
}

TEST(unwind_names_the_reason_why_it_ends)
{
    start(&w, UNWIND_X86_64);
    CHECK_STR(chain(&w, in(1), STACK + 8 * WORDS - 8), "f1 stack slice too short");
    CHECK_INT(w.result.at, STACK + 8 * WORDS + 16);
    start(&w, UNWIND_X86_64);
    w.regs.r[3] = STACK - 16;
    CHECK_STR(chain(&w, in(2), STACK + 8), "f2 frame address does not grow");
    start(&w, UNWIND_X86_64);
    w.regs.r[3] = STACK + 4;
    CHECK_STR(chain(&w, in(2), STACK), "f2 frame address does not grow");
    start(&w, UNWIND_X86_64);
    w.stack[0] = 0x1234;
    CHECK_STR(chain(&w, in(0), STACK), "f0 return address not in code");
    CHECK_INT(w.result.at, 0x1234);
    start(&w, UNWIND_X86_64);
    CHECK_STR(chain(&w, in(0), STACK), "f0 whole"); /* a thread's start: 0 */
    start(&w, UNWIND_X86_64);
    w.regs.known &= ~(uint64_t)8;
    CHECK_STR(chain(&w, in(2), STACK), "f2 value of a register unknown");
    start(&w, UNWIND_X86_64);
    for (int i = 0; i < WORDS; i++)
        w.stack[i] = in(0);
    CHECK_STR(strstr(chain(&w, in(0), STACK), "too"), "too deep");
    CHECK_INT(w.result.frames, MOST);
    start(&w, UNWIND_X86_64);
    w.regs.known = 1;
    CHECK_STR(chain(&w, in(0), STACK), "value of a register unknown");
}

/* Function 1 saved rbx 800 bytes above its frame, where the slice does not reach; function 2 needs
 * it. */
TEST(unwind_tells_a_register_beyond_the_slice)
{
    static const struct program p[] = {
        {{0}, 0}, {{0x0e, 32, 0x11, 3, 0x9c, 0x7f}, 6}, {{0x0c, 3, 16}, 3}, {{0x07, 16}, 2}};
    start(&w, UNWIND_X86_64);
    cfi_free(w.cfi);
    w.cfi = table(EM_X86_64, false, &x86_start, p, 4);
    w.stack[3] = in(2);
    CHECK_STR(chain(&w, in(1), STACK), "f1 f2c stack slice too short");
    CHECK_INT(w.result.at, STACK + 32 + 800);
}

/* The last instruction of function 0 calls, and its return address is in function 1. */
TEST(unwind_looks_up_what_called)
{
    start(&w, UNWIND_X86_64);
    w.stack[0] = in(1) - 0x80; /* function 1 would find its caller three words further out */
    w.stack[1] = in(3);
    CHECK_STR(chain(&w, in(0), STACK), "f0 501100c f3c whole");
}

TEST(unwind_code_without_rules)
{
    start(&w, UNWIND_X86_64); /* by frame pointer, then by rule again */
    w.regs.r[6] = STACK + 32;
    w.stack[0] = 77;
    w.stack[4] = STACK + 64, w.stack[5] = PLAIN + 0x20;
    w.stack[8] = STACK + 96, w.stack[9] = in(3);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 600020p f3p guessed, not confirmed");
    CHECK_INT(w.result.guessed, 2);
    CHECK_INT(w.result.at, PLAIN + 0x10);
    start(&w, UNWIND_X86_64); /* not yet moved its stack: the caller has rules */
    w.stack[0] = in(3);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3l guessed, not confirmed");
    start(&w, UNWIND_X86_64); /* a frame pointer that goes back */
    w.regs.r[6] = STACK + 32;
    w.stack[4] = STACK + 16, w.stack[5] = in(3);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 no call frame information");
    start(&w, UNWIND_X86_64); /* a call through a wild pointer */
    w.stack[0] = in(3);
    CHECK_STR(chain(&w, 0, STACK), "0 f3l guessed, not confirmed");
    start(&w, UNWIND_X86_64); /* the program's start */
    w.stack[0] = BIAS + CFIELF_CODE + 0x8010;
    CHECK_STR(chain(&w, in(0), STACK), "f0 509010c whole");
}

static void put_call(uint64_t target)
{
    w.has_before = true;
    memset(w.before, 0x90, sizeof w.before);
    w.before[3] = 0xe8;
    put_le32(w.before + 4, (uint32_t)(target - in(3)));
}

/* From code without rules at PLAIN + 0x10, over frame records, to function 3. */
static void through_records(unsigned records, uint64_t callers_register)
{
    start(&w, UNWIND_X86_64);
    w.regs.r[6] = STACK + 32;
    for (unsigned i = 0; i < records; i++) {
        bool last = i + 1 == records;
        w.stack[4 + 4 * i] = last ? callers_register : STACK + 32 * (i + 2);
        w.stack[5 + 4 * i] = last ? in(3) : PLAIN + 0x20;
    }
}

TEST(unwind_confirms_guessed_frames)
{
    static const uint8_t indirect[] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd6};
    through_records(1, STACK + 64); /* the call leads to code without rules */
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    CHECK_INT(w.result.guessed, 1);
    through_records(1, STACK + 64); /* to a function that has rules: it, or a frame, is missing */
    put_call(in(2) - 0x80);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p guessed, not confirmed");
    through_records(1, STACK + 64); /* what may be a frame of code that keeps none is nearer */
    put_call(PLAIN + 8);
    w.stack[2] = PLAIN + 0x20;
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p guessed, not confirmed");
    through_records(1, STACK + 64); /* through a register */
    w.has_before = true;
    memcpy(w.before, indirect, sizeof indirect);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    through_records(3, STACK + 128); /* the last confirms those that could not be read */
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 600020p 600020p f3p whole");
    CHECK_INT(w.result.guessed, 3);
    start(&w, UNWIND_X86_64); /* a leaf */
    w.stack[0] = in(3);
    put_call(PLAIN + 0x10);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3l whole");
}

/* Function 0 is called, and ends in a jump to where a stub is, or elsewhere. */
static const char *after_jump_to(uint64_t target)
{
    start(&w, UNWIND_X86_64);
    w.stack[0] = in(3);
    put_call(in(0) - 0x80);
    w.has_code = true;
    w.code_at = in(0) - 0x80;
    w.code[32] = 0xe9;
    put_le32(w.code + 33, (uint32_t)(target - (w.code_at + 37)));
    return chain(&w, PLAIN + 0x14, STACK);
}

TEST(unwind_confirms_calls_that_go_on)
{
    CHECK_STR(after_jump_to(PLAIN + 0x10), "600014 f3l whole");
    CHECK_STR(after_jump_to(PLAIN + 0x15), "600014 f3l guessed, not confirmed");
    CHECK_STR(after_jump_to(PLAIN + 0x04), "600014 f3l guessed, not confirmed");
}

/* The end of a program, that crti.o and crtbegin.o bring, from so many bytes into it. */
static const char *chain_ahead(const char *code, size_t len, unsigned at)
{
    static const uint8_t indirect[] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0};
    w.has_code = w.has_before = true;
    memcpy(w.code, code, len);
    memcpy(w.before, indirect, sizeof indirect);
    return chain(&w, PLAIN + at, STACK);
}

TEST(unwind_code_without_rules_ahead)
{
    /* endbr64; sub $8, %rsp; add $8, %rsp; ret */
    static const char fini[] = "\xf3\x0f\x1e\xfa\x48\x83\xec\x08\x48\x83\xc4\x08\xc3";
    for (unsigned at = 0; at <= 12; at += 4) {
        start(&w, UNWIND_X86_64);
        w.stack[at == 8] = in(3);
        w.stack[at != 8] = PLAIN + 0x20; /* no return address */
        chain_ahead(fini, sizeof fini, at);
        CHECK_INT(w.result.end, UNWIND_WHOLE);
        CHECK_INT(w.result.frames, 2);
        CHECK_INT(w.frame[1].method, UNWIND_CODE_SCAN);
        CHECK_INT(w.frame[1].sp, STACK + (at == 8 ? 16 : 8));
    }
    /* push %rbp; cmpq $0, x; mov %rsp, %rbp; je; call; movb $1, x; pop %rbp; ret */
    static const char aux[] = "\x55\x48\x83\x3d\1\1\1\1\0\x48\x89\xe5\x74\x05\xe8\1\0\0\0"
                              "\xc6\x05\1\1\1\1\1\x5d\xc3";
    static const unsigned at[] = {0, 1, 9, 12, 14, 19, 26, 27};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        bool pushed = at[i] > 0 && at[i]<27, framed = at[i]> 9;
        start(&w, UNWIND_X86_64);
        w.regs.r[6] = framed && pushed ? STACK : STACK + 64; /* the caller's, that it needs */
        w.stack[0] = pushed ? STACK + 64 : in(4);
        w.stack[1] = in(4);
        w.stack[9] = in(3);
        chain_ahead(aux, sizeof aux, at[i]);
        CHECK_INT(w.result.frames, 3);
        CHECK_INT(w.frame[1].pc, in(4));
        CHECK_INT(w.frame[2].pc, in(3));
        CHECK_INT(w.frame[2].sp, STACK + 80);
    }
}

/* The call names a function that ends in a jump through a register, or in none such. */
TEST(unwind_ahead_of_a_jump_through_a_register)
{
    for (int jumps = 0; jumps < 2; jumps++) {
        start(&w, UNWIND_X86_64);
        w.stack[0] = in(3);
        put_call(in(0) - 0x80);
        w.has_code = w.has_callee = true;
        memset(w.code, 0x90, sizeof w.code);
        w.code[32] = 0xc3;
        memcpy(w.callee, jumps ? "\x90\x90\xff\xe0" : "\x90\x90\xff\xd0", 4);
        CHECK_STR(chain(&w, PLAIN + 0x10, STACK),
                  jumps ? "600010 f3a whole" : "600010 f3a guessed, not confirmed");
    }
}

/* Compiled code saves its caller's register, whatever that holds: it matters where the caller needs
 * it to be found. */
TEST(unwind_by_frame_pointer_to_one_without)
{
    through_records(1, 77);
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    through_records(1, STACK + 8);
    put_call(PLAIN + 8);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f3p whole");
    through_records(1, 77); /* it could not be read whether that is a call */
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 no call frame information");
    through_records(2, STACK + 96);
    w.stack[4] = 77;
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 no call frame information");
}

/* Where code can be read, a return address is behind a call. */
TEST(unwind_needs_a_call_before_a_return_address)
{
    static const uint8_t call[] = {0xe8, 0xf6, 0xff, 0xff, 0xff}; /* at 0x20 - 5, to 0x16 */
    for (int i = 0; i < 3; i++) {
        start(&w, UNWIND_X86_64);
        w.has_code = true;
        if (i)
            memcpy(w.code + 0x20 - sizeof call, call, sizeof call);
        w.stack[0] = PLAIN + 0x20;
        w.regs.r[6] = 0;
        CHECK_STR(chain(&w, PLAIN + (i == 2 ? 0x16 : 0x10), STACK),
                  i == 2 ? "600016 600020l no call frame information"
                         : "600010 no call frame information");
    }
}

/* Function 5 has popped rbp, of which its rule does not tell: its caller is found by rbp. */
static const char *chain_after(const char *before, const char *after)
{
    size_t before_len = strlen(before);
    start(&w, UNWIND_X86_64);
    w.has_code = true;
    w.code_at = in(5) - 32;
    memcpy(w.code + 32 - before_len, before, before_len);
    memcpy(w.code + 32, after, strlen(after));
    w.regs.r[6] = STACK + 64;
    w.stack[0] = in(4);
    w.stack[9] = in(3);
    return chain(&w, in(5), STACK);
}

TEST(unwind_recognises_epilogues_of_x86_64)
{
    static const char whole[] = "f5 f4c f3c whole", broken[] = "f5 f4c stack slice too short";
    CHECK_STR(chain_after("", "\x41\x5c\x41\x5d\xc3"), whole);      /* pop r12, r13; ret */
    CHECK_STR(chain_after("", "\xf3\xc3"), whole);                  /* rep ret */
    CHECK_STR(chain_after("", "\x41\x5c\x48\x89\xd8\xc3"), broken); /* a mov on the way */
    CHECK_STR(chain_after("\x5b\x5d", "\xe9"), whole);              /* pop rbx, rbp; jmp */
    CHECK_STR(chain_after("\xc9", "\xe9"), whole);                  /* leave */
    CHECK_STR(chain_after("\x5d\x5b", "\xe9"), broken);             /* rbp is not the last */
    CHECK_STR(chain_after("\x41\x5d", "\xe9"), broken);             /* r13 is */
    CHECK_STR(chain_after("\x48\x89\xd8", "\xe9"), broken);         /* none */
    CHECK_STR(chain_after("", "[[[[[[[[[[[[\xc3"), broken);         /* too many */
}

/* The caller's stack pointer is below rsp, and in the frame; what looks like one is no call's. */
TEST(unwind_finds_the_caller_below_the_red_zone)
{
    for (int call = 0; call < 2; call++) {
        start(&w, UNWIND_X86_64);
        w.has_code = true;
        w.code_at = in(3) - 32;
        w.code[32 - 5] = call ? 0xe8 : 0;
        w.stack[4] = STACK + 8;
        w.stack[10] = STACK + 160;
        w.stack[20] = in(3);
        CHECK_STR(chain(&w, in(6), STACK), call ? "f6 f3r whole" : "f6 stack slice too short");
        CHECK_INT(w.result.guessed, call);
    }
    start(&w, UNWIND_X86_64); /* of a caller it is known, and no guess is made */
    w.stack[0] = in(6), w.stack[4] = STACK + 160, w.stack[20] = in(3);
    CHECK_STR(chain(&w, in(0), STACK), "f0 f6c stack slice too short");
}

TEST(unwind_arm64_with_signed_addresses_leaves_and_stubs)
{
    start(&w, UNWIND_AARCH64);
    w.regs.r[30] = in(1) | UINT64_C(0x2a) << 56 | UINT64_C(0x5) << 48; /* signed */
    w.stack[0] = STACK + 100, w.stack[1] = in(2) | UINT64_C(0xff) << 48;
    CHECK_STR(chain(&w, in(0), STACK), "f0 f1c f2c whole");
    start(&w, UNWIND_AARCH64);
    w.regs.r[30] = in(0); /* a leaf that was called by itself: for ever */
    CHECK_STR(chain(&w, in(0), STACK), "f0 f0c frame address does not grow");
    start(&w, UNWIND_AARCH64); /* a stub: lr */
    w.regs.r[30] = in(2);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f2l guessed, not confirmed");
    start(&w, UNWIND_AARCH64);
    w.regs.r[29] = STACK + 32, w.regs.r[30] = PLAIN + 8;
    w.stack[4] = 0, w.stack[5] = in(2);
    CHECK_STR(chain(&w, PLAIN + 0x10, STACK), "600010 f2p guessed, not confirmed");
}

/* The kernel's record, found by the instructions that return to it; the interrupted function may
 * be a leaf, and its stack another. */
TEST(unwind_signal_x86_64)
{
    static const uint8_t code_bytes[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
    start(&w, UNWIND_X86_64);
    w.has_code = true;
    memcpy(w.code + 16, code_bytes, sizeof code_bytes);
    w.stack[20] = PLAIN + 16;                                   /* the handler's return address */
    w.stack[21 + 5 + 15] = STACK, w.stack[21 + 5 + 16] = in(0); /* rsp, rip */
    w.stack[0] = in(3);
    CHECK_STR(chain(&w, in(0), STACK + 160), "f0 600010c f0s f3c whole");
    CHECK_INT(w.frame[1].returns, false); /* nothing has called there */
    CHECK_INT(w.frame[2].returns, false);
    CHECK_INT(w.frame[3].returns, true);
    start(&w, UNWIND_X86_64); /* between its two instructions */
    w.has_code = true;
    memcpy(w.code + 16, code_bytes, sizeof code_bytes);
    w.stack[5 + 15] = STACK + 256, w.stack[5 + 16] = in(0), w.stack[32] = in(3);
    CHECK_STR(chain(&w, PLAIN + 16 + 7, STACK), "600017 f0s f3c whole");
}

/* As Go has it: the instructions are a function with a rule as any other's. */
TEST(unwind_signal_return_with_a_rule)
{
    static const uint8_t code_bytes[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
    start(&w, UNWIND_X86_64);
    w.has_code = true;
    w.code_at = BIAS + CFIELF_CODE + 0x600;
    memcpy(w.code, code_bytes, sizeof code_bytes);
    w.stack[20] = w.code_at;
    w.stack[21 + 5 + 15] = STACK, w.stack[21 + 5 + 16] = in(0);
    w.stack[0] = in(3);
    w.regs.r[UNWIND_PC] = in(0);
    w.regs.r[7] = STACK + 160;
    unwind(&w.space, &w.regs, w.frame, MOST);
    CHECK(cfi_is_plain(w.cfi, in(0) - BIAS));
    CHECK(!cfi_is_plain(w.cfi, w.code_at - BIAS));
    CHECK(!cfi_is_plain(w.cfi, in(1) - BIAS));
    CHECK_STR(chain(&w, in(0), STACK + 160), "f0 501600c f0s f3c whole");
    CHECK_INT(w.frame[1].returns, false);
}

TEST(unwind_signal_frame_of_arm64)
{
    static const uint8_t code_bytes[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
    start(&w, UNWIND_AARCH64);
    w.has_code = true;
    memcpy(w.code + 16, code_bytes, sizeof code_bytes);
    w.regs.r[30] = PLAIN + 16;
    /* sp is 24 words below the stack: the first registers are not needed, but must be there */
    CHECK_STR(chain(&w, in(0), STACK), "f0 600010c stack slice too short");
    CHECK_INT(w.result.at, STACK + 8 * WORDS);
}

/* By rules alone, as glibc has them: rsp and the pc by expressions. Function 1 is interrupted at
 * its first byte. */
TEST(unwind_signal_frame_covers_its_first_byte)
{
    static const struct program p[2] = {{{0x0f, 3, 0x77, 0x10, 0x06, 0x10, 16, 2, 0x77, 8}, 10},
                                        {{0}, 0}};
    start(&w, UNWIND_X86_64);
    cfi_free(w.cfi);
    w.cfi = table(EM_X86_64, true, &x86_start, p, 2);
    w.stack[11] = in(1) - 0x80;
    w.stack[12] = STACK + 16;
    w.stack[2] = 0;
    CHECK_STR(chain(&w, in(0), STACK + 80), "f0 501100s 0s no call frame information");
    CHECK_INT(w.frame[1].sp, STACK + 16);
    CHECK_INT(w.frame[1].returns, false);
}

TEST(unwind_maps_the_registers_of_perf)
{
    struct unwind_regs r;
    uint64_t values[33];
    for (uint64_t i = 0; i < 33; i++)
        values[i] = 100 + i;
    CHECK_INT(unwind_perf_mask(UNWIND_X86_64), 0xff01ff);
    CHECK(unwind_regs_of_perf(UNWIND_X86_64, 2, 0xff01ff, values, 17, &r));
    CHECK_INT(r.r[0], 100);         /* AX */
    CHECK_INT(r.r[3], 101);         /* BX */
    CHECK_INT(r.r[6], 106);         /* BP */
    CHECK_INT(r.r[7], 107);         /* SP */
    CHECK_INT(r.r[UNWIND_PC], 108); /* IP */
    CHECK_INT(r.r[8], 109);         /* R8 */
    CHECK_INT(r.r[15], 116);
    CHECK_INT(r.known, 0xffff | UINT64_C(1) << UNWIND_PC);
    CHECK(!unwind_regs_of_perf(UNWIND_X86_64, 1, 0xff01ff, values, 17, &r));
    CHECK(unwind_regs_of_perf(UNWIND_AARCH64, 2, unwind_perf_mask(UNWIND_AARCH64), values, 33, &r));
    CHECK_INT(r.r[30], 130);
    CHECK_INT(r.r[31], 131);
    CHECK_INT(r.r[UNWIND_PC], 132);
    CHECK(unwind_regs_of_perf(UNWIND_ARM, 1, 0xffff, values, 16, &r));
    CHECK_INT(r.r[14], 114);
    CHECK_INT(r.r[UNWIND_PC], 115);
}

/* in(3) is where function 3 goes on: 0x380 into the code. */
static bool is_call(const uint8_t before[8], size_t callee)
{
    start(&w, UNWIND_X86_64);
    w.has_before = true;
    memcpy(w.before, before, 8);
    bool is = unwind_is_call(&w.space, in(3), in(callee));
    cfi_free(w.cfi);
    return is;
}

TEST(unwind_a_call_leads_to_a_function)
{
    static const uint8_t to_1[8] = {0x90, 0x90, 0x90, 0xe8, 0x80, 0xfd, 0xff, 0xff};
    static const uint8_t by_rax[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0};
    static const uint8_t no_call[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};
    CHECK(is_call(to_1, 1));
    CHECK(!is_call(to_1, 0));
    CHECK(!is_call(to_1, 2));
    CHECK(is_call(by_rax, 2));
    CHECK(!is_call(no_call, 1));
}

/* A function that is called goes on in function 2. */
static bool goes_on(enum unwind_machine m, uint64_t returns_to, const void *jump, size_t len,
                    size_t at, size_t callee)
{
    w.has_code = true;
    memset(w.code, m == UNWIND_X86_64 ? 0x90 : 0, sizeof w.code);
    w.code_at = in(0) - 0x80;
    memcpy(w.code + at, jump, len);
    return unwind_is_call(&w.space, returns_to, in(callee));
}

TEST(unwind_a_call_that_goes_on)
{
    static const uint8_t to_0[8] = {0x90, 0x90, 0x90, 0xe8, 0x80, 0xfc, 0xff, 0xff};
    static const uint8_t jmp[] = {0xe9, 0xdb, 0x01, 0, 0}, jne[] = {0x0f, 0x85, 0xda, 0x01, 0, 0};
    static const uint8_t stub[] = {0xff, 0x25, 0, 0, 0, 0};
    start(&w, UNWIND_X86_64);
    w.has_before = true;
    memcpy(w.before, to_0, 8);
    CHECK(goes_on(UNWIND_X86_64, in(3), jmp, sizeof jmp, 32, 2)); /* to 0x200: its first byte */
    CHECK(!goes_on(UNWIND_X86_64, in(3), jmp, sizeof jmp, 32, 1));
    CHECK(goes_on(UNWIND_X86_64, in(3), jne, sizeof jne, 32, 2));
    CHECK(goes_on(UNWIND_X86_64, in(3), stub, sizeof stub, 4, 2));
    CHECK(!goes_on(UNWIND_X86_64, in(3), stub, sizeof stub, 32, 2)); /* a switch's, may be */
    CHECK(!goes_on(UNWIND_X86_64, in(3), "", 0, 0, 2));
    cfi_free(w.cfi);
}

static void put_op(uint8_t *to, uint32_t op)
{
    put_le32(to, op);
}

TEST(unwind_a_call_that_goes_on_arm64)
{
    static const struct {
        uint32_t op;
        size_t at;
        bool goes;
    } tried[] = {{0x14000080, 0, true},  {0x14000078, 32, true},  {0x54000f00, 32, true},
                 {0xb4000f00, 32, true}, {0x36000f00, 32, true},  {0x54000700, 32, false},
                 {0xd61f0220, 8, true},  {0xd61f0220, 32, false}, {0x94000078, 32, false}};
    uint8_t op[4];
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        start(&w, UNWIND_AARCH64);
        w.has_before = true;
        put_op(w.before + 4, 0x97ffff21); /* bl 0x0, at 0x37c */
        put_op(op, tried[i].op);
        CHECK_INT(goes_on(UNWIND_AARCH64, BIAS + CFIELF_CODE + 0x380, op, 4, tried[i].at, 2),
                  tried[i].goes);
        cfi_free(w.cfi);
    }
}
