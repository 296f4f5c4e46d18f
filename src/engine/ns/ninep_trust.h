/*
 * ninep_trust: identifies a client of a file server, and decides with whose rights it is answered.
 */
#pragma once

#include "core/ninep/server.h"
#include "plat/net.h"

struct ninep_trusted {
    struct ninep_peer peer; /* for ninep_server_peer: points to this struct */
    struct net_peer net_peer;
};

/* Trusted: this process's own user, and root here. Any other process's requests are its user's;
 * another machine's are who it says, but never root; what cannot be known is refused. At the end of
 * each turn rights_restore is called. */
void ninep_trust_check(struct ninep_trusted *t, int connection);
void ninep_trust_release(struct ninep_trusted *t);
