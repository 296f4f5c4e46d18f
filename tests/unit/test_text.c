#include "unit.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/text/table.h"
#include "core/text/text_fold.h"

#include <errno.h>

TEST(buf_grows_and_terminates)
{
    struct buf b = BUF_INIT;
    CHECK_STR(buf_str(&b), "");
    for (int i = 0; i < 1000; i++)
        buf_printf(&b, "%d,", i);
    CHECK_INT(b.len, 3890);
    CHECK_INT(strlen(buf_str(&b)), 3890);
    CHECK_INT(buf_error(&b), 0);
    buf_release(&b);
}

/* Texts that end before, at and behind the end of what is reserved. */
TEST(buf_prints_at_the_end_of_what_is_reserved)
{
    for (int len = 0; len <= 200; len++) {
        struct buf b = BUF_INIT;
        buf_printf(&b, "%*s", len, "");
        buf_printf(&b, "%s%d", "123456", 7);
        CHECK_INT(b.len, len + 7);
        CHECK_STR(buf_str(&b) + len, "1234567");
        buf_printf(&b, "%s", "");
        CHECK_INT(b.len, len + 7);
        buf_release(&b);
    }
}

TEST(buf_adds_numbers)
{
    struct buf b = BUF_INIT;
    const uint64_t number[] = {0, 9, 10, 15, 16, 255, UINT32_MAX, UINT64_MAX};
    char text[64];
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        buf_clear(&b);
        buf_add_hex(&b, number[i]);
        buf_addc(&b, ' ');
        buf_add_decimal(&b, number[i]);
        snprintf(text, sizeof text, "%" PRIx64 " %" PRIu64, number[i], number[i]);
        CHECK_STR(buf_str(&b), text);
    }
    buf_release(&b);
}

TEST(buf_remembers_that_memory_ended)
{
    struct buf b = BUF_INIT;
    buf_adds(&b, "kept");
    CHECK(!buf_reserve(&b, SIZE_MAX - 2));
    buf_adds(&b, "lost");
    buf_printf(&b, "%s", "lost");
    CHECK_STR(buf_str(&b), "kept");
    CHECK(buf_error(&b) < 0);
    buf_release(&b);
}

TEST(json_nests_and_quotes)
{
    struct buf b = BUF_INIT;
    struct json j;
    json_start(&j, &b, "x");
    json_array(&j, "rows");
    json_object(&j, NULL);
    json_str(&j, "name", "a\"\\\n\xff\xc3\xa9");
    json_hex(&j, "pc", 0xfffffffffffULL);
    json_object_end(&j);
    json_object(&j, NULL);
    json_object_end(&j);
    json_array_end(&j);
    json_num(&j, "half", 0.5, 2);
    json_num(&j, "none", 0.0 / 0.0, 2);
    json_i64(&j, "less", -1);
    json_bool(&j, "yes", true);
    json_end(&j);
    CHECK_STR(
        buf_str(&b),
        "{\"psuite\":1,\"applet\":\"x\",\"rows\":[{\"name\":"
        "\"a\\\"\\\\\\u000a\xef\xbf\xbd\xc3\xa9\","
        "\"pc\":\"0xfffffffffff\"},{}],\"half\":0.50,\"none\":null,\"less\":-1,\"yes\":true}\n");
    buf_release(&b);
}

TEST(json_with_line_breaks)
{
    struct buf b = BUF_INIT;
    json_indent("[{\"a\":\"{[,:\\\"\",\"b\":[],\"c\":{}},[1,null]]", &b);
    CHECK_STR(buf_str(&b), "[\n  {\n    \"a\": \"{[,:\\\"\",\n    \"b\": [],\n    \"c\": {}\n  },\n"
                           "  [\n    1,\n    null\n  ]\n]");
    buf_release(&b);
}

TEST(json_members_are_written_by_their_types)
{
    struct buf b = BUF_INIT;
    struct json j = {.out = &b};
    char name[] = "n\"";
    json_record(&j, NULL, "name none u8 i64 u64 rounded share.2 nan.1", name, NULL, (uint8_t)200,
                INT64_MIN, UINT64_MAX, 2.5f, 0.125, 0.0 / 0.0);
    json_array(&j, NULL);
    json_record(&j, NULL, "at:x ended? us/3 ms/6", 0xffULL, 2 > 1, 1500, UINT64_C(7));
    json_record(&j, NULL, "[zero] [text] [empty] [null] [no?] [yes?] [at:x] [under_score]", 0, "t",
                "", NULL, false, true, 16, -1);
    json_record(&j, "key", "known unknown.1 no", text_value_u64(1), text_value_text(NULL),
                text_value_bool(false));
    json_array_end(&j);
    CHECK_STR(buf_str(&b),
              "{\"name\":\"n\\\"\",\"none\":null,\"u8\":200,\"i64\":-9223372036854775808,"
              "\"u64\":18446744073709551615,\"rounded\":2,\"share\":0.12,\"nan\":null},"
              "[{\"at\":\"0xff\",\"ended\":true,\"us\":1.5,\"ms\":0.000007},"
              "{\"text\":\"t\",\"yes\":true,\"at\":\"0x10\",\"under_score\":-1},"
              "\"key\":{\"known\":1,\"unknown\":null,\"no\":false}]");
    CHECK_INT(buf_error(&b), 0);
    buf_release(&b);
}

TEST(json_members_are_as_many_as_values)
{
    struct buf more = BUF_INIT, fewer = BUF_INIT, most = BUF_INIT;
    json_members(&(struct json){.out = &more}, "a", 1, 2);
    CHECK_INT(buf_error(&more), -EINVAL);
    json_members(&(struct json){.out = &fewer}, "a b", 1);
    CHECK_INT(buf_error(&fewer), -EINVAL);
    json_members(&(struct json){.out = &most}, "a b c d e f g h i j k l m n o p", 1, 2, 3, 4, 5, 6,
                 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    CHECK_INT(buf_error(&most), 0);
    CHECK_STR(buf_str(&most) + most.len - 13, "\"o\":15,\"p\":16");
    buf_release(&more);
    buf_release(&fewer);
    buf_release(&most);
}

TEST(table_has_decimals_by_column)
{
    struct table t;
    struct buf b = BUF_INIT;
    table_init(&t, "<name >ms.3 >% >n");
    table_cells(&t, "a\n", 0.5, 49.6, -3);
    table_cells(&t, "b");
    table_cells(&t, text_value_text(NULL), text_value_double(2), UINT64_MAX);
    CHECK_INT(table_print(&t, &b, 0), 0);
    CHECK_STR(buf_str(&b), "name     ms   %                     n\n"
                           "a?    0.500  50                    -3\n"
                           "b         -   2  18446744073709551615\n");
    buf_release(&b);
}

TEST(table_aligns_and_folds)
{
    struct buf b = BUF_INIT;
    struct table t;
    table_init(&t, "<name >run_ms <what");
    table_cell(&t, "é");
    table_cell(&t, "%d", 5);
    table_cell(&t, "one two three four five six seven");
    table_cell(&t, "longer");
    table_cell(&t, "%d", 12345678);
    table_cell(&t, "short");
    table_print(&t, &b, 42);
    CHECK_STR(buf_str(&b), "name      run ms  what\n"
                           "é              5  one two three four five\n"
                           "                  six seven\n"
                           "longer  12345678  short\n");
    buf_release(&b);
}

TEST(text_folds_at_blanks)
{
    struct buf b = BUF_INIT;
    text_fold(&b, "one two  three \xc3\xa9\xc3\xa9\xc3\xa9 incredible end", 9, 2);
    CHECK_STR(buf_str(&b), "one two\n  three \xc3\xa9\xc3\xa9\xc3\xa9\n  incredible\n  end");
    buf_clear(&b);
    text_fold(&b, "one two three", 0, 2);
    CHECK_STR(buf_str(&b), "one two three");
    buf_release(&b);
}
