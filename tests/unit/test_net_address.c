#include "unit.h"

#include "core/net/address.h"

#include <errno.h>
#include <stdlib.h>

/* What a text is read as, or the reason why not. */
static const char *read_as(const char *text)
{
    static char out[512];
    struct net_address a;
    struct fail f;
    if (net_address_read(text, 80, &a, &f) < 0)
        snprintf(out, sizeof out, "%s", f.what);
    else
        net_address_text(&a, out);
    return out;
}

TEST(net_address_accepts_every_form)
{
    CHECK_STR(read_as(":8080"), "127.0.0.1:8080");
    CHECK_STR(read_as("0.0.0.0:1"), "0.0.0.0:1");
    CHECK_STR(read_as("localhost:65535"), "localhost:65535");
    CHECK_STR(read_as("[::1]:0"), "[::1]:0");
    CHECK_STR(read_as("[fe80::1%eth0]:564"), "[fe80::1%eth0]:564");
    CHECK_STR(read_as("tcp!board!564"), "board:564");
    CHECK_STR(read_as("tcp!board"), "board:80");
    CHECK_STR(read_as("tcp!board!9fs"), "board:564");
    CHECK_STR(read_as("tcp!::1!564"), "[::1]:564");
    CHECK_STR(read_as("tcp!*!564"), "*:564");
    CHECK_STR(read_as("tcp!!564"), "127.0.0.1:564");
    CHECK_STR(read_as("unix!/run/a b!c"), "unix!/run/a b!c");
}

TEST(net_address_refuses_invalid_text)
{
    CHECK_STR(read_as("8080"), "8080: no port");
    CHECK_STR(read_as(""), ": no port");
    CHECK_STR(read_as("host:"), "host:: not a port: ports are numbers up to 65535");
    CHECK_STR(read_as("host:65536"), "host:65536: not a port: ports are numbers up to 65535");
    CHECK_STR(read_as("host:99999999999999999999"),
              "host:99999999999999999999: not a port: ports are numbers up to 65535");
    CHECK_STR(read_as("host:-1"), "host:-1: not a port: ports are numbers up to 65535");
    CHECK_STR(read_as("::1:80"), "::1:80: not a host");
    CHECK_STR(read_as("[::1:80"), "[::1:80: not a host");
    CHECK_STR(read_as("[host]:80"), "[host]:80: not a host");
    CHECK_STR(read_as("a/b:80"), "a/b:80: not a host");
    CHECK_STR(read_as("http://a:80"), "http://a:80: not a host");
    CHECK_STR(read_as("tcp!a b!80"), "tcp!a b!80: not a host");
    CHECK_STR(read_as("unix!"), "unix!: no path");
}

TEST(net_address_limits_paths_and_host_names)
{
    char text[600] = "unix!";
    memset(text + 5, 'p', NET_PATH_MAX);
    CHECK_STR(read_as(text), text);
    text[5 + NET_PATH_MAX] = 'p';
    CHECK(strstr(read_as(text), "at most 107 bytes"));
    memset(text, 'h', 256);
    memcpy(text + 256, ":1", 3);
    CHECK(strstr(read_as(text), "not a host"));
    CHECK_STR(read_as(text + 1), text + 1);
}

static bool is_local(const char *text)
{
    struct net_address a;
    CHECK_INT(net_address_read(text, 80, &a, NULL), 0);
    return net_address_is_local(&a);
}

TEST(net_address_knows_loopback)
{
    CHECK(is_local(":1") && is_local("127.1.2.3:1") && is_local("[::1]:1") &&
          is_local("localhost:1") && is_local("unix!a"));
    CHECK(!is_local("0.0.0.0:1") && !is_local("10.0.0.1:1") && !is_local("[::]:1") &&
          !is_local("tcp!*!1"));
    CHECK(!is_local("127.evil.example:1") && !is_local("127.0.0.1.nip.io:1"));
}

TEST(net_is_ipv6_takes_every_written_form)
{
    const char *good[] = {"::",           "::1",
                          "1::",          "1:2:3:4:5:6:7:8",
                          "1:2::7:8",     "::ffff:1.2.3.4",
                          "fe80::1%eth0", "1:2:3:4:5:6:1.2.3.4",
                          "1:2:3:4::8"};
    const char *bad[] = {"",       ":",       ":1",      "1:",      ":::",
                         "1:::2",  "1::2::3", "12345::", "g::",     "1:2:3:4:5:6:7:8:9",
                         "1:2:3",  "::1%",    "::1.2.3", "1.2.3.4", "1:2:3:4:5:6:7::8",
                         "::1%a/b"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!net_is_ipv6(good[i], strlen(good[i])))
            CHECK_STR(good[i], "an address");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (net_is_ipv6(bad[i], strlen(bad[i])))
            CHECK_STR(bad[i], "no address");
}

TEST(net_is_ipv4_takes_four_numbers_up_to_255)
{
    CHECK(net_is_ipv4("1.2.3.4", 7) && net_is_ipv4("255.255.255.255", 15));
    CHECK(!net_is_ipv4("1.2.3", 5) && !net_is_ipv4("1.2.3.256", 9) && !net_is_ipv4("1.2.3.4.", 8) &&
          !net_is_ipv4("1..3.4", 6) && !net_is_ipv4("1.2.3.4444", 10) && !net_is_ipv4("", 0));
}

static const char *hosts_find(const char *hosts, const char *name)
{
    static char out[NET_HOST_MAX + 1];
    return net_hosts_find(hosts, strlen(hosts), name, out) ? out : "none";
}

TEST(hosts_file_lookup)
{
    const char *hosts = "# 10.0.0.9 board\n127.0.1.1\tme me.lan # board\nnot an address\n"
                        "10.0.0.7 board Board2\r\nfe80::7 six";
    CHECK_STR(hosts_find(hosts, "board"), "10.0.0.7");
    CHECK_STR(hosts_find(hosts, "BOARD2"), "10.0.0.7");
    CHECK_STR(hosts_find(hosts, "me.lan"), "127.0.1.1");
    CHECK_STR(hosts_find(hosts, "six"), "fe80::7");
    CHECK_STR(hosts_find(hosts, "boar"), "none");
    CHECK_STR(hosts_find(hosts, "an"), "none");
    CHECK_STR(hosts_find(hosts, "localhost"), "127.0.0.1");
    CHECK_STR(hosts_find("::1 localhost", "localhost"), "::1");
}
