/*
 * net_text: parses network interfaces from the texts of /proc/net.
 *
 * /proc/net/wireless: two lines of headings, then
 *    wlan0: 0000   54.  -56.  -256        0 ...    interface: status, link, level, noise
 * level and noise are dBm where they are negative, else the driver's own measure, or dBm plus 256.
 * /proc/net/dev: two lines of headings, then
 *     eth0: bytes packets errs drop fifo frame compressed multicast, the same of what was sent
 * where drop and frame are sums of several counters of /sys/class/net/NAME/statistics.
 * /proc/net/route: a line of headings, then interface, destination, gateway, ... in hex, with tabs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NET_NAME_MAX = 15 }; /* bytes of an interface's name */

struct net_wireless {
    long link, signal_dbm, noise_dbm; /* 0: not given in dBm */
};

/* False when the interface has no line. */
bool net_wireless_parse(const char *text, const char *interface, struct net_wireless *out);

struct net_counts {
    uint64_t in, out;            /* packets */
    uint64_t in_bad[4], out_bad; /* errs drop fifo frame; errs */
};
/* False when the interface has no line. */
bool net_counts_parse(const char *text, const char *interface, struct net_counts *out);

/* Bytes of an interface. */
struct net_bytes {
    char name[NET_NAME_MAX + 1];
    uint64_t in, out;
};
/* The next interface's line of /proc/net/dev from *at, which moves behind it and is NULL behind the
 * last: false, there is none. Lines that are none are passed over. */
bool net_bytes_next(const char **at, struct net_bytes *out);

/* The interface that the first route to everywhere leads through; false when there is none. */
bool net_default_route(const char *text, char out[NET_NAME_MAX + 1]);
