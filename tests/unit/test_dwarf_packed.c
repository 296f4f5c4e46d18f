/* Debug sections compressed by zlib and zstd: whole, damaged, and of a type that is not known. */
#include "unit.h"

#include "core/base/zstd/unzstd.h"
#include "core/dwarf/image.h"
#include "debug_elf.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

enum { ZLIB = 1, ZSTD = 2, UNKNOWN = 7, KB = 1 << 10, BLOCK = 128 * KB };

static const char *const damaged = "1 compressed debug section is left out: damaged";

/* --- streams --- */

static void deflated(struct buf *out, const char *text, size_t len)
{
    uint8_t packed[512];
    uLongf made = sizeof packed;
    CHECK_INT(compress(packed, &made, (const Bytef *)text, len), Z_OK);
    buf_add(out, packed, made);
}

/* A frame of zstd that has a window of 128 KB and no size (RFC 8878, 3.1.1). */
static void frame_begins(struct buf *out)
{
    buf_add(out, (uint8_t[]){0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3}, 6);
}

static void block(struct buf *out, bool last, unsigned type, size_t len)
{
    uint32_t header = last | type << 1 | (uint32_t)len << 3;
    buf_add(out, (uint8_t[]){header & 255, header >> 8 & 255, header >> 16 & 255}, 3);
}

static void raw_frame(struct buf *out, const char *text, size_t len)
{
    frame_begins(out);
    block(out, true, 0, len);
    buf_add(out, text, len);
}

/* What blows up most: each four bytes are 128 KB. */
static void zeros_frame(struct buf *out, size_t blocks)
{
    frame_begins(out);
    for (size_t i = 0; i < blocks; i++) {
        block(out, i + 1 == blocks, 1, BLOCK);
        buf_addc(out, '\0');
    }
}

/* --- sections --- */

static struct debug_section claiming(const char *name, uint32_t type, uint64_t bytes)
{
    struct debug_section s = {name, SHF_COMPRESSED, BUF_INIT};
    buf_add(&s.bytes, &(Elf64_Chdr){.ch_type = type, .ch_size = bytes}, sizeof(Elf64_Chdr));
    return s;
}

static struct debug_section packed(const char *name, uint32_t type, const char *text)
{
    struct debug_section s = claiming(name, type, strlen(text));
    if (type == ZSTD)
        raw_frame(&s.bytes, text, strlen(text));
    else
        deflated(&s.bytes, text, strlen(text));
    return s;
}

static struct debug_section plain(const char *name, const char *text)
{
    struct debug_section s = {name, 0, BUF_INIT};
    buf_add(&s.bytes, text, strlen(text));
    return s;
}

/* --- reading --- */

struct opened {
    struct buf file;
    struct budget budget;
    struct dwarf_image d;
    struct fail f;
    int err;
};

static void read_into(struct opened *o, struct debug_section *s, size_t n)
{
    *o = (struct opened){.budget = {.left = 256 << 20}};
    o->file = debug_elf(s, n, 0);
    o->err = dwarf_image_read(&o->d, (const uint8_t *)o->file.data, o->file.len, false, &o->budget,
                              &o->f);
}

static void done(struct opened *o)
{
    dwarf_image_release(&o->d);
    CHECK_INT(o->budget.left, 256 << 20);
    buf_release(&o->file);
}

static void check_text(const struct opened *o, enum dwarf_section s, const char *want)
{
    struct dwarf_bytes b = o->d.section[s];
    CHECK_INT(b.len, strlen(want));
    CHECK(b.len != strlen(want) || memcmp(b.at, want, b.len) == 0);
}

/* .debug_info that cannot be read; the others can. */
static void check_refused(struct debug_section info, int err, const char *what)
{
    struct opened o;
    struct debug_section s[] = {info, packed(".debug_abbrev", ZLIB, "abbreviations")};
    read_into(&o, s, 2);
    CHECK_INT(o.err, err);
    CHECK_STR(o.f.what, what);
    CHECK_INT(o.d.owned_bytes, strlen("abbreviations"));
    check_text(&o, DWARF_ABBREV, "abbreviations");
    done(&o);
}

static struct debug_section cut(struct debug_section s, size_t len)
{
    s.bytes.len = len;
    return s;
}

static void check_damaged(uint32_t type)
{
    const char *text = "information";
    struct debug_section s = packed(".debug_info", type, text);
    size_t len = s.bytes.len;
    buf_release(&s.bytes);
    for (size_t i = 1; i < len; i++)
        check_refused(cut(packed(".debug_info", type, text), i), -EBADMSG, damaged);
    for (int more = -1; more <= 1; more += 2) {
        s = packed(".debug_info", type, text);
        ((Elf64_Chdr *)(void *)s.bytes.data)->ch_size += (uint64_t)more;
        check_refused(s, -EBADMSG, damaged);
    }
    s = packed(".debug_info", type, text);
    s.bytes.data[sizeof(Elf64_Chdr)] ^= 0x55;
    check_refused(s, -EBADMSG, damaged);
}

static void check_claims(uint32_t type)
{
    struct debug_section s = packed(".debug_info", type, "information");
    Elf64_Chdr *head = (Elf64_Chdr *)(void *)s.bytes.data;
    head->ch_size = 63 << 20; /* no stream of so few bytes makes that: no memory is asked for */
    check_refused(s, -EBADMSG, damaged);
    s = packed(".debug_info", type, "information");
    head = (Elf64_Chdr *)(void *)s.bytes.data;
    head->ch_size = UINT64_MAX;
    check_refused(s, -EFBIG,
                  "1 compressed debug section of 17179869184.0 GB is left out: over the limit "
                  "(objcopy --decompress-debug-sections)");
    s = packed(".debug_info", type, "information");
    head = (Elf64_Chdr *)(void *)s.bytes.data;
    head->ch_size = 0;
    check_refused(s, -EBADMSG, damaged);
}

TEST(sections_packed_by_zlib_that_are_damaged)
{
    check_damaged(ZLIB);
    check_claims(ZLIB);
}

TEST(sections_packed_by_zstd_that_are_damaged)
{
    if (!unzstd_available())
        SKIP("built without zstd");
    check_damaged(ZSTD);
    check_claims(ZSTD);
}

TEST(sections_packed_by_zstd)
{
    struct opened o;
    struct debug_section two = claiming(".debug_line", ZSTD, 7);
    raw_frame(&two.bytes, "one", 3);
    raw_frame(&two.bytes, "more", 4);
    struct debug_section s[] = {packed(".debug_info", ZSTD, "information"),
                                plain(".debug_abbrev", "abbreviations"), two,
                                packed(".debug_str", ZLIB, "strings")};
    if (!unzstd_available()) {
        for (size_t i = 0; i < 4; i++)
            buf_release(&s[i].bytes);
        SKIP("built without zstd");
    }
    read_into(&o, s, 4);
    CHECK_INT(o.err, 0);
    CHECK(!dwarf_left_out_any(&o.d.left_out));
    check_text(&o, DWARF_INFO, "information");
    check_text(&o, DWARF_ABBREV, "abbreviations");
    check_text(&o, DWARF_LINE, "onemore");
    check_text(&o, DWARF_STR, "strings");
    done(&o);
}

TEST(sections_of_a_build_without_zstd)
{
    if (unzstd_available())
        SKIP("built with zstd");
    check_refused(packed(".debug_info", ZSTD, "information"), -ENOTSUP,
                  "1 compressed debug section is left out: this build cannot unpack zstd "
                  "(objcopy --decompress-debug-sections)");
}

/* 60 MB of 1920 bytes, under the limit of a small file, and plausible. */
TEST(what_zstd_packs_best_is_unpacked)
{
    enum { BLOCKS = 480 };
    if (!unzstd_available())
        SKIP("built without zstd");
    for (int wrong = 0; wrong < 2; wrong++) {
        struct opened o;
        struct debug_section info = claiming(".debug_info", ZSTD, (uint64_t)BLOCKS * BLOCK);
        zeros_frame(&info.bytes, BLOCKS + (size_t)wrong);
        struct debug_section s[] = {info, plain(".debug_abbrev", "abbreviations")};
        read_into(&o, s, 2);
        CHECK_INT(o.err, wrong ? -EBADMSG : 0);
        CHECK_INT(o.d.section[DWARF_INFO].len, wrong ? 0 : BLOCKS * BLOCK);
        done(&o);
    }
}

TEST(sections_of_an_unknown_compression_are_named)
{
    check_refused(packed(".debug_info", UNKNOWN, "information"), -ENOTSUP,
                  "1 compressed debug section is left out: compression type 7 is not supported "
                  "(objcopy --decompress-debug-sections)");
}

TEST(zdebug_without_its_mark_is_damaged)
{
    check_refused(plain(".zdebug_info", "ZLIX\0\0\0\0\0\0\0\1information"), -EBADMSG, damaged);
    check_refused(plain(".zdebug_info", "ZLIB"), -EBADMSG, damaged);
}

/* The rest is read, and what is missing is counted, each by its reason. */
TEST(sections_that_are_left_out_are_counted)
{
    struct opened o;
    struct dwarf_left_out sum = {0};
    struct debug_section s[] = {
        plain(".debug_info", "information"), plain(".debug_abbrev", "abbreviations"),
        packed(".debug_line", UNKNOWN, "lines"), cut(packed(".debug_str", ZLIB, "strings"), 30)};
    read_into(&o, s, 4);
    CHECK_INT(o.err, 0);
    CHECK_INT(o.d.left_out.unknown, 1);
    CHECK_INT(o.d.left_out.type, UNKNOWN);
    CHECK_INT(o.d.left_out.damaged, 1);
    CHECK_INT(o.d.left_out.sections, 0);
    dwarf_left_out_add(&sum, &o.d.left_out);
    dwarf_left_out_add(&sum, &(struct dwarf_left_out){.unknown = 2, .type = 9});
    dwarf_left_out_text(&sum, &o.f);
    CHECK_STR(o.f.what,
              "3 compressed debug sections are left out: compression type 7 is not supported "
              "(objcopy --decompress-debug-sections)");
    done(&o);
}

TEST(unwind_tables_packed_by_zstd)
{
    struct dwarf_image d;
    struct debug_section s[] = {packed(".debug_frame", ZSTD, "frames")};
    struct buf b = debug_elf(s, 1, 0);
    int err = dwarf_image_read_frame(&d, (const uint8_t *)b.data, b.len, NULL, NULL);
    CHECK_INT(err, unzstd_available() ? 0 : -ENODATA);
    CHECK(err ||
          (d.section[DWARF_FRAME].len == 6 && memcmp(d.section[DWARF_FRAME].at, "frames", 6) == 0));
    dwarf_image_release(&d);
    buf_release(&b);
}
