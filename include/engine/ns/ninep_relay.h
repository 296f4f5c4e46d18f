/*
 * ninep_relay: forwards the bytes between a 9P client and its server, on the caller's one wait;
 * core/ninep/proxy decodes them. Each direction has one bounded buffer: a side that does not read
 * makes the other wait.
 */
#pragma once

#include "core/base/buf.h"
#include "core/net/address.h"
#include "core/ninep/proxy.h"
#include "engine/ns/dial.h"
#include "plat/wait.h"

enum { NINEP_RELAY_HANDLES = 4, NINEP_RELAY_STANDARD = -1 };

struct ninep_relay_end {
    int handle;     /* negative: standard input and output */
    bool ended;     /* says no more */
    bool finished;  /* knows that the other end sends no more */
    struct buf out; /* what it is to be given */
};
struct ninep_relay {
    struct ninep_proxy *proxy;
    struct ninep_relay_end client, server;
    struct dial dial; /* to the server */
    bool connected;   /* its connection has come about */
};

/* Calls the server. The connection of the client and the proxy belong to the relay, also when this
 * fails; ninep_relay_close either way. The failure names the server. */
int ninep_relay_open(struct ninep_relay *r, int client, const struct net_address *server,
                     struct ninep_proxy *proxy, struct fail *f);
void ninep_relay_close(struct ninep_relay *r);

void ninep_relay_watch(const struct ninep_relay *r, struct wait_on on[NINEP_RELAY_HANDLES]);
/* Does what the wait has shown to be possible. 1; 0: one of them is gone, and the other has what it
 * said; negative: what one of them said is no 9P, or the server failed. */
int ninep_relay_step(struct ninep_relay *r, const struct wait_on on[NINEP_RELAY_HANDLES],
                     struct fail *f);
