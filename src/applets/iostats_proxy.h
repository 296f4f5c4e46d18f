/* iostats_proxy: iostats between a 9P server and its clients. */
#pragma once

#include "engine/iostats/iostats.h"

extern const struct applet applet_iostats;

struct iostats_between {
    const char *listen, *server; /* addresses as they were typed; NULL: none */
    bool anywhere;
};

/* Until an interrupt; returns the exit status. */
int iostats_between(const struct iostats_between *b, const struct iostats_want *want);
