/*
 * net_address: the address of a server, as typed by the user.
 *
 *     tcp!HOST!PORT   tcp!HOST      Plan 9's way; HOST may be * : every address of this machine
 *     HOST:PORT  [V6]:PORT  :PORT   everybody else's
 *     unix!PATH                     a socket in the file system
 *
 * No host is this machine's loopback, 127.0.0.1: nothing is offered to a network unless asked. HOST
 * is an address, localhost, a name of the hosts file (net_hosts_find) or, for a client, of a name
 * server (core/net/dns.h); PORT a number, 0 = any
 * that is free, or 9fs.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_HOST_MAX = 255, /* bytes of a host's name */
    NET_PATH_MAX = 107, /* of a socket's path: what sun_path takes */
    NET_TEXT_MAX = 280, /* of an address as text */
};

enum net_kind { NET_TCP, NET_UNIX };
enum { NET_PORT_9P = 564 };

struct net_address {
    enum net_kind kind;
    uint16_t port;
    char host[NET_HOST_MAX + 1]; /* never empty for NET_TCP; without the brackets */
    char path[NET_PATH_MAX + 1];
};

/* port: what `tcp!HOST' means. -EINVAL, with f saying what is wrong and which forms there are. */
int net_address_read(const char *text, uint16_t port, struct net_address *out, struct fail *f);

/* As HOST:PORT, [V6]:PORT or unix!PATH; what net_address_read reads again. Cut, never overrun. */
void net_address_text(const struct net_address *a, char out[NET_TEXT_MAX + 1]);

/* Whether only this machine reaches it: a unix socket, localhost, 127.0.0.0/8, ::1. */
bool net_address_is_local(const struct net_address *a);

/* Why an address could not be had, err being dial_step's (engine/ns/dial.h); NULL: it is about
 * something else. */
const char *net_address_error(int err);

/* The text of an IPv4 or IPv6 address (a zone behind % is let be), of len bytes. */
bool net_is_ipv4(const char *text, size_t len);
bool net_is_ipv6(const char *text, size_t len);

/* The address that the text of a hosts file has for a name, whatever its case; false when it has
 * none. localhost is always found. */
bool net_hosts_find(const char *hosts, size_t len, const char *name, char out[NET_HOST_MAX + 1]);
