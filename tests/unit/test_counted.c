#include "unit.h"

#include "core/text/counted.h"

#include <string.h>

TEST(one_thing_has_no_ending)
{
    CHECK_STR(counted(1, "sample").text, "1 sample");
    CHECK_STR(counted(1, "switch").text, "1 switch");
    CHECK_STR(counted_are(1), "is");
}

TEST(none_and_several_have_the_ending_of_their_word)
{
    CHECK_STR(counted(0, "sample").text, "0 samples");
    CHECK_STR(counted(2, "switch").text, "2 switches");
    CHECK_STR(counted(3, "process").text, "3 processes");
    CHECK_STR(counted(4, "dead task").text, "4 dead tasks");
    CHECK_STR(counted(UINT64_MAX, "attach").text, "18446744073709551615 attaches");
    CHECK_STR(counted_are(2), "are");
}

TEST(a_long_noun_is_cut)
{
    char noun[200];
    memset(noun, 'a', sizeof noun - 1);
    noun[sizeof noun - 1] = '\0';
    CHECK_INT(strlen(counted(7, noun).text), sizeof(struct counted) - 1);
}
