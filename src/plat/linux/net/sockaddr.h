/* net_sockaddr: converts addresses to and from the kernel's form. */
#pragma once

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

union net_sockaddr {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
};

/* The text of an IPv4 or IPv6 address, with its zone: its length; 0: it is none. */
socklen_t net_sockaddr_read(const char *host, uint16_t port, union net_sockaddr *out);
