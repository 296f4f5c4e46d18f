#include "unit.h"

#include "core/base/buf.h"
#include "core/elf/debug_package.h"

static bool owned(const char *list, const char *path)
{
    return debug_package_owns(list, strlen(list), path);
}

TEST(a_file_of_a_package)
{
    const char list[] = "/.\n/lib\n/lib/libx.so.1.2\n/usr/bin/xy\n/usr/bin/last";
    CHECK(owned(list, "/usr/bin/xy"));
    CHECK(owned(list, "/usr/bin/last"));
    CHECK(owned(list, "/lib/libx.so.1.2"));
    CHECK(owned(list, "/usr/lib/libx.so.1.2"));
    CHECK(!owned(list, "/usr/bin/x"));
    CHECK(!owned(list, "/usr/bin/xyz"));
    CHECK(!owned(list, "/bin/xy"));
    CHECK(!owned("", "/usr/bin/x"));
}

static const char *package(const char *list_name)
{
    static char text[128];
    struct buf out = BUF_INIT;
    bool found = debug_package_name(list_name, &out);
    snprintf(text, sizeof text, "%s", found ? buf_str(&out) : out.len ? "not empty" : "none");
    buf_release(&out);
    return text;
}

TEST(the_debug_package_of_a_package)
{
    CHECK_STR(package("xz-utils.list"), "xz-utils-dbgsym");
    CHECK_STR(package("liblzma5:amd64.list"), "liblzma5-dbgsym:amd64");
    CHECK_STR(package("libc6:i386.list"), "libc6-dbg:i386");
    CHECK_STR(package("libc6.list"), "libc6-dbg");
    CHECK_STR(package("libc6-dev:amd64.list"), "libc6-dev-dbgsym:amd64");
    CHECK_STR(package("xz-utils.md5sums"), "none");
    CHECK_STR(package(".list"), "none");
}

static const char *line_of(const char *os_release)
{
    static struct debug_source source;
    return debug_package_source(os_release, strlen(os_release), &source) ? source.words : "none";
}

TEST(the_source_of_a_release)
{
    CHECK_STR(line_of("VERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\nID=debian\n"),
              "suite bookworm-debug of the archive debian-debug");
    CHECK_STR(line_of("ID=\"ubuntu\"\nVERSION_CODENAME='noble'"),
              "suite noble of the archive ddebs");
    CHECK_STR(line_of("ID=debian\nPRETTY_NAME=sid\n"), "none");
    CHECK_STR(line_of("ID=debian\nVERSION_CODENAME=\n"), "none");
    CHECK_STR(line_of("ID=debian\nVERSION_CODENAME=a;reboot\n"),
              "suite a-debug of the archive debian-debug");
    CHECK_STR(line_of("ID=fedora\nVERSION_CODENAME=x\n"), "none");
    CHECK_STR(line_of("ID=debian\nVERSION_CODENAME=123456789012345678901234567890123456789012\n"),
              "none");
    CHECK_STR(line_of(""), "none");
}

TEST(a_source_that_apt_has)
{
    static const char os[] = "ID=debian\nVERSION_CODENAME=bookworm\n";
    static const char line[] = "deb http://mirror/debian-debug bookworm-debug main\n";
    static const char fields[] = "Types: deb\nURIs: http://m/\nSuites: bookworm bookworm-debug\n";
    static const char comment[] = "deb http://m/ bookworm main\n  # bookworm-debug\n\n";
    struct debug_source source;
    CHECK(debug_package_source(os, sizeof os - 1, &source));
    CHECK(debug_package_listed(line, sizeof line - 1, &source));
    CHECK(debug_package_listed(fields, sizeof fields - 1, &source));
    CHECK(!debug_package_listed(comment, sizeof comment - 1, &source));
    CHECK(!debug_package_listed("", 0, &source));
}
