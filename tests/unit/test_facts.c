#include "unit.h"

#include "core/doctor/facts.h"

#include <errno.h>

static struct facts sample(void)
{
    struct facts fs = FACTS_INIT;
    facts_add(&fs, "number", "-2\n", 3);
    facts_add(&fs, "list", "nodev\tproc\n\text4\nnodev fuse\n", 28);
    facts_add(&fs, "status", "Name:\tx\nCapEff:\t00ff  \nCapBnd:\t1", 32);
    facts_fail(&fs, "denied", -EACCES);
    facts_addf(&fs, "half", "%.1f", 0.5);
    return fs;
}

TEST(facts_tell_text_error_and_absence)
{
    struct facts fs = sample();
    CHECK_STR(facts_text(&fs, "number"), "-2");
    CHECK_INT(facts_err(&fs, "number"), 0);
    CHECK_INT(facts_err(&fs, "denied"), -EACCES);
    CHECK(!facts_text(&fs, "denied"));
    CHECK_INT(facts_err(&fs, "never"), -ENODATA);
    CHECK_INT(facts_error(&fs), 0);
    facts_release(&fs);
    CHECK(!facts_find(&fs, "number"));
}

TEST(facts_read_numbers)
{
    struct facts fs = sample();
    int64_t v = 7;
    CHECK(facts_i64(&fs, "number", &v));
    CHECK_INT(v, -2);
    v = 7;
    CHECK(!facts_i64(&fs, "list", &v));
    CHECK(!facts_i64(&fs, "half", &v));
    CHECK(!facts_i64(&fs, "denied", &v));
    facts_add(&fs, "empty", "", 0);
    facts_addf(&fs, "huge", "99999999999999999999");
    CHECK(!facts_i64(&fs, "empty", &v));
    CHECK(!facts_i64(&fs, "huge", &v));
    CHECK_INT(v, 7);
    CHECK(facts_double(&fs, "half", 9) == 0.5);
    CHECK(facts_double(&fs, "denied", 9) == 9);
    CHECK(facts_double(&fs, "list", 9) == 9);
    facts_release(&fs);
}

TEST(facts_find_whole_words_and_lines)
{
    struct facts fs = sample();
    CHECK(facts_word(&fs, "list", "fuse"));
    CHECK(facts_word(&fs, "list", "ext4"));
    CHECK(!facts_word(&fs, "list", "ext"));
    CHECK(!facts_word(&fs, "list", "use"));
    CHECK(!facts_word(&fs, "denied", "fuse"));
    char line[8];
    CHECK(facts_line(&fs, "status", "CapEff:", line, sizeof line));
    CHECK_STR(line, "00ff");
    CHECK(facts_line(&fs, "status", "CapBnd:", line, 1));
    CHECK_STR(line, "");
    CHECK(!facts_line(&fs, "status", "Eff:", line, sizeof line));
    facts_release(&fs);
}

TEST(facts_keep_bytes_with_zeros)
{
    struct facts fs = FACTS_INIT;
    facts_add(&fs, "raw", "a\0b", 3);
    CHECK_INT(facts_find(&fs, "raw")->len, 3);
    facts_release(&fs);
}
