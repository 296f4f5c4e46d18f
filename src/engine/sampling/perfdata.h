/* sampling_perfdata: what file.c asks of perfdata.c. */
#pragma once

#include "engine/sampling/sampling.h"

bool sampling_is_perfdata(const uint8_t *bytes, size_t len);

/* s->file's samples of want.event (NULL: the first) into s, which is initialised, and into a
 * recording when one is wanted. */
int sampling_read_perfdata(const struct sampling_want *want, struct sampling *s, struct fail *f);

/* Whether that is this machine, under this kernel. */
bool sampling_made_here(const char *host, const char *kernel);
