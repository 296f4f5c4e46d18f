/*
 * arm_world: some code of 32-bit ARM, its callers and a stack, in which frames are found.
 */
#pragma once

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

static inline bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
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

static inline bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    const struct world *w = arg;
    bool ours = pc >= CODE && pc < CODE + w->len;
    *out = (struct unwind_code){ours ? w->cfi : NULL, CODE - ARMELF_CODE};
    return ours || (pc >= CALLER - 8 && pc <= CALLER) || (pc >= CALLER_A32 - 8 && pc <= CALLER_A32);
}

static inline void put_word(struct world *w, uint32_t at, uint32_t value)
{
    put_le32(w->stack + (at - STACK), value);
}

static inline void start(struct world *w, const void *code_bytes, size_t len)
{
    *w = (struct world){.code = code_bytes, .len = len, .stack_len = STACK_BYTES};
    for (uint32_t at = STACK; at < STACK + STACK_BYTES; at += 4)
        put_word(w, at, JUNK);
    for (unsigned reg = 0; reg < 16; reg++)
        w->regs.r[reg] = JUNK;
    w->regs.known = 0xffff | UINT64_C(1) << UNWIND_PC;
}

static inline void run(struct world *w, uint32_t pc, uint32_t sp)
{
    struct unwind_space s = {.machine = UNWIND_ARM, .memory = memory, .code = code, .arg = w};
    w->regs.r[UNWIND_PC] = pc;
    w->regs.r[13] = sp;
    w->result = unwind(&s, &w->regs, w->frame, MOST);
}

/* "PC/METHOD ... END" of a function at 0 of the code that nothing tells of, called from `from'. */
static inline const char *chain(struct world *w, uint32_t pc, uint32_t sp)
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
