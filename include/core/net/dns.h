/*
 * dns: the DNS messages (RFC 1035) that ask a name server for a host's addresses, also by mDNS (RFC
 * 6762, one question, answered by unicast).
 */
#pragma once

#include "core/net/address.h"

enum {
    DNS_SERVERS_MAX = 3,
    DNS_MESSAGE_MAX = 1500, /* of an answer; what is longer comes cut, and is no answer */
    DNS_QUERY_MAX = 12 + NET_HOST_MAX + 2 + 4,
};
enum dns_type { DNS_A = 1, DNS_AAAA = 28 };

/* What resolv.conf(5) says. */
struct dns_conf {
    char server[DNS_SERVERS_MAX][NET_HOST_MAX + 1]; /* addresses */
    size_t servers;
    char search[NET_HOST_MAX + 1]; /* the first domain of search or domain; empty: none */
};
void dns_conf_read(const char *text, size_t len, struct dns_conf *out);

/* The name that is asked for: with the search domain behind it when it has no dot, and without a
 * dot at its end. Cut at NET_HOST_MAX. */
void dns_qualified_name(const struct dns_conf *conf, const char *name, char out[NET_HOST_MAX + 1]);
/* A name below local. is asked of the network, by mDNS. */
bool dns_is_local(const char *name);

/* The question: its length, 0 when it is no name (an element is empty or longer than 63). */
size_t dns_query(uint16_t id, const char *name, enum dns_type type, uint8_t out[DNS_QUERY_MAX]);

/* What an answer to that question says: the bytes of an address, 4 or 16; 0: there is none of that
 * type; -ENOENT: no such name; -EAGAIN: the server does not know, or not in one message; -EPROTO:
 * it is no answer to it. */
int dns_answer(const void *bytes, size_t len, uint16_t id, const char *name, enum dns_type type,
               uint8_t address[16]);
