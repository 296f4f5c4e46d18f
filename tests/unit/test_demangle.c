#include "unit.h"

#include "core/symbol/demangle.h"

#include <stdlib.h>

TEST(demangles_cpp_rust_and_clones)
{
    struct demangler d = {.off = false};
    if (!demangle_able())
        SKIP("names are not demangled in this build");
    CHECK_STR(demangled(&d, "_ZN3foo3barEi"), "foo::bar(int)");
    CHECK_STR(demangled(&d, "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"),
              "core::fmt::Formatter::pad");
    CHECK_STR(demangled(&d, "_RNvNtCs1234_7mycrate3foo3bar"), "mycrate::foo::bar");
    CHECK_STR(demangled(&d, "_Znwm@plt"), "operator new(unsigned long)@plt");
    CHECK_STR(demangled(&d, "_ZN3foo3barEi.constprop.0"), "foo::bar(int) [clone .constprop.0]");
    demangler_release(&d);
}

TEST(demangle_leaves_the_rest)
{
    struct demangler d = {.off = false};
    static const char *const plain[] = {"main", "_start", "_Z", "_ZN5shape",
                                        "",     "_R",     "@",  "__libc_main"};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        CHECK(demangled(&d, plain[i]) == plain[i]);
    CHECK(!demangled(&d, NULL));
    demangler_release(&d);
    struct demangler off = {.off = true};
    CHECK_STR(demangled(&off, "_ZN3foo3barEi"), "_ZN3foo3barEi");
}

/* Each argument is a pair of the one before: 2^60 words. */
TEST(demangle_gives_up_on_the_endless)
{
    struct buf name = BUF_INIT, out = BUF_INIT;
    buf_adds(&name, "_Z1f1AIiiE");
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (int i = 0; i < 34; i++)
        buf_printf(&name, "S_IS%c_S%c_E", digits[i], digits[i]);
    CHECK(!demangle_add(buf_str(&name), &out));
    CHECK_INT(out.len, 0);
    buf_clear(&name);
    for (int i = 0; i < 100000; i++)
        buf_adds(&name, i ? "P" : "_Z1fP");
    CHECK(!demangle_add(buf_str(&name), &out));
    buf_release(&name);
    buf_release(&out);
}

/* The library is left while it prints an identifier that it has decoded into memory: none leaks. */
TEST(demangle_gives_up_on_endless_punycode)
{
    static const char name[] = "_RINvCu7mycrate0fohhhhhhhihhhhhhhhhhhhhhhhhhhhhhhhhhhhihhhhhB_";
    struct buf out = BUF_INIT;
    CHECK(!demangle_add(name, &out));
    CHECK_INT(out.len, 0);
    buf_release(&out);
}

TEST(demangling_twice_gives_the_same_name)
{
    struct demangler d = {.off = false};
    static const char a[] = "_ZN3foo3barEi", b[] = "_ZN3foo3bazEi";
    if (!demangle_able())
        SKIP("names are not demangled in this build");
    for (int i = 0; i < 3; i++) {
        CHECK_STR(demangled(&d, a), "foo::bar(int)");
        CHECK_STR(demangled(&d, b), "foo::baz(int)");
    }
    demangler_release(&d);
}
