/* read_forms: the readers of the three forms, behind topo_read. Each returns 0 or -ENOMEM, or
 * -EINVAL with *wrong, a static text, and *at, where in the text it is. */
#pragma once

#include "core/topo/topo.h"

struct topo_text {
    const char *at, *end;
    const char *wrong;
};

int read_events(struct topo_text *text, struct topo *t);
int read_machine(struct topo_text *text, struct topo *t);
int read_human(struct topo_text *text, struct topo *t);

static const char human_total[] = ", total time:";
static const char machine_start[] = "FuncStats(";
