#include "unit.h"

#include "datagram_script.h"
#include "engine/ns/host_lookup.h"

#include <errno.h>
#include <string.h>

static const struct dns_conf two = {
    .server = {"10.0.0.1", "10.0.0.2"}, .servers = 2, .search = "lan"};
static const char ipv4[] = "\xc0\x0c\0\1\0\1\0\0\0\x0a\0\4\x0a\1\2\3";
static const char ipv6[] = "\xc0\x0c\0\x1c\0\1\0\0\0\x0a\0\x10\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1";

/* An answer to a question for board.lan or another name of its length. */
struct answer {
    uint16_t id, flags;
    uint8_t type;
    unsigned records;
    const char *record;
    size_t len;
};

static void say(const struct answer *a)
{
    uint8_t b[128] = {
        (uint8_t)(a->id >> 8), (uint8_t)a->id, (uint8_t)(a->flags >> 8), (uint8_t)a->flags, 0, 1};
    static const char question[] = "\5board\3lan\0\0\1\0\1";
    b[7] = (uint8_t)a->records;
    memcpy(b + 12, question, sizeof question - 1);
    b[12 + sizeof question - 1 - 3] = a->type;
    size_t len = 12 + sizeof question - 1;
    if (a->record)
        memcpy(b + len, a->record, a->len);
    datagram_script_reply(b, len + a->len);
}

static void say_found(uint16_t id)
{
    say(&(struct answer){id, 0x8180, DNS_A, 1, ipv4, sizeof ipv4 - 1});
}

static void say_flags(uint16_t flags)
{
    say(&(struct answer){.id = 0x1234, .flags = flags, .type = DNS_A});
}

static void start(struct host_lookup *l, const char *host)
{
    datagram_script_reset();
    CHECK_INT(host_lookup_start(l, &two, host), 0);
    CHECK_INT(datagram_script_requests(), 1);
}

static void check_asked(const char *server, unsigned questions)
{
    CHECK_STR(datagram_script_target()->address, server);
    CHECK_INT(datagram_script_requests(), questions);
}

static void end(struct host_lookup *l)
{
    host_lookup_end(l);
    CHECK_INT(datagram_script_open(), 0);
}

TEST(host_lookup_finds_an_address)
{
    struct host_lookup l;
    uint8_t a[16];
    start(&l, "board");
    check_asked("10.0.0.1", 1);
    CHECK(datagram_script_target()->port == 53 && !datagram_script_target()->any_sender &&
          datagram_script_target()->timeout_ms == 1000);
    datagram_script_fail(EAGAIN);
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    check_asked("10.0.0.1", 1);
    say_found(0x1234);
    CHECK_INT(host_lookup_step(&l, a), 4);
    CHECK(memcmp(a, "\x0a\1\2\3", 4) == 0);
    end(&l);
}

TEST(host_lookup_asks_the_next_server_when_time_is_up)
{
    struct host_lookup l;
    uint8_t a[16];
    static const char *const server[] = {"10.0.0.2", "10.0.0.1", "10.0.0.2"};
    start(&l, "board.lan");
    for (unsigned i = 0; i < 3; i++) {
        datagram_script_fail(i == 1 ? ECONNREFUSED : ETIMEDOUT);
        CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
        check_asked(server[i], 2 + i);
    }
    datagram_script_fail(ETIMEDOUT); /* each has been asked twice */
    CHECK_INT(host_lookup_step(&l, a), -ECOMM);
    check_asked("10.0.0.2", 4);
    end(&l);
}

TEST(host_lookup_asks_the_next_server_when_one_cannot_tell)
{
    struct host_lookup l;
    uint8_t a[16];
    start(&l, "board");
    say_flags(0x8182); /* a failure of the server's */
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    check_asked("10.0.0.2", 2);
    say_flags(0x8380); /* truncated, without an address */
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    check_asked("10.0.0.1", 3);
    say_found(0x1234);
    CHECK_INT(host_lookup_step(&l, a), 4);
    end(&l);
}

TEST(host_lookup_ignores_what_is_no_answer)
{
    struct host_lookup l;
    uint8_t a[16];
    start(&l, "board");
    say_found(0x1235);                /* another's id */
    datagram_script_reply("\x12", 1); /* bytes */
    say(&(struct answer){0x1234, 0x8180, DNS_AAAA, 1, ipv6, sizeof ipv6 - 1});
    datagram_script_fail(EAGAIN);
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    check_asked("10.0.0.1", 1); /* it is still that question */
    say_found(0x1234);
    CHECK_INT(host_lookup_step(&l, a), 4);
    end(&l);
}

TEST(host_lookup_each_question_has_its_own_id)
{
    struct host_lookup l;
    uint8_t a[16];
    start(&l, "board");
    datagram_script_id(0x4321);
    datagram_script_fail(ETIMEDOUT);
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    say_found(0x1234); /* the first server's, late */
    datagram_script_fail(EAGAIN);
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    say_found(0x4321);
    CHECK_INT(host_lookup_step(&l, a), 4);
    end(&l);
}

TEST(host_lookup_asks_for_ipv6_when_there_is_no_ipv4)
{
    struct host_lookup l;
    uint8_t a[16];
    start(&l, "board");
    say_flags(0x8180);
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    check_asked("10.0.0.1", 2);
    say(&(struct answer){0x1234, 0x8180, DNS_AAAA, 1, ipv6, sizeof ipv6 - 1});
    CHECK_INT(host_lookup_step(&l, a), 16);
    CHECK(memcmp(a, "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16) == 0);
    end(&l);
    start(&l, "board");
    say_flags(0x8180);
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    say(&(struct answer){.id = 0x1234, .flags = 0x8180, .type = DNS_AAAA});
    CHECK_INT(host_lookup_step(&l, a), -ENONET);
    end(&l);
    start(&l, "board");
    say_flags(0x8183); /* no such name: of neither kind */
    CHECK_INT(host_lookup_step(&l, a), -ENONET);
    check_asked("10.0.0.1", 1);
    end(&l);
}

TEST(host_lookup_asks_the_local_network)
{
    struct host_lookup l;
    struct dns_conf none = {.servers = 0};
    uint8_t a[16];
    datagram_script_reset();
    CHECK_INT(host_lookup_start(&l, &none, "board.local"), 0);
    check_asked("224.0.0.251", 1);
    CHECK(datagram_script_target()->port == 5353 && datagram_script_target()->any_sender);
    CHECK_INT(host_lookup_step(&l, a), -EAGAIN);
    CHECK_INT(host_lookup_step(&l, a), -ECOMM);
    check_asked("224.0.0.251", 2);
    end(&l);
}

TEST(host_lookup_of_what_cannot_be_asked)
{
    struct host_lookup l;
    struct dns_conf none = {.servers = 0};
    datagram_script_reset();
    CHECK_INT(host_lookup_start(&l, &none, "board"), -ENOENT);
    CHECK_INT(host_lookup_start(&l, &two, "a..b"), -ENOENT);
    CHECK_INT(datagram_script_requests(), 0);
    CHECK_INT(datagram_script_open(), 0);
}
