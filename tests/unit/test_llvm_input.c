#include "unit.h"

#include "core/symbol/llvm_input.h"

#include <stdio.h>
#include <string.h>

/* The number in decimal, or "no". */
static const char *number(const char *text)
{
    static char shown[32];
    uint64_t n;
    snprintf(shown, sizeof shown, "no");
    if (llvm_number(text, strlen(text), &n))
        snprintf(shown, sizeof shown, "%" PRIu64, n);
    return shown;
}

TEST(llvm_numbers_have_their_base_in_front)
{
    CHECK_STR(number("0"), "0");
    CHECK_STR(number("4096"), "4096");
    CHECK_STR(number("0x1F"), "31");
    CHECK_STR(number("0Xff"), "255");
    CHECK_STR(number("0b101"), "5");
    CHECK_STR(number("010"), "8");
    CHECK_STR(number("0o17"), "15");
    CHECK_STR(number("18446744073709551615"), "18446744073709551615");
}

TEST(llvm_numbers_that_are_none)
{
    const char *none[] = {"",
                          "x",
                          "0x",
                          "08",
                          "0b2",
                          "0O7",
                          "-1",
                          "+1",
                          "1h",
                          "ff",
                          "0x1 ",
                          "18446744073709551616",
                          " 1",
                          "0xg",
                          "0b",
                          "0o8",
                          "0x10000000000000000"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK_STR(number(none[i]), "no");
}

/* FILE|ADDRESS, or no|FILE. */
static const char *request(const char *line, bool names)
{
    static char shown[64];
    struct llvm_request r;
    if (llvm_request(line, names, &r))
        snprintf(shown, sizeof shown, "%.*s|%" PRIx64, (int)r.file_len, r.file, r.address);
    else
        snprintf(shown, sizeof shown, "no|%.*s", (int)r.file_len, r.file);
    return shown;
}

TEST(llvm_requests_with_files)
{
    CHECK_STR(request("/bin/prog 0x10", true), "/bin/prog|10");
    CHECK_STR(request("  prog   16 more", true), "prog|10");
    CHECK_STR(request("CODE prog 1", true), "prog|1");
    CHECK_STR(request("'a b' 0x10", true), "a b|10");
    CHECK_STR(request("\"a b\"0x10\r", true), "a b|10");
    CHECK_STR(request("prog", true), "no|prog");
    CHECK_STR(request("prog\t1", true), "no|prog\t1");
    CHECK_STR(request("'prog 1", true), "no|");
    CHECK_STR(request("", true), "no|");
}

TEST(llvm_requests_without_files)
{
    CHECK_STR(request("0x10", false), "|10");
    CHECK_STR(request("CODE 0x10 more", false), "|10");
    CHECK_STR(request("\t0x10", false), "no|");
    CHECK_STR(request("CODE", false), "no|");
}
