/* probe_parts: the parts of probe_run, an idea each; each adds the facts that plat/probe.h names.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct facts;

void probe_files(struct facts *out, const char *release);
void probe_perf(struct facts *out);
void probe_attempts(struct facts *out);
void probe_tracefs(struct facts *out);

/* At most max_bytes of path's beginning as the fact key. Returns false when it could not be read:
 * with fall_through nothing is then added, so that another path can be asked. */
bool probe_head(struct facts *out, const char *key, const char *path, size_t max_bytes,
                bool fall_through);

/* 0 or a negative errno as a fact without text. */
void probe_result(struct facts *out, const char *key, int result);
