#include "unit.h"

#include "core/base/bytes.h"
#include "core/unwind/cfi.h"
#include "plat/file.h"

#include "../lib/cfielf.h"

#include <errno.h>

/* --- sections by hand --- */

struct section {
    uint8_t bytes[4096];
    size_t len, start; /* start: of the entry that is written */
    bool eh, wide, big;
    size_t common;
};

static void put(struct section *s, uint64_t n, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        s->bytes[s->len + i] = (uint8_t)(n >> 8 * (s->big ? size - 1 - i : i));
    s->len += size;
}

static void put_bytes(struct section *s, const void *bytes, size_t len)
{
    memcpy(s->bytes + s->len, bytes, len);
    s->len += len;
}

static void start(struct section *s)
{
    s->start = s->len;
    put(s, UINT32_MAX, 4);
    if (s->wide)
        put(s, 0, 8);
}

static void finish(struct section *s)
{
    size_t end = s->len, head = s->wide ? 12 : 4;
    s->len = s->start + (s->wide ? 4 : 0);
    put(s, end - s->start - head, s->wide ? 8 : 4);
    s->len = end;
}

#define PROGRAM(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

/* letters and the augmentation data's bytes; x86-64's usual alignments and return register. */
static void common(struct section *s, int version, const char *letters, const char *data,
                   size_t data_len, const uint8_t *program, size_t len)
{
    s->common = s->len;
    start(s);
    put(s, s->eh ? 0 : UINT64_MAX, s->wide && !s->eh ? 8 : 4);
    put(s, (uint64_t)version, 1);
    put_bytes(s, letters, strlen(letters) + 1);
    if (version == 4)
        put(s, 8, 1), put(s, 0, 1);
    put_bytes(s, "\1\x78\x10", 3);
    if (letters[0] == 'z') {
        put(s, data_len, 1);
        put_bytes(s, data, data_len);
    }
    put_bytes(s, program, len);
    finish(s);
}

/* encoding 0x1b (a signed 32-bit distance) or 0 (an address). */
static void entry(struct section *s, uint8_t encoding, uint64_t at, uint64_t size,
                  const uint8_t *program, size_t len)
{
    start(s);
    put(s, s->eh ? s->len - s->common : s->common, s->wide && !s->eh ? 8 : 4);
    if (encoding == 0x1b)
        put(s, at - (CFIELF_SECTION + s->len), 4), put(s, size, 4);
    else
        put(s, at, 8), put(s, size, 8);
    if (s->eh)
        put(s, 0, 1);
    put_bytes(s, program, len);
    finish(s);
}

#define USUAL PROGRAM(0x0c, 7, 8, 0x90, 1) /* def_cfa rsp+8; return address at CFA-8 */

static struct cfi *table_of(const struct section *s)
{
    size_t len;
    struct cfi *c = NULL;
    uint8_t *image =
        cfielf_new(EM_X86_64, s->eh ? ".eh_frame" : ".debug_frame", s->bytes, s->len, &len);
    if (s->big)
        image[EI_DATA] = ELFDATA2LSB;
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &c, NULL), 0);
    free(image);
    return c;
}

/* "rsp+8 16:c-8": the CFA, and each saved register. */
static const char *rule_at(struct cfi *c, uint64_t pc)
{
    static char text[256];
    static const char *const kinds[] = {"s", "u", "c", "v", "r", "e", "x"};
    cfi_rule r = cfi_find(c, pc);
    if (!r)
        return "none";
    int n = cfi_cfa_by_expression(r)
                ? snprintf(text, sizeof text, "exp")
                : snprintf(text, sizeof text, "%u%+d", cfi_cfa_register(r), cfi_cfa_offset(r));
    for (unsigned i = 0; i < cfi_count(r); i++) {
        struct cfi_saved s = cfi_saved_at(r, i);
        bool expression = s.kind >= CFI_EXPR || s.kind == CFI_UNDEFINED;
        n += snprintf(text + n, sizeof text - (size_t)n, expression ? " %u:%s" : " %u:%s%+d", s.reg,
                      kinds[s.kind], s.offset);
    }
    return text;
}

TEST(cfi_rules_follow_a_prologue_and_an_epilogue)
{
    struct section s = {.eh = true};
    common(&s, 1, "zR", "\x1b", 1, USUAL);
    entry(
        &s, 0x1b, 0x1100, 0x40,
        PROGRAM(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x0a, 0x50, 0xc6, 0x0c, 7, 8, 0x41, 0x0b));
    struct cfi *c = table_of(&s);
    struct cfi_size size;
    CHECK_STR(rule_at(c, 0x10ff), "none");
    CHECK_STR(rule_at(c, 0x1100), "7+8 16:c-8");
    CHECK_STR(rule_at(c, 0x1101), "7+16 6:c-16 16:c-8");
    CHECK_STR(rule_at(c, 0x1104), "6+16 6:c-16 16:c-8");
    CHECK_STR(rule_at(c, 0x1113), "6+16 6:c-16 16:c-8");
    CHECK_STR(rule_at(c, 0x1114), "7+8 16:c-8");
    CHECK_STR(rule_at(c, 0x1115), "6+16 6:c-16 16:c-8");
    CHECK_STR(rule_at(c, 0x113f), "6+16 6:c-16 16:c-8");
    CHECK_STR(rule_at(c, 0x1140), "none");
    cfi_size(c, &size);
    CHECK_INT(size.rows, 6);
    CHECK_INT(size.rules, 3);
    CHECK_INT(size.functions, 1);
    CHECK_INT(cfi_entry(c), CFIELF_CODE + 0x8000);
    cfi_free(c);
}

TEST(cfi_versions_and_widths)
{
    for (int i = 0; i < 12; i++) {
        struct section s = {.wide = i & 1};
        int version = (const int[]){1, 3, 4}[i / 2 % 3];
        s.eh = i >= 6 && version < 4;
        common(&s, version, "", "", 0, USUAL);
        s.eh = false; /* no augmentation data */
        if (i >= 6 && version < 4)
            continue;
        entry(&s, 0, 0x2000, 16, PROGRAM(0x44, 0x0e, 32));
        struct cfi *c = table_of(&s);
        CHECK_STR(rule_at(c, 0x2003), "7+8 16:c-8");
        CHECK_STR(rule_at(c, 0x2004), "7+32 16:c-8");
        cfi_free(c);
    }
}

TEST(cfi_reads_every_augmentation)
{
    static const struct {
        const char *letters, *data;
        size_t len;
        const char *want;
    } all[] = {{"zR", "\x1b", 1, "7+8 16:c-8"},
               {"zPLR", "\x9b\1\2\3\4\x1b\x1b", 7, "7+8 16:c-8"},
               {"zPR", "\x03\1\2\3\4\x1b", 6, "7+8 16:c-8"},
               {"zRS", "\x1b", 1, "7+8 16:c-8"},
               {"zRB", "\x1b", 1, "7+8 16:c-8"},
               {"zR?", "\x1b\7\7", 3, "7+8 16:c-8"},
               {"zR", "\x9b", 1, "none"}, /* indirect */
               {"zR", "\x3b", 1, "none"}, /* from where the data begin */
               {"q", "", 0, "none"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct section s = {.eh = true};
        common(&s, 1, all[i].letters, all[i].data, all[i].len, USUAL);
        entry(&s, 0x1b, 0x1000, 16, PROGRAM(0));
        struct cfi *c = table_of(&s);
        CHECK_STR(rule_at(c, 0x1008), all[i].want);
        cfi_rule r = cfi_find(c, 0x1008);
        if (r)
            CHECK_INT(cfi_signal(r), strchr(all[i].letters, 'S') != NULL);
        cfi_free(c);
    }
}

TEST(cfi_every_instruction)
{
    struct section s = {.eh = true};
    common(&s, 1, "zR", "\x1b", 1, USUAL);
    entry(&s, 0x1b, 0x1000, 0x100,
          PROGRAM(0x05, 3, 2,                  /* offset_extended rbx */
                  0x11, 12, 0x7d,              /* offset_extended_sf r12 -3 */
                  0x14, 13, 4, 0x15, 14, 0x7b, /* val_offset, _sf */
                  0x09, 15, 0, 0x2f, 6, 7,     /* register; negative_offset_extended */
                  0x02, 1,                     /* advance_loc1 */
                  0x06, 3, 0x08, 12, 0x07, 13, /* restore_extended, same, undefined */
                  0x10, 14, 2, 0x77, 8, 0x16, 15, 2, 0x77, 0x10, /* expression, val_expression */
                  0x2e, 0x20, 0x2d, 0x2c,       /* args_size, return address signed */
                  0x03, 1, 0, 0x12, 6, 0x7e,    /* advance_loc2; def_cfa_sf rbp -2 */
                  0x04, 1, 0, 0, 0, 0x13, 0x7c, /* advance_loc4; def_cfa_offset_sf -4 */
                  0x41, 0x0f, 2, 0x77, 0x30,    /* def_cfa_expression */
                  0x41, 0x0c, 99, 8,            /* def_cfa of a register there is not */
                  0x41, 0x0c, 7, 8, 0x07, 16,   /* the return address is lost */
                  0x41, 0x3f));                 /* no such instruction */
    struct cfi *c = table_of(&s);
    struct cfi_size size;
    CHECK_STR(rule_at(c, 0x1000), "7+8 3:c-16 6:c+56 12:c+24 13:v-32 14:v+40 15:r+0 16:c-8");
    CHECK_STR(rule_at(c, 0x1001), "7+8 6:c+56 13:u 14:e 15:x 16:c-8");
    CHECK_STR(rule_at(c, 0x1002), "6+16 6:c+56 13:u 14:e 15:x 16:c-8");
    CHECK_STR(rule_at(c, 0x1003), "6+32 6:c+56 13:u 14:e 15:x 16:c-8");
    CHECK_STR(rule_at(c, 0x1004), "exp 6:c+56 13:u 14:e 15:x 16:c-8");
    CHECK_STR(rule_at(c, 0x1005), "none");
    CHECK_STR(rule_at(c, 0x1006), "7+8 6:c+56 13:u 14:e 15:x 16:u");
    CHECK(cfi_outermost(cfi_find(c, 0x1006)));
    CHECK_STR(rule_at(c, 0x1007), "none");
    cfi_size(c, &size);
    CHECK_INT(size.refused, 1);
    cfi_free(c);
}

/* .eh_frame's word counts; where two overlap, the one that begins later. */
TEST(cfi_order_and_overlap)
{
    struct section s = {.eh = true};
    common(&s, 1, "zR", "\x1b", 1, USUAL);
    entry(&s, 0x1b, 0x1200, 0x100, PROGRAM(0x0e, 32));
    entry(&s, 0x1b, 0x1100, 0x180, PROGRAM(0x0e, 16));
    entry(&s, 0x1b, 0x0, 0x100, PROGRAM(0x0e, 64)); /* a function that was dropped */
    put(&s, 0, 4);
    entry(&s, 0x1b, 0x1400, 0x10, PROGRAM(0x7f, 0x0e, 16)); /* a row beyond its end */
    struct cfi *c = table_of(&s);
    CHECK_STR(rule_at(c, 0x11ff), "7+16 16:c-8");
    CHECK_STR(rule_at(c, 0x1200), "7+32 16:c-8");
    CHECK_STR(rule_at(c, 0x12ff), "7+32 16:c-8");
    CHECK_STR(rule_at(c, 0x1300), "none");
    CHECK_STR(rule_at(c, 0x140f), "7+8 16:c-8");
    CHECK_STR(rule_at(c, 0x1410), "none");
    cfi_free(c);
}

/* An offset cannot be changed where the CFA is an expression: such a rule is none. */
TEST(cfi_offset_of_an_expression)
{
    struct section s = {.eh = true};
    common(&s, 1, "zR", "\x1b", 1, USUAL);
    entry(&s, 0x1b, 0x1000, 0x40, PROGRAM(0x0f, 2, 0x77, 8, 0x41, 0x0e, 16, 0x41, 0x0c, 7, 8));
    struct cfi *c = table_of(&s);
    CHECK_STR(rule_at(c, 0x1000), "exp 16:c-8");
    CHECK_STR(rule_at(c, 0x1001), "none");
    CHECK_STR(rule_at(c, 0x1002), "7+8 16:c-8");
    cfi_free(c);
}

static bool read_number(void *arg, uint64_t addr, unsigned size, uint64_t *out)
{
    (void)arg;
    *out = addr * 2 + size;
    return addr < 0x10000;
}

/* The expression as the CFA of a function; rax 0x1000, rsp 0x2000, the pc 0x300b. */
static uint64_t evaluated(const uint8_t *bytes, size_t len, bool *ok)
{
    uint8_t program[64] = {0x0f, (uint8_t)len};
    uint64_t regs[CFI_REGISTERS + 1] = {[0] = 0x1000, [7] = 0x2000, [CFI_REGISTERS] = 0x300b};
    struct cfi_machine_state m = {
        .regs = regs, .known = 0x81 | UINT64_C(1) << CFI_REGISTERS, .read = read_number};
    struct section s = {.eh = true};
    uint64_t out = 0;
    memcpy(program + 2, bytes, len);
    common(&s, 1, "zR", "\x1b", 1, USUAL);
    entry(&s, 0x1b, 0x1000, 16, program, 2 + len);
    struct cfi *c = table_of(&s);
    cfi_rule r = cfi_find(c, 0x1000);
    *ok = r && cfi_cfa_by_expression(r) && cfi_expression(c, cfi_cfa_offset(r), &m, NULL, &out);
    cfi_free(c);
    return out;
}

#define CHECK_EXPRESSION(want, ...)                                                                \
    do {                                                                                           \
        bool ok_;                                                                                  \
        uint64_t value_ = evaluated(PROGRAM(__VA_ARGS__), &ok_);                                   \
        CHECK(ok_);                                                                                \
        CHECK_INT(value_, want);                                                                   \
    } while (0)
#define CHECK_NO_VALUE(...)                                                                        \
    do {                                                                                           \
        bool ok_;                                                                                  \
        evaluated(PROGRAM(__VA_ARGS__), &ok_);                                                     \
        CHECK(!ok_);                                                                               \
    } while (0)

TEST(cfi_evaluates_expressions)
{
    /* a PLT stub: its second half has pushed a word */
    CHECK_EXPRESSION(0x2010, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22);
    CHECK_EXPRESSION(0x3ff8, 0x77, 0x78, 0x06);        /* *(rsp - 8) */
    CHECK_EXPRESSION(0x2002, 0x70, 0, 0x94, 2);        /* 16 bits there */
    CHECK_EXPRESSION(0x2005, 0x92, 7, 5);              /* bregx */
    CHECK_EXPRESSION(-2, 0x09, 0xfe);                  /* const1s */
    CHECK_EXPRESSION(0xfe, 0x08, 0xfe);                /* const1u */
    CHECK_EXPRESSION(0x1234, 0x0a, 0x34, 0x12);        /* const2u */
    CHECK_EXPRESSION(300, 0x10, 0xac, 2);              /* constu */
    CHECK_EXPRESSION(-3, 0x32, 0x20);                  /* not */
    CHECK_EXPRESSION(-2, 0x32, 0x1f);                  /* neg */
    CHECK_EXPRESSION(4, 0x11, 0x7c, 0x19);             /* abs */
    CHECK_EXPRESSION(7, 0x37, 0x32, 0x13);             /* drop */
    CHECK_EXPRESSION(5, 0x32, 0x37, 0x16, 0x1c);       /* swap: 7 - 2 */
    CHECK_EXPRESSION(2, 0x32, 0x33, 0x34, 0x15, 2);    /* pick */
    CHECK_EXPRESSION(3, 0x32, 0x33, 0x34, 0x17);       /* rot */
    CHECK_EXPRESSION(9, 0x33, 0x12, 0x1e);             /* dup, mul */
    CHECK_EXPRESSION(1, 0x31, 0x28, 1, 0, 0x31, 0x31); /* bra over nothing it needs */
    CHECK_EXPRESSION(4, 0x34, 0x2f, 1, 0, 0x30);       /* skip */
    CHECK_EXPRESSION(-2, 0x11, 0x7c, 0x32, 0x1b);      /* -4 / 2 */
    CHECK_EXPRESSION(-1, 0x11, 0x7c, 0x35, 0x26);      /* -4 >> 5 */
    CHECK_EXPRESSION(1, 0x11, 0x7c, 0x35, 0x2d);       /* -4 < 5 */
    CHECK_NO_VALUE(0x31, 0x2f, 0xfc, 0xff);            /* for ever */
    CHECK_NO_VALUE(0x22);                              /* nothing to add */
    CHECK_NO_VALUE(0x71, 0);                           /* rdx is not known */
    CHECK_NO_VALUE(0x31, 0x30, 0x1b);                  /* by 0 */
    CHECK_NO_VALUE(0x0b, 0, 0, 2, 0, 0x06);            /* no such memory */
    CHECK_NO_VALUE(0x31, 0xff);                        /* no such operation */
    CHECK_NO_VALUE(0x08);                              /* cut short */
}

TEST(cfi_refuses_other_machines_and_cut_files)
{
    struct cfi *c = NULL;
    size_t len;
    uint8_t *image = cfielf_new(EM_SPARC, ".eh_frame", "", 0, &len);
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &c, NULL), -ENOTSUP);
    CHECK_INT(cfi_new(&(struct cfi_image){image, 10, NULL}, NULL, &c, NULL), -ENOEXEC);
    free(image);
    image = cfielf_new(EM_AARCH64, ".eh_frame", "", 0, &len);
    CHECK_INT(cfi_new(&(struct cfi_image){image, len, NULL}, NULL, &c, NULL), 0);
    CHECK(!cfi_find(c, 0x1000));
    cfi_free(c);
    free(image);
}
