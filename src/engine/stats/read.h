/* stats_read: reading the files of one source, as far as it answers. */
#pragma once

#include "engine/stats/sources.h"

/* Reads on in the files that are due: 0 when all are read, -EINPROGRESS when the source is waited
 * for.
 */
int stats_read_step(struct stats_source *s);
/* What a wait is for; -1. */
int stats_read_handle(const struct stats_source *s);
/* Closes all files, and forgets what of them was read. */
void stats_read_close(struct stats_source *s);
void stats_read_release(struct stats_source *s); /* their texts, too */
