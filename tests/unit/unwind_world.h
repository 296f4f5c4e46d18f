/* Code, a stack and call frame information for the tests of unwinding: start makes them, chain
 * unwinds. */
#pragma once

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
static inline const char *chain(struct world *w, uint64_t pc, uint64_t sp)
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
