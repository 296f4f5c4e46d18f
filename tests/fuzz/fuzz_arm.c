#include "fuzz.h"

#include "core/base/bytes.h"
#include "core/unwind/unwind.h"

#include "../lib/armelf.h"

/* Hostile code of 32-bit ARM, left by its instructions: a byte for the words of the stack, one for
 * where pc and lr are, a word that is the entry of .ARM.exidx (0: there is none), the stack's words
 * (16 bits: spread over the stack and the code), and the code. */
enum { STACK = 0x40000, BIAS = 0x100000, CODE = BIAS + ARMELF_CODE, FRAMES = 32, WORDS = 64 };

struct world {
    struct cfi *cfi;
    const uint8_t *code;
    size_t code_len, asked;
    uint8_t stack[WORDS * 4];
};

static uint32_t spread(uint16_t n)
{
    return n & 0x8000 ? STACK + (n & 0x1fc) : n & 0x4000 ? CODE + (n & 0xfff) : n;
}

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    struct world *w = arg;
    struct unwind_slice stack = {STACK, w->stack, sizeof w->stack};
    struct unwind_slice code = {CODE, w->code, w->code_len};
    w->asked++;
    return unwind_slice_read(&stack, addr, bytes, len) ||
           unwind_slice_read(&code, addr, bytes, len);
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    struct world *w = arg;
    *out = (struct unwind_code){w->cfi, BIAS};
    return pc >= CODE && pc < CODE + w->code_len;
}

static void run(struct world *w, struct unwind_regs *regs)
{
    struct unwind_space s = {.machine = UNWIND_ARM, .memory = memory, .code = code, .arg = w};
    struct unwind_frame f[FRAMES];
    w->asked = 0;
    struct unwind_result r = unwind(&s, regs, f, FRAMES);
    if (r.frames > FRAMES || r.guessed + r.by_code > r.frames || (unsigned)r.end >= UNWIND_ENDS ||
        w->asked > FRAMES * 40000)
        abort();
    for (size_t i = 1; i < r.frames; i++)
        if (f[i].method == UNWIND_CODE && f[i].sp < f[i - 1].sp)
            abort();
}

static void read_table(struct world *w, uint32_t entry)
{
    uint8_t table[8];
    size_t len;
    put_le32(table, (uint32_t)(ARMELF_CODE - ARMELF_TABLE) & 0x7fffffff);
    put_le32(table + 4, entry);
    struct armelf_parts p = {NULL, 0, table, sizeof table, sizeof table};
    uint8_t *image = armelf_new(&p, &len);
    if (entry)
        cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &w->cfi, NULL);
    free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct world w;
    struct unwind_regs regs = {.known = 0xffff | UINT64_C(1) << UNWIND_PC};
    size_t words = len ? bytes[0] % (WORDS + 1) : 0, head = 6 + 2 * words;
    if (len < head)
        return 0;
    w = (struct world){.code = bytes + head, .code_len = len - head};
    for (size_t i = 0; i < words; i++)
        put_le32(w.stack + 4 * i, spread(get_le16(bytes + 6 + 2 * i)));
    for (unsigned reg = 0; reg < 13; reg++)
        regs.r[reg] = STACK + 4 * (words ? (bytes[1] + 4 * reg) % WORDS : 0);
    regs.r[13] = STACK;
    regs.r[14] = CODE + bytes[1];
    regs.r[UNWIND_PC] = CODE + (bytes[1] & 0x1e);
    read_table(&w, get_le32(bytes + 2));
    run(&w, &regs);
    cfi_free(w.cfi);
    return 0;
}
