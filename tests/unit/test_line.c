#include "unit.h"

#include "core/base/line.h"

/* Each line in brackets, `+' behind one without a newline. */
static const char *all(const char *text, size_t len)
{
    static char out[100];
    struct lines rest = lines_of(text, len);
    struct line l;
    size_t n = 0;
    out[0] = '\0';
    while (line_next(&rest, &l) && n < sizeof out - 20)
        n += (size_t)snprintf(out + n, sizeof out - n, "[%.*s]%s", (int)line_len(l), l.at,
                              rest.at == l.end ? "+" : "");
    return out;
}

TEST(line_next_takes_empty_lines_and_a_last_one_without_newline)
{
    CHECK_STR(all("", 0), "");
    CHECK_STR(all(NULL, 0), "");
    CHECK_STR(all("\n", 1), "[]");
    CHECK_STR(all("a\n\nbc\n", 6), "[a][][bc]");
    CHECK_STR(all("a\nbc", 4), "[a][bc]+");
}

TEST(line_next_ends_where_the_text_ends)
{
    CHECK_STR(all("ab\ncd\n", 4), "[ab][c]+");
    CHECK_STR(all("ab\ncd\n", 2), "[ab]+");
}

TEST(line_cut_makes_strings)
{
    char text[] = "one\n\nlast", *at = text, *stop = text + strlen(text), *end;
    CHECK_STR(line_cut(&at, stop, &end), "one");
    CHECK_STR(line_cut(&at, stop, &end), "");
    CHECK_STR(line_cut(&at, stop, &end), "last");
    CHECK(end == stop);
    CHECK(!line_cut(&at, stop, &end));
}
