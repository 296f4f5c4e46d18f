/*
 * bind_serve: the server's process. Over plat/apart.h's pair it says whether it can serve, is given
 * the connection, then the mount's device (8 bytes), and serves.
 */
#pragma once

#include "engine/bind/bind.h"

struct bind_hello {
    int32_t r, pid;
    struct fail fail;
};
struct bind_server {
    const struct bind_want *want;
    int control; /* its end of the pair */
    int guardian;
    const char *dir;
};

void bind_serve(void *server); /* for apart_start */
