#include "unit.h"

#include "core/text/last_line.h"

static const char *said(const char *first, const char *second)
{
    static struct last_line l;
    l = (struct last_line){.len = 0};
    last_line_add(&l, first, strlen(first));
    last_line_add(&l, second, strlen(second));
    return last_line_text(&l);
}

TEST(last_line_skips_blank_lines)
{
    CHECK_STR(said("", ""), "");
    CHECK_STR(said("one\ntwo\n", ""), "two");
    CHECK_STR(said("one\ntw", "o"), "two");
    CHECK_STR(said("ssh: no route\r\n", " \t \r\n"), "ssh: no route");
    CHECK_STR(said("  a\tb  \n", ""), "a b");
}

TEST(nothing_that_a_screen_would_obey)
{
    CHECK_STR(said("\x1b[2Jx\xc3\xa4\xff\xe2\x80\xae\n", ""), "?[2Jx\xc3\xa4??");
}

TEST(a_long_line_is_cut)
{
    char longer[3 * LAST_LINE_MAX + 1];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CHECK_INT(strlen(said(longer, longer)), LAST_LINE_MAX);
    CHECK_STR(said(longer, "\nend\n"), "end");
}
