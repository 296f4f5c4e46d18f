#include "unit.h"

#include "core/base/buf.h"
#include "core/text/name_fit.h"

#include <stdlib.h>

static const char *fit(const char *name, size_t room)
{
    static struct buf b;
    buf_clear(&b);
    name_fit(&b, name, room);
    return buf_str(&b);
}

static const char find[] = "ns::map<std::string, std::vector<int>>::find(std::string const&) const";

TEST(a_name_that_fits_is_whole)
{
    CHECK_STR(fit(find, 0), find);
    CHECK_STR(fit(find, strlen(find)), find);
    CHECK_STR(fit("", 20), "");
}

TEST(arguments_go_first_then_what_is_innermost)
{
    CHECK_STR(fit(find, strlen(find) - 1),
              "ns::map<std::string, std::vector<int>>::find(..) const");
    CHECK_STR(fit(find, 53), "ns::map<std::string, std::vector<..>>::find(..) const");
    CHECK_STR(fit(find, 52), "ns::map<..>::find(..) const");
    CHECK_STR(fit(find, 26), "ns::map<..>:..nd(..) const");
    CHECK_STR(fit(find, 1), "ns::m..const");
}

TEST(name_fit_drops_parameter_lists_from_the_last)
{
    const char name[] = "run(int, long)::{lambda(char, bool)#1}::operator()(short, short) const";
    CHECK_STR(fit(name, 60), "run(int, long)::{lambda(char, bool)#1}::operator()(..) const");
    CHECK_STR(fit(name, 55), "run(int, long)::{lambda(..)#1}::operator()(..) const");
    CHECK_STR(fit(name, 50), "run(..)::{lambda(..)#1}::operator()(..) const");
}

TEST(operators_are_no_brackets)
{
    CHECK_STR(fit("ns::operator< <long_type>(other const&)", 32), "ns::operator< <long_type>(..)");
    CHECK_STR(fit("ns::operator<<(stream&, other const&)", 20), "ns::operator<<(..)");
    CHECK_STR(fit("ns::ptr<value>::operator->(int, int)", 30), "ns::ptr<value>::operator->(..)");
    CHECK_STR(fit("ns::ptr<value>::operator->(int, int)", 27), "ns::ptr<..>::operator->(..)");
    CHECK_STR(fit("ns::wide::operator()(int, int)", 24), "ns::wide::operator()(..)");
    CHECK_STR(fit("cooperator<integer>::call", 20), "cooperator<..>::call");
}

TEST(name_fit_keeps_the_functions_own_name)
{
    CHECK_STR(fit("(anonymous namespace)::work(int, int)", 32), "(anonymous namespace)::work(..)");
    CHECK_STR(fit("net.(*Connection).Read.func1.deep", 30), "net.(*Connecti..ead.func1.deep");
    CHECK_STR(fit("<alloc::vec::Vec<T> as Drop>::drop", 20), "<..>::drop");
}

static const char *fit_match(const char *name, const char *match, size_t room)
{
    static struct buf b;
    buf_clear(&b);
    name_fit_match(&b, name, match, room);
    return buf_str(&b);
}

TEST(a_match_that_is_shown_changes_nothing)
{
    CHECK_STR(fit_match(find, "", 26), fit(find, 26));
    CHECK_STR(fit_match(find, "absent", 26), fit(find, 26));
    CHECK_STR(fit_match(find, "CONST", 26), fit(find, 26));
    CHECK_STR(fit_match(find, "vector", 0), find);
}

TEST(a_match_that_shortening_hides_is_shown)
{
    CHECK_STR(fit_match(find, "vector", 26), "..g, std::vector<int>>::..");
    CHECK_STR(fit_match(find, "STD::STRING,", 26), "..:map<std::string, std:..");
    CHECK_STR(fit_match("walk_tree(a, b, c, d, page_fault)", "fault", 20), ".. c, d, page_fault)");
    CHECK_STR(fit_match("handle_fault_of_any_kind(int, int)", "handle_fault_of_any", 12),
              "handle_fau..");
}

TEST(a_shortened_match_takes_no_more_columns_than_allowed)
{
    const char name[] = "\xc3\xa4\xe6\xbc\xa2<\xe6\xbc\xa2\xe5\xad\x97, "
                        "\xe6\xbc\xa2\xe5\xad\x97match\xe6\xbc\xa2>::find(int, long, char)";
    for (size_t width = NAME_FIT_MIN; width < 60; width++) {
        const char *shown = fit_match(name, "match", width);
        CHECK(strstr(shown, "match"));
        CHECK(text_columns(shown, strlen(shown)) <= width);
    }
}

TEST(brackets_that_do_not_pair_are_text)
{
    CHECK_STR(fit("less<(a < b), long_name>::go", 20), "less<..>::go");
    CHECK_STR(fit("((((((((((((((((((((((", 12), "(((((..(((((");
    CHECK_STR(fit(">>>>>>>>>>))))))))))))", 12), ">>>>>..)))))");
    CHECK_STR(fit("a<b(c>d)eeeeeeeeeeeee", 12), "a<b(...eeeee");
}

TEST(columns_are_counted_not_bytes)
{
    CHECK_INT(text_columns("a\xc3\xa9\xe6\xbc\xa2", 6), 4);
    CHECK_STR(fit("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
                  "\xc3\xa9\xc3\xa9",
                  12),
              "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
              "\xc3\xa9\xc3\xa9");
    CHECK_STR(
        fit("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2",
            12),
        "\xe6\xbc\xa2\xe6\xbc\xa2..\xe6\xbc\xa2\xe6\xbc\xa2");
}

/* Names of random brackets, in every room: never wider, never longer than whole. */
TEST(any_name_fits_any_room)
{
    static const char letters[] = "a<>()b-,* :";
    char name[600];
    srand(1);
    for (int round = 0; round < 2000; round++) {
        size_t len = (size_t)rand() % (sizeof name - 1);
        for (size_t i = 0; i < len; i++)
            name[i] = letters[(size_t)rand() % (sizeof letters - 1)];
        name[len] = '\0';
        size_t room = NAME_FIT_MIN + (size_t)rand() % 100;
        const char *shown = fit(name, room);
        CHECK(text_columns(shown, strlen(shown)) <= room);
        if (len <= room)
            CHECK_STR(shown, name);
    }
}
