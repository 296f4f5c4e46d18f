/* host: describes this machine. */
#pragma once

#include <stdint.h>

struct host {
    char name[65], machine[65], kernel[65]; /* uname's node, machine, release */
    uint32_t cpus;                          /* online */
};

void host_describe(struct host *out);
