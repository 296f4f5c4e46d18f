#include "unit.h"

#include "core/dwarf/image.h"
#include "debug_elf.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

enum { MB = 1 << 20 };

/* What a section claims to be, and whether its stream is as long. */
struct claimed {
    const char *name;
    uint64_t bytes;
};

static void deflate_zeros(struct buf *out, size_t bytes)
{
    uLongf len = compressBound(bytes);
    uint8_t *zeros = calloc(1, bytes), *packed = malloc(len);
    compress2(packed, &len, zeros, bytes, 1);
    buf_add(out, packed, len);
    free(zeros);
    free(packed);
}

/* A file of compressed sections, padded to len bytes; of a claim over 200 MB the stream has one. */
static struct buf file_of(const struct claimed *c, size_t n, size_t len)
{
    struct debug_section s[DEBUG_ELF_SECTIONS] = {{0}};
    for (size_t i = 0; i < n; i++) {
        Elf64_Chdr packed = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = c[i].bytes};
        s[i] = (struct debug_section){c[i].name, SHF_COMPRESSED, BUF_INIT};
        buf_add(&s[i].bytes, &packed, sizeof packed);
        deflate_zeros(&s[i].bytes, c[i].bytes < 200 * MB ? (size_t)c[i].bytes : MB);
    }
    return debug_elf(s, n, len);
}

static int read_file(const struct buf *b, struct budget *budget, struct dwarf_image *d,
                     struct fail *f)
{
    return dwarf_image_read(d, (const uint8_t *)b->data, b->len, false, budget, f);
}

TEST(dwarf_inflate_limit_by_file_size)
{
    CHECK_INT(dwarf_inflate_limit(0), 64 * MB);
    CHECK_INT(dwarf_inflate_limit(4 * MB), 64 * MB);
    CHECK_INT(dwarf_inflate_limit(5 * MB), 80 * MB);
    CHECK_INT(dwarf_inflate_limit(64 * MB), 1024 * MB);
    CHECK_INT(dwarf_inflate_limit(SIZE_MAX), 1024 * MB);
}

TEST(a_section_over_the_limit_takes_no_memory)
{
    struct claimed c[] = {{".debug_info", 90 * MB}, {".debug_abbrev", 1 * MB}};
    struct buf b = file_of(c, 2, 0);
    struct dwarf_image d;
    struct fail f;
    CHECK_INT(read_file(&b, NULL, &d, &f), -EFBIG);
    CHECK_STR(f.what, "1 compressed debug section of 90.0 MB is left out: over the limit "
                      "(objcopy --decompress-debug-sections)");
    CHECK_INT(d.owned_bytes, 1 * MB);
    dwarf_image_release(&d);
    buf_release(&b);
    b = file_of(c, 2, 10 * MB); /* the same in a file of that size may be real */
    CHECK_INT(read_file(&b, NULL, &d, &f), 0);
    CHECK_INT(d.owned_bytes, 91 * MB);
    dwarf_image_release(&d);
    buf_release(&b);
}

TEST(sections_share_the_limit_in_their_order)
{
    struct claimed c[] = {{".debug_str", 40 * MB},
                          {".debug_aranges", 30 * MB},
                          {".debug_abbrev", 1 * MB},
                          {".debug_info", 20 * MB}};
    struct buf b = file_of(c, 4, 0);
    struct dwarf_image d;
    CHECK_INT(read_file(&b, NULL, &d, NULL), 0);
    CHECK_INT(d.section[DWARF_INFO].len, 20 * MB);
    CHECK_INT(d.section[DWARF_STR].len, 40 * MB);
    CHECK_INT(d.section[DWARF_ARANGES].len, 0);
    CHECK_INT(d.left_out.sections, 1);
    CHECK_INT(d.left_out.bytes, 30 * MB);
    dwarf_image_release(&d);
    buf_release(&b);
}

TEST(files_share_a_budget_and_give_it_back)
{
    struct claimed c[] = {{".debug_info", 10 * MB}, {".debug_abbrev", 1 * MB}};
    struct buf b = file_of(c, 2, 0);
    struct budget budget = {.left = 30 * MB};
    struct dwarf_image d[3];
    CHECK_INT(read_file(&b, &budget, &d[0], NULL), 0);
    CHECK_INT(read_file(&b, &budget, &d[1], NULL), 0);
    CHECK_INT(read_file(&b, &budget, &d[2], NULL), -EFBIG);
    CHECK_INT(budget.left, 7 * MB); /* the abbreviations fitted */
    dwarf_image_release(&d[2]);
    dwarf_image_release(&d[0]);
    CHECK_INT(budget.left, 19 * MB);
    CHECK_INT(read_file(&b, &budget, &d[0], NULL), 0);
    dwarf_image_release(&d[0]);
    dwarf_image_release(&d[1]);
    CHECK_INT(budget.left, 30 * MB);
    buf_release(&b);
}

TEST(claims_without_end_are_counted)
{
    struct claimed c[] = {{".debug_info", UINT64_MAX}, {".debug_line", UINT64_MAX - 5}};
    struct budget budget = {.left = SIZE_MAX};
    struct dwarf_image d;
    struct buf b = file_of(c, 2, 0);
    CHECK_INT(read_file(&b, &budget, &d, NULL), -EFBIG);
    CHECK(d.left_out.bytes == UINT64_MAX);
    CHECK_INT(d.left_out.sections, 2);
    CHECK_INT(d.owned_bytes, 0);
    dwarf_image_release(&d);
    buf_release(&b);
}
