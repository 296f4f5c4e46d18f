/*
 * The unwinding tables of 32-bit ARM as rules of cfi. .ARM.exidx has a pair of words for each
 * function, sorted: the function as a distance from the word, and a few instructions, a distance to
 * them in .ARM.extab, or 1: it cannot be unwound (ARM EHABI, sections 6 and 9.3; IHI0038).
 *
 * The instructions restore what the function saved; compilers write them for where it calls, not
 * for its first and last instructions: rules made of them carry CFI_HEAD_CALLS.
 */
#include "cfi_table.h"

#include "core/base/bytes.h"

enum { ENTRY = 8, CANNOT_UNWIND = 1, SP = 13, LR = 14, PC = 15, MAX_SAVED = 16 };

static uint32_t word_of(const struct cfi_exidx *x, size_t at)
{
    return get_u32(x->bytes + at, x->big_endian);
}

/* A distance of 31 bits with a sign, from the word itself: where in x->bytes. False outside. */
static bool follow_distance(const struct cfi_exidx *x, size_t at, uint32_t *addr, size_t *to)
{
    uint32_t word = word_of(x, at);
    *addr = (uint32_t)x->addr + (uint32_t)at + (uint32_t)((int32_t)(word << 1) >> 1);
    *to = *addr - (uint32_t)x->addr;
    return !(word >> 31) && *to % 4 == 0 && *to <= x->len && x->len - *to >= 4;
}

/* Thumb functions have no bit 0 here; a linker that left it there is understood. */
bool cfi_exidx_entry(const struct cfi_exidx *x, size_t i, uint64_t *start)
{
    uint32_t addr;
    size_t to;
    if (i >= x->entries)
        return false;
    follow_distance(x, x->at + i * ENTRY, &addr, &to);
    *start = addr & ~UINT32_C(1);
    return true;
}

/* --- where an entry's instructions are --- */

struct program { /* bytes of words, the highest first */
    const struct cfi_exidx *x;
    size_t at; /* of a word */
    unsigned byte, left;
};

static uint8_t next_byte(struct program *p)
{
    enum { FINISH = 0xb0 };
    if (!p->left)
        return FINISH;
    uint8_t byte = (uint8_t)(word_of(p->x, p->at) >> (24 - 8 * p->byte));
    p->left--;
    p->at += p->byte == 3 ? 4 : 0;
    p->byte = (p->byte + 1) % 4;
    return byte;
}

/* Of a word that holds instructions behind `first' bytes, and of so many words behind it. */
static bool set_program(struct program *p, const struct cfi_exidx *x, size_t at, unsigned first,
                        unsigned words)
{
    *p = (struct program){x, at, first, 4 - first + 4 * words};
    return words <= (x->len - at) / 4 - 1;
}

/* The compact forms: personality routine 0 has three bytes, 1 and 2 have two and so many words. */
static bool compact_program(struct program *p, const struct cfi_exidx *x, size_t at, bool inlined)
{
    uint32_t word = word_of(x, at);
    unsigned routine = word >> 24 & 0xf;
    if (routine == 0)
        return set_program(p, x, at, 1, 0);
    return !inlined && routine <= 2 && set_program(p, x, at, 2, word >> 16 & 0xff);
}

/* Behind a personality routine of a language's own: a count of words, and three bytes. */
static bool generic_program(struct program *p, const struct cfi_exidx *x, size_t at)
{
    if (x->len - at < 8)
        return false;
    return set_program(p, x, at + 4, 1, word_of(x, at + 4) >> 24);
}

bool cfi_exidx_unwinds(const struct cfi_exidx *x, size_t i)
{
    return word_of(x, x->at + i * ENTRY + 4) != CANNOT_UNWIND;
}

static bool find_program(struct program *p, const struct cfi_exidx *x, size_t i)
{
    size_t at = x->at + i * ENTRY + 4, to;
    uint32_t word = word_of(x, at), addr;
    if (!cfi_exidx_unwinds(x, i))
        return false;
    if (word >> 31)
        return compact_program(p, x, at, true);
    if (!follow_distance(x, at, &addr, &to))
        return false;
    return word_of(x, to) >> 31 ? compact_program(p, x, to, false) : generic_program(p, x, to);
}

/* --- the instructions --- */

struct frame {
    unsigned base;  /* the register that offsets count from */
    int64_t offset; /* of the virtual stack pointer */
    struct {
        unsigned reg;
        int64_t offset;
    } saved[MAX_SAVED];
    unsigned count;
    bool finished, refused;
};

static void pop_register(struct frame *f, unsigned reg)
{
    if (f->count == MAX_SAVED || reg == SP) { /* a stack pointer that was saved: no rule for it */
        f->refused = true;
        return;
    }
    f->saved[f->count].reg = reg;
    f->saved[f->count++].offset = f->offset;
    f->offset += 4;
}

static void pop_mask(struct frame *f, unsigned mask, unsigned lowest)
{
    for (; mask; mask >>= 1, lowest++)
        if (mask & 1)
            pop_register(f, lowest);
}

/* What was found by the one register cannot be said by the other. */
static void set_base(struct frame *f, unsigned reg)
{
    f->refused |= f->count != 0 || reg == SP || reg == PC;
    f->base = reg;
    f->offset = 0;
}

static void add_large(struct frame *f, struct program *p)
{
    uint64_t value = 0;
    uint8_t byte;
    unsigned shift = 0;
    do {
        f->refused |= !p->left; /* what is behind the end would go on for ever */
        byte = next_byte(p);
        value |= shift < 32 ? (uint64_t)(byte & 0x7f) << shift : 0;
        shift += 7;
    } while (byte & 0x80 && !f->refused);
    f->offset += 0x204 + (int64_t)(value << 2);
    f->refused |= f->offset > INT32_MAX;
}

/* VFP's registers and those of iWMMXt: of a caller's frame only how far they reach matters. */
static void skip_saved(struct frame *f, uint8_t op, uint8_t operand)
{
    unsigned count = (operand & 0xfu) + 1;
    if (op == 0xb3) /* FSTMFDX: a word more */
        f->offset += 8 * count + 4;
    else if (op == 0xc7) /* control registers */
        f->offset += 4 * __builtin_popcount(operand & 0xf);
    else
        f->offset += 8 * count;
}

static void run_b(struct frame *f, uint8_t op, struct program *p)
{
    if (op == 0xb0)
        f->finished = true;
    else if (op == 0xb1) {
        uint8_t mask = next_byte(p);
        f->refused |= !mask || mask > 0xf;
        pop_mask(f, mask & 0xf, 0);
    } else if (op == 0xb2)
        add_large(f, p);
    else if (op == 0xb3)
        skip_saved(f, op, next_byte(p));
    else if (op >= 0xb8)
        f->offset += 8 * ((op & 7) + 1) + 4;
    else
        f->refused = true; /* a return address that is signed, of ARMv8-M; spare ones */
}

static void run_c(struct frame *f, uint8_t op, struct program *p)
{
    if (op >= 0xc6 && op <= 0xc9)
        skip_saved(f, op, next_byte(p));
    else if (op < 0xc6)
        f->offset += 8 * ((op & 7) + 1);
    else
        f->refused = true;
}

static void run_high(struct frame *f, uint8_t op, struct program *p)
{
    switch (op >> 4) {
    case 0x8: {
        unsigned mask = (op & 0xfu) << 8 | next_byte(p);
        f->refused |= !mask; /* "refuse to unwind" */
        pop_mask(f, mask, 4);
        break;
    }
    case 0x9:
        set_base(f, op & 0xf);
        break;
    case 0xa:
        pop_mask(f, (2u << (op & 7)) - 1, 4);
        if (op & 8)
            pop_register(f, LR);
        break;
    case 0xb:
        run_b(f, op, p);
        break;
    case 0xc:
        run_c(f, op, p);
        break;
    case 0xd:
        f->refused |= op >= 0xd8;
        f->offset += 8 * ((op & 7) + 1);
        break;
    default:
        f->refused = true;
    }
}

static void run_program(struct frame *f, struct program *p)
{
    *f = (struct frame){.base = SP};
    while (!f->finished && !f->refused) {
        uint8_t op = next_byte(p);
        int64_t step = 4 * (op & 0x3f) + 4;
        if (op < 0x80)
            f->offset += op < 0x40 ? step : -step;
        else
            run_high(f, op, p);
    }
}

/* --- as a rule --- */

static uint32_t add_rule(const struct frame *f, struct cfi_pool *pool)
{
    uint32_t words[CFI_HEAD_WORDS + MAX_SAVED];
    unsigned back = LR;
    if (f->refused || f->offset < 0 || f->offset > INT32_MAX)
        return 0;
    for (unsigned i = 0; i < f->count; i++) {
        int64_t from_cfa = f->saved[i].offset - f->offset;
        if (from_cfa < -(1 << 23) || from_cfa >= 1 << 23)
            return 0;
        back = f->saved[i].reg == PC ? PC : back;
        words[CFI_HEAD_WORDS + i] =
            f->saved[i].reg | (uint32_t)CFI_OFFSET << 5 | (uint32_t)((int32_t)from_cfa) << 8;
    }
    words[0] = f->base | back << 5 | f->count << 10 | CFI_HEAD_CALLS;
    words[1] = (uint32_t)(int32_t)f->offset;
    return cfi_pool_add(pool, words, CFI_HEAD_WORDS + f->count);
}

size_t cfi_exidx_len(const struct cfi_exidx *x, size_t i)
{
    struct program p;
    return find_program(&p, x, i) ? p.left : 0;
}

uint32_t cfi_exidx_rule(const struct cfi_exidx *x, size_t i, struct cfi_pool *pool)
{
    struct program p;
    struct frame f;
    if (!find_program(&p, x, i))
        return 0;
    run_program(&f, &p);
    return add_rule(&f, pool);
}
