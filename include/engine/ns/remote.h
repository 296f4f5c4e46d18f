/*
 * ns_remote: another machine's files as part of a name space: by 9P2000 to an address, or over a
 * command's standard input and output (`ssh HOST psuite export -'). A lost connection is dialled
 * again.
 *
 *     remote = ns_remote_new("ssh board psuite export -", NULL);
 *     ns_remote_bind(&ns, remote, &f);                   the name space ends it
 *     for (;;) {
 *         ns_remote_step(remote);                        on the caller's one wait
 *         r = ns_open(&ns, "#c/sysstat", NS_READ, &file, &f);
 *         ns_remote_send(remote);                        what was asked for goes out at once
 *         wait for ns_remote_handles, at most ns_remote_wait_ms
 *     }
 *
 * Files answer as those of core/ninep/files: -EINPROGRESS until the reply is there, also as long as
 * the machine cannot be reached. A file that was open when the connection broke is -ENOTCONN: it is
 * to be closed and opened again.
 *
 * Each request is timed: a machine that has given no whole reply, nor 8 KB of a long one, for
 * NS_REMOTE_TIMEOUT_S while one is under way is hung up on, and dialled again after 1, 2, 4 ...
 * NS_REMOTE_BACKOFF_S seconds; dialling itself, and by a command all until the first reply, may
 * take NS_REMOTE_DIAL_S. The command is killed when it hangs, and at the end; what it says on
 * standard error is kept from the terminal.
 */
#pragma once

#include "core/base/fail.h"
#include "core/net/address.h"
#include "core/ns/ns.h"
#include "plat/wait.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    NS_REMOTE_TIMEOUT_S = 6, /* more than stats has: its flush may yet be answered */
    NS_REMOTE_DIAL_S = 20,
    NS_REMOTE_BACKOFF_S = 30,
    NS_REMOTE_HANDLES = 3,
};

struct ns_remote; /* opaque */

/* command: for /bin/sh, copied; else at. Nothing is dialled before the first step. NULL: no memory.
 */
struct ns_remote *ns_remote_new(const char *command, const struct net_address *at);
void ns_remote_free(struct ns_remote *r); /* what the name space's end calls; NULL: nothing */

/* As ns_bind_folder binds a folder: its root at /, the devices at their usual paths. The name
 * space owns it, also when this fails. */
int ns_remote_bind(struct ns *ns, struct ns_remote *r, struct fail *f);

/* The same; each call waits for its answer, and never returns -EINPROGRESS. It fails with the
 * machine's reason when that cannot be reached, or is lost; with -EINTR once an interrupt has come
 * (plat/wait.h), and from then on. */
int ns_remote_bind_waiting(struct ns *ns, struct ns_remote *r, struct fail *f);

/* Its root, for one file server of a kernel, from now on in the place of all that is bound: names
 * come and go (core/ninep/files.h), and outlive a connection. It has no end. */
struct ns_server ns_remote_tree(struct ns_remote *r);

/* The tree that is asked of a server that has several; copied. false: no memory. */
bool ns_remote_attach(struct ns_remote *r, const char *aname);

void ns_remote_step(struct ns_remote *r);
void ns_remote_send(struct ns_remote *r);
size_t ns_remote_handles(const struct ns_remote *r, struct wait_on *on, size_t max);
/* When it is to be stepped at the latest; -1: not before a handle is ready. */
int ns_remote_wait_ms(const struct ns_remote *r);

/* How often it was reached. */
unsigned ns_remote_reached(const struct ns_remote *r);
/* It was dialled in vain, or lost, and is not back yet; a command has ended, too, or is killed. */
bool ns_remote_is_away(const struct ns_remote *r);
/* Why it is away, in a line; NULL when it is not. */
const char *ns_remote_why(const struct ns_remote *r);
