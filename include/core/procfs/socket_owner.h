/*
 * socket_owner: finds the owner of a TCP socket in the text of /proc/net/tcp and /proc/net/tcp6:
 *
 *       sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout
 * inode 0: 0100007F:1F90 0200007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0
 * 5123 ...
 *
 * Addresses are words of four bytes as the machine reads them, ports are numbers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* An end of a connection. An IPv4 address is ::ffff:A.B.C.D. */
struct socket_end {
    uint8_t address[16];
    uint16_t port;
};

struct socket_owner {
    unsigned state; /* as the kernel numbers them: 1 ESTABLISHED ... 11 CLOSING */
    uint32_t uid;
    uint64_t inode; /* 0: no process has it any more, and uid says nothing */
};

/* The line of the socket at local that is connected to remote. */
bool socket_owner_find(const char *table, const struct socket_end *local,
                       const struct socket_end *remote, struct socket_owner *out);

/* Whether uid is that of a process which has the socket: it is connected, and was not closed. Of a
 * socket without a process the kernel says that it is root's. */
bool socket_owner_is_known(const struct socket_owner *o);
