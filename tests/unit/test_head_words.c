#include "unit.h"

#include "core/base/head_words.h"

TEST(a_file_cut_off_in_its_magic_is_named_so)
{
    static const char magic[] = "psmagic\1";
    size_t n = sizeof magic - 1;
    CHECK_STR(head_words(NULL, 0, magic, n), "empty");
    for (size_t len = 1; len < n; len++)
        CHECK_STR(head_words(magic, len, magic, n), "cut off in its header");
    CHECK(!head_words(magic, n, magic, n));
    CHECK(!head_words("psx", 3, magic, n));
    CHECK(!head_words("another file", 12, magic, n));
}
