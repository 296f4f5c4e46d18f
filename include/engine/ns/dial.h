/*
 * dial: connects to an address whose host may be a name that has to be resolved. Nothing blocks.
 *
 *     dial_start(&d, &address, &f);
 *     while ((r = dial_step(&d)) == -EAGAIN) wait for dial_wait(&d)
 *     net_read(d.handle, ...)
 *     dial_end(&d);
 *
 * A name that the hosts file lacks is asked of the name servers of /etc/resolv.conf (with its first
 * search domain when it has no dot), one that ends in .local of the local network (mDNS).
 */
#pragma once

#include "core/net/address.h"
#include "plat/wait.h"

struct host_lookup;

struct dial {
    struct net_address at;
    struct host_lookup *lookup; /* while its name is asked for */
    int handle;                 /* the connection; negative: none, or not yet */
};

/* On failure there is nothing to be ended; the failure names the address. */
int dial_start(struct dial *d, const struct net_address *at, struct fail *f);
void dial_end(struct dial *d); /* harmless when handle is negative and lookup NULL */

struct wait_on dial_wait(const struct dial *d);
/* 0: connected; -EAGAIN: not yet; else the error: -ENONET when no such host is
 * known, -ECOMM when no name server answers (net_address_error). */
int dial_step(struct dial *d);
