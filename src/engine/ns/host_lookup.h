/*
 * host_lookup: resolves a host's name to an address: the name servers of /etc/resolv.conf one after
 * another, or, for a name that ends in .local, the local network (mDNS); a second for each, and all
 * of them twice. IPv4 addresses first, then IPv6.
 *
 *     host_lookup_start(&l, &conf, host);
 *     while ((r = host_lookup_step(&l, address)) == -EAGAIN) wait for
 *         datagram_wait(&l.question)
 *     host_lookup_end(&l);
 */
#pragma once

#include "core/net/dns.h"
#include "plat/datagram.h"

struct host_lookup {
    struct dns_conf conf;
    char name[NET_HOST_MAX + 1];
    enum dns_type type;
    uint16_t id;
    unsigned tries;
    struct datagram question;
};

/* 0; -ENOENT: there is no server, or it is no valid name. host_lookup_end is for one that has
 * started. */
int host_lookup_start(struct host_lookup *l, const struct dns_conf *conf, const char *host);
void host_lookup_end(struct host_lookup *l);

/* The bytes of the address, 4 or 16, in the network's order; -EAGAIN: not known yet; -ENONET: no
 * such host; -ECOMM: no server answers. */
int host_lookup_step(struct host_lookup *l, uint8_t address[16]);
