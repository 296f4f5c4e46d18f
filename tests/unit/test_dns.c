#include "unit.h"

#include "core/net/dns.h"

#include <errno.h>
#include <string.h>

TEST(dns_conf_reads_at_most_three_servers)
{
    static const char text[] = "# made by hand\nnameserver 192.168.0.1\n nameserver\t::1 \n"
                               "options edns0\nsearch lan other\nnameserver nine\n"
                               "nameserver 10.0.0.1\nnameserver 10.0.0.2";
    struct dns_conf c;
    char name[NET_HOST_MAX + 1];
    dns_conf_read(text, sizeof text - 1, &c);
    CHECK_INT(c.servers, 3);
    CHECK_STR(c.server[0], "192.168.0.1");
    CHECK_STR(c.server[1], "::1");
    CHECK_STR(c.server[2], "10.0.0.1");
    CHECK_STR(c.search, "lan");
    dns_qualified_name(&c, "board", name);
    CHECK_STR(name, "board.lan");
    dns_qualified_name(&c, "board.example.", name);
    CHECK_STR(name, "board.example");
    CHECK(dns_is_local("Board.LOCAL") && !dns_is_local("board.localx") && !dns_is_local(".local"));
    dns_conf_read("", 0, &c);
    CHECK_INT(c.servers, 0);
    dns_qualified_name(&c, "board", name);
    CHECK_STR(name, "board");
}

/* By RFC 1035, 4.1: id, recursion wanted, one question. */
static const uint8_t question[] = "\x12\x34\x01\0\0\1\0\0\0\0\0\0\5board\3lan\0\0\1\0\1";

TEST(dns_ask_is_as_the_rfc_has_it)
{
    uint8_t out[DNS_QUERY_MAX];
    char name[NET_HOST_MAX + 2];
    CHECK_INT(dns_query(0x1234, "board.lan", DNS_A, out), sizeof question - 1);
    CHECK(memcmp(out, question, sizeof question - 1) == 0);
    CHECK_INT(dns_query(1, "", DNS_A, out), 0);
    CHECK_INT(dns_query(1, "a..b", DNS_A, out), 0);
    memset(name, 'a', 64);
    name[64] = '\0';
    CHECK_INT(dns_query(1, name, DNS_A, out), 0);
    CHECK_INT(dns_query(1, name + 1, DNS_A, out), 12 + 64 + 1 + 4);
    for (size_t i = 0; i < NET_HOST_MAX; i++)
        name[i] = i % 2 ? '.' : 'a';
    name[NET_HOST_MAX] = '\0';
    CHECK_INT(dns_query(1, name, DNS_A, out), DNS_QUERY_MAX);
}

/* The question with these flags and answers behind it. */
static int answered(const char *flags, unsigned count, const char *records, size_t len,
                    uint8_t address[16])
{
    uint8_t b[512];
    size_t asked = sizeof question - 1;
    memcpy(b, question, asked);
    memcpy(b + 2, flags, 2);
    b[7] = (uint8_t)count;
    memcpy(b + asked, records, len);
    return dns_answer(b, asked + len, 0x1234, "Board.lan", DNS_A, address);
}

TEST(dns_answers_with_and_without_an_alias)
{
    static const char record[] = "\xc0\x0c\0\1\0\1\0\0\0\x0a\0\4\x0a\1\2\3";
    static const char alias[] = "\xc0\x0c\0\5\0\1\0\0\0\x0a\0\6\3two\xc0\x12"
                                "\3two\xc0\x12\0\1\0\1\0\0\0\x0a\0\4\x0a\1\2\4";
    uint8_t a[16];
    CHECK_INT(answered("\x81\x80", 1, record, sizeof record - 1, a), 4);
    CHECK(memcmp(a, "\x0a\1\2\3", 4) == 0);
    CHECK_INT(answered("\x81\x80", 2, alias, sizeof alias - 1, a), 4);
    CHECK(memcmp(a, "\x0a\1\2\4", 4) == 0);
    CHECK_INT(answered("\x81\x80", 0, "", 0, a), 0);
    CHECK_INT(answered("\x81\x83", 0, "", 0, a), -ENOENT);
    CHECK_INT(answered("\x81\x82", 0, "", 0, a), -EAGAIN);
    CHECK_INT(answered("\x01\x80", 1, record, sizeof record - 1, a), -EPROTO); /* a question */
    for (size_t len = 0; len < sizeof record - 1; len++)
        CHECK_INT(answered("\x81\x80", 1, record, len, a), -EPROTO);
    CHECK_INT(answered("\x81\x80", 2, record, sizeof record - 1, a), 4);
    CHECK_INT(answered("\x83\x80", 2, record, sizeof record - 1, a), 4); /* cut behind it */
    CHECK_INT(answered("\x83\x80", 0, "", 0, a), -EAGAIN);
    CHECK_INT(answered("\x83\x80", 1, record, sizeof record - 3, a), -EAGAIN);
    CHECK_INT(dns_answer(question, sizeof question - 1, 0x1235, "board.lan", DNS_A, a), -EPROTO);
    CHECK_INT(dns_answer(question, sizeof question - 1, 0x1234, "other.lan", DNS_A, a), -EPROTO);
}
