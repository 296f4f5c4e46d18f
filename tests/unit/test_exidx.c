#include "unit.h"

#include "core/base/bytes.h"
#include "core/unwind/cfi.h"

#include "../lib/armelf.h"

/* --- a table by hand: functions of 0x100 bytes each from ARMELF_CODE on --- */

enum { FUNCTIONS = 8, INDEX = 8 * FUNCTIONS, TABLE = INDEX + 512 };

struct tables {
    uint8_t bytes[TABLE];
    size_t entries, len;
};

static void start(struct tables *t)
{
    *t = (struct tables){.len = INDEX};
}

static uint32_t distance(size_t from, uint64_t to)
{
    return (uint32_t)(to - (ARMELF_TABLE + from)) & 0x7fffffff;
}

static void add_function(struct tables *t, uint32_t second)
{
    size_t at = 8 * t->entries;
    put_le32(t->bytes + at, distance(at, ARMELF_CODE + 0x100 * t->entries++));
    put_le32(t->bytes + at + 4, second);
}

/* In .ARM.extab. */
static void add_outside(struct tables *t, const uint32_t *words, size_t count)
{
    add_function(t, distance(8 * t->entries + 4, ARMELF_TABLE + t->len));
    for (size_t i = 0; i < count; i++, t->len += 4)
        put_le32(t->bytes + t->len, words[i]);
}

static struct cfi *read_tables(const struct tables *t, struct budget *budget)
{
    struct armelf_parts p = {NULL, 0, t->bytes, t->len, 8 * t->entries};
    struct cfi *c = NULL;
    size_t len;
    uint8_t *image = armelf_new(&p, &len);
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, budget}, NULL, &c, NULL), 0);
    free(image);
    return c;
}

/* "sp+16 r4-16 lr-4": the CFA, and where the saved registers are from there. */
static const char *rule_of(struct cfi *c, unsigned function)
{
    static char text[256];
    cfi_rule r = cfi_find(c, ARMELF_CODE + 0x100 * function + 0x80);
    if (!r)
        return "none";
    int n = snprintf(text, sizeof text, "r%u%+d", cfi_cfa_register(r), cfi_cfa_offset(r));
    for (unsigned i = 0; i < cfi_count(r); i++) {
        struct cfi_saved s = cfi_saved_at(r, i);
        n += snprintf(text + n, sizeof text - (size_t)n, " r%u%+d%s", s.reg, s.offset,
                      s.kind == CFI_OFFSET ? "" : "?");
    }
    CHECK(cfi_at_calls(r));
    snprintf(text + n, sizeof text - (size_t)n, " to r%u", cfi_return_register(r));
    return text;
}

/* Of an entry with so many words outside, or (0) with the one inside. */
static const char *rule_of_words(const uint32_t *words, size_t count)
{
    struct tables t;
    start(&t);
    if (count)
        add_outside(&t, words, count);
    else
        add_function(&t, words[0]);
    struct cfi *c = read_tables(&t, NULL);
    const char *text = rule_of(c, 0);
    cfi_free(c);
    return text;
}

#define INLINE(word) rule_of_words((const uint32_t[]){word}, 0)
#define OUTSIDE(...)                                                                               \
    rule_of_words((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* The encodings of IHI0038, table 4 ("ARM-defined frame-unwinding instructions"). */
TEST(exidx_inline_entries)
{
    CHECK_STR(INLINE(0x80b0b0b0), "r13+0 to r14");            /* finish: the return is in lr */
    CHECK_STR(INLINE(0x80a8b0b0), "r13+8 r4-8 r14-4 to r14"); /* pop {r4, lr} */
    CHECK_STR(INLINE(0x8003abb0), "r13+36 r4-20 r5-16 r6-12 r7-8 r14-4 to r14"); /* sp += 16 */
    CHECK_STR(INLINE(0x8000a1b0), "r13+12 r4-8 r5-4 to r14");                    /* no lr */
    CHECK_STR(INLINE(0x808400b0), "r13+4 r14-4 to r14");                         /* pop {lr} */
    CHECK_STR(INLINE(0x808800b0), "r13+4 r15-4 to r15");                         /* pop {pc} */
    CHECK_STR(INLINE(0x80978408), "r7+8 r7-8 r14-4 to r14");          /* sp = r7; pop {r7, lr} */
    CHECK_STR(INLINE(0x809b8480), "r11+8 r11-8 r14-4 to r14");        /* sp = fp; pop {fp, lr} */
    CHECK_STR(OUTSIDE(0x81010140, 0x8400b0b0), "r13+8 r14-4 to r14"); /* sp += 8, -= 4; pop */
    CHECK_STR(INLINE(0x803f8400), "r13+260 r14-4 to r14");            /* sp += 256 */
}

TEST(exidx_entries_without_a_rule)
{
    CHECK_STR(INLINE(0x80418400), "none"); /* a frame of less than nothing */
    CHECK_STR(INLINE(1), "none");          /* cannot be unwound */
    CHECK_STR(INLINE(0x808000b0), "none"); /* refuse to unwind */
    CHECK_STR(INLINE(0x80b100b0), "none"); /* spare: pop {} */
    CHECK_STR(INLINE(0x80b110b0), "none"); /* spare */
    CHECK_STR(INLINE(0x809db0b0), "none"); /* reserved: sp = sp */
    CHECK_STR(INLINE(0x809fb0b0), "none"); /* reserved: sp = pc */
    CHECK_STR(INLINE(0x80b4b0b0), "none"); /* a signed return address */
    CHECK_STR(INLINE(0x80cab0b0), "none");
    CHECK_STR(INLINE(0x80d8b0b0), "none");
    CHECK_STR(INLINE(0x80e0b0b0), "none");
    CHECK_STR(INLINE(0x80a8b0b2), "r13+8 r4-8 r14-4 to r14"); /* behind the end */
    CHECK_STR(INLINE(0x80a8b280), "none");                    /* a number without an end */
    CHECK_STR(INLINE(0x80a8a8b2), "none");
    CHECK_STR(INLINE(0x80a897b0), "none"); /* registers below a stack pointer of another register */
    CHECK_STR(INLINE(0x81a8b0b0), "none"); /* routine 1 has no room inside */
    CHECK_STR(INLINE(0x83a8b0b0), "none"); /* no such routine */
}

TEST(exidx_entries_outside)
{
    CHECK_STR(OUTSIDE(0x80a8b0b0), "r13+8 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8101b100, 0x84000000 | 0x00b0b0), "none"); /* b1 00: spare */
    CHECK_STR(OUTSIDE(0x8101b10f, 0x8400b0b0), "r13+20 r0-20 r1-16 r2-12 r3-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8200a8b0), "r13+8 r4-8 r14-4 to r14");
    /* sp += 0x204 + (0x81 << 2), by ULEB128 */
    CHECK_STR(OUTSIDE(0x8101b281, 0x01a8b0b0), "r13+1040 r4-8 r14-4 to r14");
    /* vpop of d8-d15 three ways, of d16, of iWMMXt's: all only lengthen the frame */
    CHECK_STR(OUTSIDE(0x8101b387, 0xa8b0b0b0), "r13+76 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8101c987, 0xa8b0b0b0), "r13+72 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8100d7a8), "r13+72 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8100bfa8), "r13+76 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8101c803, 0xa8b0b0b0), "r13+40 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8101c601, 0xa8b0b0b0), "r13+24 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8101c703, 0xa8b0b0b0), "r13+16 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x8100c1a8), "r13+24 r4-8 r14-4 to r14");
    /* a routine of C++: its distance, then a count and three bytes */
    CHECK_STR(OUTSIDE(0x00000100, 0x0001a8b0), "r13+16 r4-8 r14-4 to r14");
    CHECK_STR(OUTSIDE(0x00000100, 0x01000000, 0xa8b0b0b0), "r13+20 r4-8 r14-4 to r14");
}

TEST(exidx_entries_that_reach_outside_the_segment)
{
    CHECK_STR(OUTSIDE(0x81ffb0b0), "none"); /* 255 words that are not there */
    CHECK_STR(OUTSIDE(0x00000100), "none"); /* a routine's, without its count */
    CHECK_STR(INLINE(0x00001000), "none");  /* far behind */
    CHECK_STR(INLINE(0x7ffffff0), "none");  /* in front: the segment begins here */
    CHECK_STR(INLINE(0x00000001), "none");
    CHECK_STR(INLINE(0x00000002), "none"); /* not aligned */
}

/* "Cannot be unwound" is no rule, and not the end; the function is known none the less. */
TEST(exidx_function_extents)
{
    struct tables t;
    uint64_t from, to;
    start(&t);
    add_function(&t, 0x80a8b0b0);
    add_function(&t, 1);
    add_function(&t, 0x80b0b0b0);
    struct cfi *c = read_tables(&t, NULL);
    struct cfi_size size;
    cfi_size(c, &size);
    CHECK_INT(size.functions, 2);
    CHECK_INT(size.refused, 0);
    CHECK_STR(rule_of(c, 0), "r13+8 r4-8 r14-4 to r14");
    CHECK(!cfi_find(c, ARMELF_CODE + 0x180));
    CHECK(cfi_function(c, ARMELF_CODE + 0x80, &from, &to));
    CHECK_INT(from, ARMELF_CODE);
    CHECK_INT(to, ARMELF_CODE + 0x100);
    CHECK_STR(rule_of(c, 7), "r13+0 to r14"); /* the last reaches to the end */
    CHECK(!cfi_find(c, ARMELF_CODE - 1));
    CHECK(!cfi_find(c, ARMELF_CODE + ARMELF_CODE_BYTES));
    cfi_free(c);
}

/* Many entries may share the longest program: the work is that of their bytes. */
TEST(exidx_work_is_bounded)
{
    enum { ENTRIES = 4096, WORDS = 256 };
    uint8_t *bytes = calloc(1, 8 * ENTRIES + 4 * WORDS);
    struct armelf_parts p = {NULL, 0, bytes, 8 * ENTRIES + 4 * WORDS, 8 * ENTRIES};
    struct cfi *c = NULL;
    struct cfi_size size;
    size_t len;
    for (size_t i = 0; i < ENTRIES; i++) {
        put_le32(bytes + 8 * i, distance(8 * i, ARMELF_CODE + 8 * i));
        put_le32(bytes + 8 * i + 4, distance(8 * i + 4, ARMELF_TABLE + 8 * ENTRIES));
    }
    put_le32(bytes + 8 * ENTRIES, 0x81ff0000);
    uint8_t *image = armelf_new(&p, &len);
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &c, NULL), 0);
    cfi_size(c, &size);
    CHECK(size.functions > 0 && size.functions < ENTRIES / 16);
    CHECK_INT(size.functions + size.refused, ENTRIES);
    cfi_free(c);
    free(image);
    free(bytes);
}
