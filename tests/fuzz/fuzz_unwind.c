#include "fuzz.h"

#include "core/base/bytes.h"
#include "core/unwind/unwind.h"

#include "../lib/cfielf.h"
#include "../lib/raiseelf.h"

/* Hostile registers and stack over hostile rows: a byte for the machine, one for the words of the
 * stack, a word of 16 bits a register, the stack's words (16 bits, around the stack and the code),
 * and .eh_frame. Instead of the machine 255: 32-bit ARM, and the code of two modules, the first of
 * which defines _Unwind_RaiseException. */
enum { STACK = 0x40000, BIAS = 0x100000, FRAMES = 64, WORDS = 64, RAISES = 255, SECOND = 0x800 };

struct world {
    struct cfi *cfi, *second;
    struct raiseelf raises, throws;
    uint8_t stack[WORDS * 8];
    size_t len;
    size_t asked;
    bool as_code;
};

/* Words that point into the code or the stack are more interesting than others. */
static uint64_t spread(uint16_t n)
{
    return n & 0x8000 ? STACK + (n & 0x3ff) : n & 0x4000 ? BIAS + CFIELF_CODE + (n & 0xfff) : n;
}

static bool read_modules(const struct world *w, uint64_t addr, void *bytes, size_t len)
{
    struct unwind_slice first = {BIAS + RAISEELF_CODE, w->raises.code, sizeof w->raises.code},
                        second = {first.addr + SECOND, w->throws.code, sizeof w->throws.code};
    return w->second && (unwind_slice_read(&first, addr, bytes, len) ||
                         unwind_slice_read(&second, addr, bytes, len));
}

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    struct world *w = arg;
    struct unwind_slice s = {STACK, w->stack, w->len};
    struct unwind_slice text = {BIAS + CFIELF_CODE, w->stack, w->len}; /* the same, as code */
    w->asked++;
    return unwind_slice_read(&s, addr, bytes, len) || read_modules(w, addr, bytes, len) ||
           (w->as_code && unwind_slice_read(&text, addr, bytes, len));
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    struct world *w = arg;
    uint64_t at = pc - BIAS - CFIELF_CODE;
    *out = at & SECOND ? (struct unwind_code){w->second, BIAS + SECOND}
                       : (struct unwind_code){w->cfi, BIAS};
    return at < CFIELF_CODE_BYTES;
}

static bool next(void *arg, uint64_t addr, uint64_t *start)
{
    (void)arg;
    *start = BIAS + CFIELF_CODE;
    *start += addr < *start ? 0 : SECOND;
    return addr < *start;
}

static void check(const struct unwind_result *r, const struct unwind_frame *f,
                  const struct world *w)
{
    if (r->frames > FRAMES || r->guessed > r->frames || (unsigned)r->end >= UNWIND_ENDS ||
        w->asked > FRAMES * 1000)
        abort();
    for (size_t i = 0; i < r->frames; i++)
        if (f[i].returns && i == 0)
            abort();
}

/* Of any return address and any function: the work is bounded. */
static void try_calls(const struct unwind_space *s, const struct unwind_regs *regs)
{
    struct world *w = s->arg;
    w->as_code = true;
    for (size_t i = 0; i + 1 < UNWIND_REGISTERS; i++) {
        w->asked = 0;
        unwind_is_call(s, regs->r[i], regs->r[i + 1]);
        if (w->asked > 1 + (1 << 14))
            abort();
    }
}

/* With code that can be read: functions are followed to their ends, and searched for jumps. */
static void unwind_in_code(const struct unwind_space *s, const struct unwind_regs *regs)
{
    struct unwind_frame f[FRAMES];
    struct world *w = s->arg;
    w->as_code = true;
    w->asked = 0;
    unwind(s, regs, f, FRAMES);
    if (w->asked > FRAMES * 40000)
        abort();
}

static const uint8_t *take_words(const uint8_t *bytes, uint64_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = spread(get_le16(bytes + 2 * i));
    return bytes + 2 * count;
}

static void run(struct world *w, enum unwind_machine m, const struct unwind_regs *regs)
{
    struct unwind_frame f[FRAMES];
    struct unwind_space s = {.machine = m, .memory = memory, .code = code, .next = next, .arg = w};
    struct unwind_result r = unwind(&s, regs, f, FRAMES);
    check(&r, f, w);
    try_calls(&s, regs);
    unwind_in_code(&s, regs);
    s.big_endian = true;
    s.va_bits = 20;
    w->as_code = false;
    w->asked = 0;
    r = unwind(&s, regs, f, FRAMES);
    check(&r, f, w);
}

static struct cfi *new_table(const void *image, size_t len)
{
    struct cfi *c = NULL;
    cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &c, NULL);
    return c;
}

static void run_raises(struct world *w, const struct unwind_regs *regs, const uint8_t *bytes,
                       size_t len)
{
    enum { THROWS_BYTES = RAISEELF_STUB };
    size_t first = len < sizeof w->raises.code ? len : sizeof w->raises.code, rest = len - first;
    raiseelf_make(&w->raises, bytes, first, true);
    raiseelf_make(&w->throws, bytes + first, rest < THROWS_BYTES ? rest : THROWS_BYTES, false);
    w->cfi = new_table(&w->raises, sizeof w->raises);
    w->second = new_table(&w->throws, sizeof w->throws);
    run(w, UNWIND_ARM, regs);
    cfi_free(w->second);
    cfi_free(w->cfi);
}

static void run_rows(struct world *w, unsigned m, const struct unwind_regs *regs,
                     const uint8_t *bytes, size_t len)
{
    static const unsigned machines[UNWIND_MACHINES] = {EM_X86_64, EM_AARCH64, EM_ARM};
    size_t image_len;
    uint8_t *image = cfielf_new(machines[m], ".eh_frame", bytes, len, &image_len);
    w->cfi = new_table(image, image_len);
    if (w->cfi)
        run(w, (enum unwind_machine)m, regs);
    cfi_free(w->cfi);
    free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    const uint8_t *end = bytes + len;
    struct world w = {0};
    struct unwind_regs regs = {.known = UINT64_MAX};
    if (len < 2 + 2 * UNWIND_REGISTERS)
        return 0;
    unsigned m = bytes[0];
    size_t words = bytes[1] % (WORDS + 1);
    bytes = take_words(bytes + 2, regs.r, UNWIND_REGISTERS);
    if ((size_t)(end - bytes) < 2 * words)
        return 0;
    uint64_t stack[WORDS] = {0};
    bytes = take_words(bytes, stack, words);
    memcpy(w.stack, stack, sizeof stack);
    w.len = 8 * words;
    if (m == RAISES)
        run_raises(&w, &regs, bytes, (size_t)(end - bytes));
    else
        run_rows(&w, m % UNWIND_MACHINES, &regs, bytes, (size_t)(end - bytes));
    return 0;
}
