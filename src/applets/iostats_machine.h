/* iostats_machine: iostats -a, who does I/O on this machine. */
#pragma once

#include "core/io/report.h"

#include <stdbool.h>

extern const struct applet applet_iostats;

struct iostats_of_machine {
    bool top, json;
    double seconds, interval; /* 0: until an interrupt; one report, of the whole time */
    enum io_sort sort;
    struct report_size size;
};

/* Until an interrupt; returns the exit status. */
int iostats_of_machine(struct iostats_of_machine *q);
