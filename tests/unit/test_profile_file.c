/* Damaged profile files; whole ones are goldens of the applet. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/report/profile_file.h"

static struct symtab *two_functions(void)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    symtab_add(
        b, &(struct symbol_found){.addr = 0x1000, .name = "first", .function = true, .binding = 2});
    symtab_add(
        b, &(struct symbol_found){
               .addr = 0x1014, .name = "second", .function = true, .binding = 2, .limit = 0x1100});
    struct symtab *t = symtab_build(b);
    symtab_builder_free(b);
    return t;
}

static int report(const uint32_t *counter, size_t n, struct buf *out, struct fail *f)
{
    uint8_t bytes[256];
    struct symtab *t = two_functions();
    for (size_t i = 0; i < n; i++)
        put_be32(bytes + 4 * i, counter[i]);
    int r = profile_file_report(bytes, 4 * n, t, out, f);
    symtab_free(t);
    return r;
}

TEST(a_bucket_belongs_to_the_function_it_starts_in)
{
    struct buf out = BUF_INIT;
    /* 0x1000 0x1008 0x1010 are first's, 0x1018 second's */
    const uint32_t c[] = {11, 1, 1, 2, 3, 4};
    CHECK_INT(report(c, 6, &out, NULL), 0);
    CHECK_STR(buf_str(&out), "total: 11\nTEXT 00001000\n    ms      %   sym\n     6\t "
                             "60.0\tfirst\n     4\t 40.0\tsecond\n");
    buf_release(&out);
}

TEST(short_empty_and_senseless_files)
{
    struct buf out = BUF_INIT;
    struct fail f;
    const uint32_t none[] = {5, 5}, nothing[] = {0, 0}, more_outside[] = {5, 9, 1};
    CHECK(report(none, 1, &out, &f) < 0);
    CHECK_STR(f.what, "data file too short");
    CHECK(report(none, 2, &out, &f) < 0);
    CHECK_STR(f.what, "no counts");
    buf_clear(&out);
    CHECK_INT(report(nothing, 2, &out, &f), 0);
    CHECK_STR(buf_str(&out), "total: 0\n");
    report(more_outside, 3, &out, &f);
    buf_release(&out);
}
