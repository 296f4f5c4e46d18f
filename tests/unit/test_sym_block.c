#include "unit.h"

#include "applets/sym_block.h"
#include "core/base/buf.h"
#include "core/dwarf/lines.h"
#include "plat/file.h"

#include <stdlib.h>

enum { MB = 1 << 20 };

static void add(struct sym_block *b, const char *text, uint32_t file, uint64_t address)
{
    CHECK(sym_block_add(b, text, strlen(text), (struct sym_place){file, false, address}));
}

/* Appends its line to arg, the order of the questions, and to the answers, twice. */
static void answer_twice(void *arg, const struct sym_question *q, struct buf *out)
{
    buf_add(arg, q->text, q->len);
    buf_add(out, q->text, q->len);
    buf_add(out, q->text, q->len);
}

/* The answers in the order of the lines, each in parentheses. */
static void show_answers(const struct sym_block *b, struct buf *out)
{
    for (size_t i = 0; i < b->lines; i++)
        buf_printf(out, "(%.*s)", (int)(b->line[i].to - b->line[i].from),
                   buf_str(&b->out) + b->line[i].from);
}

TEST(sym_block_asks_by_place_and_answers_by_line)
{
    struct sym_block b = {0};
    struct buf asked = BUF_INIT, answered = BUF_INIT;
    add(&b, "a", 1, 0x20);
    add(&b, "b", 0, UINT64_MAX);
    add(&b, "c", 1, 0x10);
    add(&b, "d", 0, 0x30);
    add(&b, "e", 1, 0x20);
    sym_block_answer(&b, answer_twice, &asked);
    show_answers(&b, &answered);
    CHECK_STR(buf_str(&asked), "dbcae");
    CHECK_STR(buf_str(&answered), "(aa)(bb)(cc)(dd)(ee)");
    buf_clear(&asked);
    buf_clear(&answered);
    sym_block_clear(&b);
    add(&b, "f", 0, 1);
    sym_block_answer(&b, answer_twice, &asked);
    show_answers(&b, &answered);
    CHECK_STR(buf_str(&asked), "f");
    CHECK_STR(buf_str(&answered), "(ff)");
    sym_block_release(&b);
    buf_release(&asked);
    buf_release(&answered);
}

TEST(sym_block_is_bounded_by_files_and_memory)
{
    const uint64_t gb = UINT64_C(1) << 30;
    CHECK_INT(sym_block_bytes(0, UINT64_MAX), 64 << 10);
    CHECK_INT(sym_block_bytes(gb, 8 * gb), 8 * MB);
    CHECK_INT(sym_block_bytes(64 * gb, UINT64_MAX), 16 * MB);
    CHECK_INT(sym_block_bytes(64 * gb, gb), 4 * MB);
    CHECK_INT(sym_block_bytes(64 * gb, 0), 64 << 10);
    CHECK(sym_block_lines(64 << 10) >= 4096);
}

/* --- the work for addresses in any order --- */

enum { UNITS = 2, ROUNDS = 8 };

struct program {
    struct image image;
    struct lines *lines;
    uint64_t address[UNITS]; /* in different units */
};

/* Finds an address of each unit. Only the unit just read is kept. */
static struct program program(void)
{
    struct program p = {0};
    struct lines_frame frame;
    char path[512];
    snprintf(path, sizeof path, "%s/data/dwarf/gcc-O2", unit_folder());
    CHECK_INT(file_map(path, SIZE_MAX, &p.image, NULL), 0);
    CHECK_INT(lines_open(p.image.data, p.image.len, NULL, &p.lines, NULL), 0);
    lines_limit(p.lines, 0);
    for (uint64_t at = 0x10000; at < 0x11000; at += 2)
        if (lines_at(p.lines, at, &frame, 1) && frame.unit < UNITS && !p.address[frame.unit])
            p.address[frame.unit] = at;
    for (size_t i = 0; i < UNITS; i++)
        CHECK(p.address[i]);
    return p;
}

static void program_release(struct program *p)
{
    lines_close(p->lines);
    file_unmap(&p->image);
}

static void answer_lines(void *arg, const struct sym_question *q, struct buf *out)
{
    struct program *p = arg;
    struct lines_frame frame;
    CHECK(lines_at(p->lines, p->address[*q->text - '0'], &frame, 1));
    buf_printf(out, "%zu", frame.unit);
}

/* Bytes read of the program for addresses of both units in turn, lines_each in a block. */
static uint64_t touched(struct program *p, size_t lines_each)
{
    struct sym_block b = {0};
    uint64_t before = lines_touched(p->lines);
    for (size_t i = 0; i < UNITS * ROUNDS; i++) {
        const char *unit = i % UNITS ? "1" : "0";
        add(&b, unit, 0, p->address[i % UNITS]);
        if (b.lines == lines_each) {
            sym_block_answer(&b, answer_lines, p);
            CHECK_INT(b.out.data[b.line[b.lines - 1].from], *unit);
            sym_block_clear(&b);
        }
    }
    sym_block_release(&b);
    return lines_touched(p->lines) - before;
}

/* The unit of the last line is still there for the first of the next block, hence the - 1. */
TEST(sym_block_reads_each_unit_once)
{
    struct program p = program();
    uint64_t single = touched(&p, 1), whole = touched(&p, (size_t)UNITS * ROUNDS);
    printf("    %" PRIu64 " bytes a line, %" PRIu64 " in a block\n", single, whole);
    CHECK(whole > 0);
    CHECK(single >= (ROUNDS - 1) * whole);
    program_release(&p);
}
