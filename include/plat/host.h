/*
 * host: describes this machine.
 */
#ifndef PSUITE_PLAT_HOST_H
#define PSUITE_PLAT_HOST_H

#include <stdint.h>

struct host {
    char name[65], machine[65], kernel[65]; /* uname's node, machine, release */
    uint32_t cpus;                          /* online */
};

void host_describe(struct host *out);

#endif
