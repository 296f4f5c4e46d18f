/*
 * perf.data of 32-bit ARM (perf record --call-graph dwarf): each sample has 16 registers, as
 * numbers of 64 bits, and a slice of the stack, of which the call chain is made here.
 */
#include "perfdata_make.h"

#include "core/elf/elf.h"
#include "core/sample/sampled.h"
#include "core/unwind/unwind.h"

#include "../lib/armelf.h"

enum {
    REGS_USER = 1 << 12,
    STACK_USER = 1 << 13,
    FIELDS = IP | TID | TIME | REGS_USER | STACK_USER,
    MAP = 0x400000, /* where the file is mapped */
    CODE = MAP + sizeof(struct armelf),
    STACK = 0xbe000000,
    SLICE = 64,
    START = 0x8000, /* where the program begins, in its code */
    CANNOT_UNWIND = 1,
    ABI_32 = 1,
};

/* 0: push {r4, lr}; mov r4, r0; bl 8; pop {r4, pc} (a word of nothing); 12: sub sp, #16; add sp,
 * #16; bx lr; at the start: bl 0 */
static const uint16_t functions[] = {0xb510, 0x4604, 0xf000, 0xf802, 0xbd10,
                                     0xbf00, 0xb084, 0xb004, 0x4770};
static const uint16_t start[] = {0xf7f7, 0xfffe, 0xbf00, 0xbf00};

struct program {
    uint8_t *image;
    size_t len;
};

static struct program program_new(void)
{
    static uint8_t code[START + sizeof start];
    uint8_t table[8];
    struct program p;
    memcpy(code, functions, sizeof functions);
    memcpy(code + START, start, sizeof start);
    put_le32(table, (uint32_t)(ARMELF_CODE - ARMELF_TABLE) & 0x7fffffff);
    put_le32(table + 4, CANNOT_UNWIND);
    struct armelf_parts parts = {code, sizeof code, table, sizeof table, sizeof table};
    p.image = armelf_new(&parts, &p.len);
    return p;
}

/* --- the file --- */

static void write_event(struct buf *b)
{
    enum { SIZE = 112, AFTER_FLAGS = 48 };
    stream(b);
    header(b, 64, 0, SIZE);
    u32(b, 1), u32(b, SIZE);
    u64(b, 1);
    u64(b, 1000000);
    u64(b, FIELDS);
    u64(b, 0);
    u64(b, 1 << 8); /* mappings */
    for (size_t at = AFTER_FLAGS; at < 80; at += 8)
        u64(b, 0);
    u64(b, 0xffff); /* registers */
    u32(b, SLICE);
    for (size_t at = 92; at < SIZE; at += 4)
        u32(b, 0);
}

static void write_mapping(struct buf *b, size_t len)
{
    header(b, 1, 2, 40);
    u32(b, 7), u32(b, 7);
    u64(b, MAP);
    u64(b, len);
    u64(b, 0);
    buf_add(b, "/bin/a\0\0", 8);
}

/* Words of the stack, an even number of them. */
static void write_sample(struct buf *b, uint32_t pc, uint32_t lr, const uint32_t *word,
                         size_t words)
{
    header(b, 9, 2, 24 + 8 + 16 * 8 + 8 + 4 * words + 8);
    u64(b, pc);
    u32(b, 7), u32(b, 7);
    u64(b, 1);
    u64(b, ABI_32);
    for (unsigned reg = 0; reg < 13; reg++)
        u64(b, reg);
    u64(b, STACK), u64(b, lr), u64(b, pc);
    u64(b, 4 * words);
    for (size_t i = 0; i < words; i++)
        u32(b, word[i]);
    u64(b, 4 * words);
}

/* --- what is counted --- */

struct reading {
    struct sampled sampled;
    struct program program;
};

static void give_cfi(void *arg, struct module *m)
{
    struct reading *r = arg;
    struct cfi_image image = {r->program.image, r->program.len, NULL};
    CHECK_INT(cfi_new(&image, NULL, &m->cfi, NULL), 0);
}

static void take(void *arg, const struct perfdata_event *e, const struct perfrec *record)
{
    struct reading *r = arg;
    struct modules *all = &r->sampled.mapped.modules;
    struct fail f;
    r->sampled.regs_user = e->format.regs_user;
    sampled_add_record(&r->sampled, record);
    for (size_t i = 0; i < all->count; i++)
        if (all->module[i]->file && !all->module[i]->elf)
            CHECK_INT(elf_open(r->program.image, r->program.len, &all->module[i]->elf, &f), 0);
}

/* "OFFSET OFFSET ... END: COUNT": the places of the only chain in the code, and how it ended. */
static void describe(const struct sampled *s, char *text, size_t size)
{
    int n = 0;
    const struct sampled_node *node = NULL;
    *text = '\0';
    for (uint32_t i = sampled_cell_at(s, 0)->node; s->cells.count && i != INTERN_NONE;
         i = node->parent) {
        node = sampled_node_at(s, i);
        n += snprintf(text + n, size - (size_t)n, "%" PRIx64 " ",
                      node->offset - sizeof(struct armelf));
    }
    for (size_t i = 0; i < s->unwound.ends.count; i++) {
        const struct sampled_end *end = (const struct sampled_end *)s->unwound.ends.record + i;
        n += snprintf(text + n, size - (size_t)n, "%s: %" PRIu64,
                      unwind_end_name((enum unwind_end)end->end), end->chains);
    }
}

static const char *chain_of(uint32_t pc, uint32_t lr, const uint32_t *word, size_t words)
{
    static char text[256];
    struct buf b = BUF_INIT;
    struct reading r = {.program = program_new()};
    struct perfdata *pd;
    struct fail f;
    write_event(&b);
    write_mapping(&b, r.program.len);
    write_sample(&b, pc, lr, word, words);
    sampled_init(&r.sampled, &(struct sampled_want){.pid = 0});
    r.sampled.hooks = (struct sampled_hooks){.need_cfi = give_cfi, .arg = &r};
    pd = opened(&b);
    CHECK_INT(perfdata_read(pd, take, &r, &f), 0);
    describe(&r.sampled, text, sizeof text);
    perfdata_free(pd);
    sampled_release(&r.sampled);
    free(r.program.image);
    buf_release(&b);
    return text;
}

TEST(perfdata_arm_chain_of_registers_and_stack)
{
    const uint32_t stack[] = {4, CODE + START + 4 + 1};
    CHECK_STR(chain_of(CODE + 12, CODE + 8 + 1, stack, 2), "c 7 8003 whole: 1");
}

/* sub sp, #16 was executed: the words that the outer function saved are further up. */
TEST(perfdata_arm_chain_where_the_stack_has_moved)
{
    const uint32_t stack[] = {0, 0, 0, 0, 4, CODE + START + 4 + 1};
    CHECK_STR(chain_of(CODE + 14, CODE + 8 + 1, stack, 6), "e 7 8003 whole: 1");
}

TEST(perfdata_arm_slice_that_is_too_short)
{
    const uint32_t stack[] = {0, 0, 0, 0};
    CHECK_STR(chain_of(CODE + 14, CODE + 8 + 1, stack, 4), "e 7 stack slice too short: 1");
}
