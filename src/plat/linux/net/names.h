/*
 * net_names: a host's name while it is asked for, as the handle of a connection that comes about:
 * the name servers of /etc/resolv.conf one after another, or the local network (mDNS), with a
 * second's patience each time. The handle is ready to be read when net_names_found can tell more.
 */
#ifndef PSUITE_PLAT_LINUX_NET_NAMES_H
#define PSUITE_PLAT_LINUX_NET_NAMES_H

#include "sockaddr.h"

#include <stdbool.h>

/* The handle; -ENOENT: nobody can be asked, or it is no name; -EMFILE and the like. */
int net_names_ask(const char *host, uint16_t port);
bool net_names_is_asked(int handle);

/* The length of the address in *out; -EAGAIN: it is still asked for; -ENONET: nobody has the name;
 * -ECOMM: nobody who was asked for it answers. */
int net_names_found(int handle, union net_sockaddr *out);

/* What belongs to the handle, but not that itself; harmless on another. */
void net_names_forget(int handle);

#endif
