#include "unit.h"

#include "core/base/buf.h"
#include "core/dwarf/line.h"
#include "core/dwarf/names.h"

/* --- line number programs by hand --- */

struct made {
    struct buf bytes;
    bool big, wide; /* wide: 64-bit DWARF */
};

static void number(struct made *m, uint64_t n, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_addc(&m->bytes, (char)(n >> 8 * (m->big ? size - 1 - i : i)));
}

static void text(struct made *m, const char *s)
{
    buf_add(&m->bytes, s, strlen(s) + 1);
}

static void put_at(struct made *m, size_t at, uint64_t n, unsigned size)
{
    struct made number_of = {.big = m->big};
    number(&number_of, n, size);
    memcpy(m->bytes.data + at, number_of.bytes.data, size);
    buf_release(&number_of.bytes);
}

/* From behind the length of the header to the tables. */
static void head(struct made *m, unsigned version)
{
    number(m, 1, 1); /* minimum_instruction_length */
    if (version >= 4)
        number(m, 1, 1);
    number(m, 1, 1);    /* default_is_stmt */
    number(m, 0xfb, 1); /* line_base */
    number(m, 14, 1);   /* line_range */
    number(m, 1, 1);    /* opcode_base: no standard opcodes */
}

/* The program around the tables (which begin at 0 in tables) and the rows. */
static struct made made(unsigned version, bool big, bool wide, const struct made *tables,
                        const struct made *rows)
{
    struct made m = {.big = big, .wide = wide};
    unsigned size = wide ? 8 : 4;
    if (wide)
        number(&m, 0xffffffff, 4);
    size_t length = m.bytes.len;
    number(&m, 0, size);
    number(&m, version, 2);
    if (version == 5)
        number(&m, 0x0008, 2);
    size_t head_length = m.bytes.len;
    number(&m, 0, size);
    head(&m, version);
    buf_add(&m.bytes, tables->bytes.data, tables->bytes.len);
    put_at(&m, head_length, m.bytes.len - head_length - size, size);
    if (rows)
        buf_add(&m.bytes, rows->bytes.data, rows->bytes.len);
    put_at(&m, length, m.bytes.len - length - size, size);
    return m;
}

/* --- what is read --- */

struct seen {
    struct dwarf_image image;
    struct dwarf_unit unit;
    struct dwarf_file file, alt;
    struct buf text; /* "d NAME", "f DIR NAME", "r FILE" */
};

static const char *name_of(const struct seen *s, struct dwarf_value v)
{
    const char *name = dwarf_string(&s->unit, DWARF_LINE, v);
    return name ? name : "-";
}

static bool take_dir(void *arg, const struct dwarf_line_name *dir)
{
    struct seen *s = arg;
    buf_printf(&s->text, "d %s\n", name_of(s, dir->text));
    return true;
}

static bool take_file(void *arg, const struct dwarf_line_name *file)
{
    struct seen *s = arg;
    buf_printf(&s->text, "f %" PRIu64 " %s\n", file->dir, name_of(s, file->text));
    return true;
}

static bool take_row(void *arg, const struct dwarf_row *row)
{
    struct seen *s = arg;
    buf_printf(&s->text, "r %" PRIu64 "\n", row->file);
    return true;
}

static struct dwarf_bytes bytes_of(const char *s, size_t len)
{
    return (struct dwarf_bytes){(const uint8_t *)s, len};
}

/* Strings: .debug_str has "str" at 1, .debug_line_str "line" at 1, the supplement's "sup" at 1, and
 * index 1 of .debug_str_offsets is "str". */
static void check_read(const struct made *m, unsigned version, const char *want)
{
    struct made offsets = {.big = m->big};
    struct seen s = {.unit = {.file = &s.file, .offset_size = 4, .version = 5, .addr_size = 8}};
    number(&offsets, 0, 4);
    number(&offsets, 1, 4);
    s.file.alt = &s.alt;
    s.alt.image.section[DWARF_STR] = bytes_of("\0sup", 5);
    s.image = (struct dwarf_image){.big_endian = m->big, .addr_size = 8};
    s.image.section[DWARF_LINE] = bytes_of(m->bytes.data, m->bytes.len);
    s.image.section[DWARF_STR] = bytes_of("\0str", 5);
    s.image.section[DWARF_LINE_STR] = bytes_of("\0line", 6);
    s.image.section[DWARF_STR_OFFSETS] = bytes_of(offsets.bytes.data, offsets.bytes.len);
    s.file.image = s.image;
    const struct dwarf_line_handler take = {take_dir, take_file, take_row, &s};
    CHECK_INT(dwarf_line_read(&s.image, 0, &take), version);
    CHECK_STR(buf_str(&s.text), want);
    buf_release(&s.text);
    buf_release(&offsets.bytes);
}

static void check(unsigned version, const struct made *tables, const struct made *rows, bool wide,
                  const char *want)
{
    struct made m = made(version, tables->big, wide, tables, rows);
    check_read(&m, version, want);
    buf_release(&m.bytes);
}

static void old_tables(struct made *t)
{
    text(t, "one");
    text(t, "/two");
    text(t, "");
    text(t, "a.c");
    number(t, 0x000001, 3); /* folder 1, no time, no length */
    text(t, "b.c");
    number(t, 0x80, 1), number(t, 0x01, 1); /* folder 128 */
    number(t, 0, 2);
    text(t, "");
}

TEST(dwarf_files_before_version_5)
{
    for (unsigned version = 2; version <= 4; version++)
        for (int wide = 0; wide < 2; wide++) {
            struct made t = {0};
            old_tables(&t);
            check(version, &t, NULL, wide, "d one\nd /two\nf 1 a.c\nf 128 b.c\n");
            buf_release(&t.bytes);
        }
}

TEST(dwarf_files_defined_by_the_program)
{
    struct made t = {0}, rows = {0};
    old_tables(&t);
    number(&rows, 0, 1);
    number(&rows, 1 + 4 + 3, 1);
    number(&rows, DW_LNE_define_file, 1);
    text(&rows, "c.c");
    number(&rows, 2, 3); /* folder 2 */
    number(&rows, 0, 1), number(&rows, 3, 1);
    number(&rows, DW_LNE_define_file, 1);
    text(&rows, "x");       /* cut short by its length: none */
    number(&rows, 0x20, 1); /* a special opcode */
    check(4, &t, &rows, false, "d one\nd /two\nf 1 a.c\nf 128 b.c\nf 2 c.c\nr 1\n");
    buf_release(&t.bytes);
    buf_release(&rows.bytes);
}

static void layout(struct made *t, unsigned fields, const uint16_t *content_and_form)
{
    number(t, fields, 1);
    for (unsigned i = 0; i < 2 * fields; i++) {
        uint16_t n = content_and_form[i];
        if (n > 0x7f)
            number(t, 0x80 | (n & 0x7f), 1);
        number(t, n > 0x7f ? n >> 7 : n, n > 0x7f && n >> 7 > 0x7f ? 2 : 1);
    }
}

/* The folders: "dir" alone, as a string. */
static void one_dir(struct made *t)
{
    layout(t, 1, (const uint16_t[]){DW_LNCT_path, DW_FORM_string});
    number(t, 1, 1);
    text(t, "dir");
}

/* An entry with a path of that form, whose bytes are n of a size. */
static void check_form(bool big, bool wide, uint16_t form, uint64_t n, unsigned size,
                       const char *want)
{
    struct made t = {.big = big};
    one_dir(&t);
    layout(&t, 2, (const uint16_t[]){DW_LNCT_path, form, DW_LNCT_directory_index, DW_FORM_data1});
    number(&t, 1, 1);
    number(&t, n, size);
    number(&t, 7, 1);
    check(5, &t, NULL, wide, want);
    buf_release(&t.bytes);
}

TEST(dwarf_files_by_every_form_of_a_path)
{
    for (int big = 0; big < 2; big++)
        for (int wide = 0; wide < 2; wide++) {
            unsigned offset = wide ? 8 : 4;
            check_form(big, wide, DW_FORM_line_strp, 1, offset, "d dir\nf 7 line\n");
            check_form(big, wide, DW_FORM_strp, 1, offset, "d dir\nf 7 str\n");
            check_form(big, wide, DW_FORM_strp_sup, 1, offset, "d dir\nf 7 sup\n");
            check_form(big, wide, DW_FORM_strx, 1, 1, "d dir\nf 7 str\n");
            check_form(big, wide, DW_FORM_strx1, 1, 1, "d dir\nf 7 str\n");
            check_form(big, wide, DW_FORM_strx2, 1, 2, "d dir\nf 7 str\n");
            check_form(big, wide, DW_FORM_strx3, 1, 3, "d dir\nf 7 str\n");
            check_form(big, wide, DW_FORM_strx4, 1, 4, "d dir\nf 7 str\n");
            check_form(big, wide, DW_FORM_line_strp, 99, offset, "d dir\nf 7 -\n");
            check_form(big, wide, DW_FORM_strx1, 99, 1, "d dir\nf 7 -\n");
            check_form(big, wide, DW_FORM_data4, 1, 4, "d dir\nf 7 -\n");
        }
}

static void check_index(uint16_t form, unsigned size, const char *want)
{
    struct made t = {0};
    one_dir(&t);
    layout(&t, 2, (const uint16_t[]){DW_LNCT_directory_index, form, DW_LNCT_path, DW_FORM_string});
    number(&t, 1, 1);
    number(&t, 3, size);
    text(&t, "f.c");
    check(5, &t, NULL, false, want);
    buf_release(&t.bytes);
}

TEST(dwarf_files_by_every_form_of_a_folder)
{
    check_index(DW_FORM_data1, 1, "d dir\nf 3 f.c\n");
    check_index(DW_FORM_data2, 2, "d dir\nf 3 f.c\n");
    check_index(DW_FORM_data4, 4, "d dir\nf 3 f.c\n");
    check_index(DW_FORM_data8, 8, "d dir\nf 3 f.c\n");
    check_index(DW_FORM_udata, 1, "d dir\nf 3 f.c\n");
}

TEST(dwarf_files_step_over_what_they_do_not_know)
{
    struct made t = {0};
    one_dir(&t);
    layout(&t, 5,
           (const uint16_t[]){0x05, DW_FORM_data16, /* MD5 */
                              0x2001, DW_FORM_line_strp, DW_LNCT_path, DW_FORM_string, 0x3fff,
                              DW_FORM_block, DW_LNCT_directory_index, DW_FORM_udata});
    number(&t, 2, 1);
    for (int i = 0; i < 2; i++) {
        number(&t, 0, 8), number(&t, 0, 8), number(&t, 1, 4);
        text(&t, i ? "g.c" : "f.c");
        number(&t, 3, 1), number(&t, 0x616161, 3);
        number(&t, (unsigned)i, 1);
    }
    check(5, &t, NULL, false, "d dir\nf 0 f.c\nf 1 g.c\n");
    buf_release(&t.bytes);
}

TEST(dwarf_files_end_at_a_form_without_a_size)
{
    struct made t = {0};
    one_dir(&t);
    layout(&t, 2, (const uint16_t[]){DW_LNCT_path, DW_FORM_string, 9, 0x77});
    number(&t, 1, 1);
    text(&t, "f.c");
    check(5, &t, NULL, false, "d dir\n");
    buf_release(&t.bytes);
}

/* A table of entries without bytes, and one of more entries than there are bytes for. */
TEST(dwarf_files_have_no_more_entries_than_bytes)
{
    struct made t = {0};
    layout(&t, 1, (const uint16_t[]){DW_LNCT_path, DW_FORM_flag_present});
    number(&t, 0x7fffff, 3);
    check(5, &t, NULL, false, "");
    buf_release(&t.bytes);
    t = (struct made){0};
    layout(&t, 1, (const uint16_t[]){DW_LNCT_path, DW_FORM_string});
    number(&t, 100, 1);
    text(&t, "dir");
    check(5, &t, NULL, false, "d dir\n");
    buf_release(&t.bytes);
}

TEST(dwarf_files_cut_short)
{
    struct made t = {0};
    old_tables(&t);
    struct made whole = made(3, false, false, &t, NULL);
    const char *want = "d one\nd /two\nf 1 a.c\nf 128 b.c\n";
    for (size_t len = 0; len < t.bytes.len; len++) {
        struct made some = {.bytes = {.data = t.bytes.data, .len = len}};
        struct made m = made(3, false, false, &some, NULL);
        struct seen s = {.unit = {.file = &s.file}};
        s.image.section[DWARF_LINE] = bytes_of(m.bytes.data, m.bytes.len);
        s.file.image = s.image;
        const struct dwarf_line_handler take = {take_dir, take_file, take_row, &s};
        CHECK_INT(dwarf_line_read(&s.image, 0, &take), 3);
        CHECK(strncmp(buf_str(&s.text), want, s.text.len) == 0);
        buf_release(&s.text);
        buf_release(&m.bytes);
    }
    check_read(&whole, 3, want);
    buf_release(&whole.bytes);
    buf_release(&t.bytes);
}
