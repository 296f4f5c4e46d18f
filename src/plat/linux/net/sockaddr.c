#include "sockaddr.h"

#include "core/net/address.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <string.h>

socklen_t net_sockaddr_read(const char *host, uint16_t port, union net_sockaddr *out)
{
    char bare[NET_HOST_MAX + 1];
    size_t len = strcspn(host, "%");
    memcpy(bare, host, len);
    bare[len] = '\0';
    *out = (union net_sockaddr){.v4 = {.sin_family = AF_INET, .sin_port = htons(port)}};
    if (inet_pton(AF_INET, bare, &out->v4.sin_addr) == 1)
        return sizeof out->v4;
    *out = (union net_sockaddr){.v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)}};
    out->v6.sin6_scope_id = host[len] ? if_nametoindex(host + len + 1) : 0;
    return inet_pton(AF_INET6, bare, &out->v6.sin6_addr) == 1 ? sizeof out->v6 : 0;
}
