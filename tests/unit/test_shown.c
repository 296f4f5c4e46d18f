#include "unit.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/text/rune.h"
#include "core/text/shown.h"

#include <stdbool.h>

/* The list of the header, written a second time. */
static bool acts_on_a_terminal(uint32_t r)
{
    bool control = r < 0x20 || (r >= 0x7f && r <= 0x9f);
    bool direction = r == 0x61c || r == 0x200e || r == 0x200f || (r >= 0x202a && r <= 0x202e) ||
                     (r >= 0x2066 && r <= 0x2069);
    return control || direction || r == 0x2028 || r == 0x2029;
}

static const char *added(const char *text, size_t len)
{
    static struct buf out = BUF_INIT;
    buf_clear(&out);
    buf_addc(&out, '<');
    shown_add(&out, text, len);
    buf_addc(&out, '>');
    return buf_str(&out);
}

TEST(every_character_is_itself_or_a_question_mark)
{
    size_t wrong = 0;
    for (uint32_t r = 1; r <= RUNE_LAST && wrong < 5; r++) {
        char text[RUNE_BYTES + 1] = "", want[RUNE_BYTES + 3];
        if (r >= 0xd800 && r < 0xe000)
            continue;
        size_t n = rune_encode(r, text);
        snprintf(want, sizeof want, "<%s>", acts_on_a_terminal(r) ? "?" : text);
        if (strcmp(added(text, n), want) != 0) {
            printf("    U+%04" PRIX32 "\n", r);
            CHECK_STR(added(text, n), want);
            wrong++;
        }
    }
    CHECK_STR(added("\0", 1), "<"
                              "?>");
}

TEST(every_byte_that_is_no_utf8_is_a_question_mark)
{
    for (int b = 0x80; b < 0x100; b++) {
        char text[] = {'a', (char)b, 'b'}, cut[] = {'a', (char)b};
        CHECK_STR(added(text, sizeof text), "<a?"
                                            "b>");
        CHECK_STR(added(cut, sizeof cut), "<a"
                                          "?>");
    }
    CHECK_STR(added("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", 9), "<?????????"
                                                                ">");
    CHECK_STR(added("\xe2\x82", 2), "<?"
                                    "?"
                                    ">");
    CHECK_STR(added("\xef\xbf\xbd", 3), "<\xef\xbf\xbd>");
}

TEST(a_line_keeps_its_own_newlines_only)
{
    struct buf out = BUF_INIT;
    shown_printf(&out, "\n%s: %d\n", "a\nb\t\x1b[2J\n", 7);
    CHECK_STR(buf_str(&out), "\na?b??[2J?: 7\n");
    shown_printf(&out, "%s", "\n");
    shown_printf(&out, "\n");
    CHECK_STR(buf_str(&out), "\na?b??[2J?: 7\n?\n");
    buf_release(&out);
}

TEST(lines_keep_newlines_and_tabs)
{
    struct buf out = BUF_INIT;
    buf_adds(&out, "\x1b");
    buf_adds(&out, "a\tb\n\x1b\xc2\x9bz\r\n\xe2\x80\xae\xff");
    shown_lines(&out, 1);
    CHECK_STR(buf_str(&out), "\x1b"
                             "a\tb\n??z?\n??");
    CHECK_INT(out.len, strlen(buf_str(&out)));
    buf_release(&out);
}

TEST(a_further_line_of_a_message_is_indented)
{
    struct buf out = BUF_INIT;
    buf_adds(&out, "file\ntprof: hint: rm\n    /debug\t\n");
    shown_message(&out);
    CHECK_STR(buf_str(&out), "file?tprof: hint: rm\n    /debug??");
    buf_release(&out);
}

TEST(json_says_the_same_and_shows_nothing)
{
    struct buf out = BUF_INIT;
    struct json j = {.out = &out};
    json_str(&j, NULL, "\x1b\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xd8\x9c\xff\xc3\xa4");
    CHECK_STR(buf_str(&out), "\"\\u001b\\u007f\\u009b\\u202e\\u2028\\u061c\xef\xbf\xbd\xc3\xa4\"");
    shown_lines(&out, 0);
    CHECK_STR(buf_str(&out), "\"\\u001b\\u007f\\u009b\\u202e\\u2028\\u061c\xef\xbf\xbd\xc3\xa4\"");
    buf_release(&out);
}

TEST(a_character_is_the_same_at_every_place_in_a_word)
{
    for (int b = 1; b < 0x100; b++)
        for (size_t at = 0; at < 24; at++) {
            char text[] = "printable ASCII, all of it", want[sizeof text + 2];
            text[at] = (char)b;
            snprintf(want, sizeof want, "<%s>", text);
            if (b < 0x20 || b >= 0x7f)
                want[at + 1] = '?';
            CHECK_STR(added(text, strlen(text)), want);
        }
}
