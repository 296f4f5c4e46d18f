/*
 * read: Topo's files as a topo. Which of the three forms a text has is seen in its first line:
 *
 *   events    `NAME RUN CALL THREAD DEPTH START' at an entry, `NAME RUN CALL TOTAL' at an exit;
 * `# NUMBER runs dropped: REASON' for runs that the collector did not keep
 *   machine   `FuncStats('NAME', TOTAL, LOCAL, [DEPTH, ...], CALLS, ['CALLER', ...], ['CALLEE',
 * ...])' human     `NAME, total time: TOTAL, contrib time: LOCAL, depths: [DEPTH, ...], call count:
 * CALLS, callers: ['CALLER', ...], callees: ['CALLEE', ...]'
 *
 * A record of the machine form may be broken into several lines, as in the report; one of the human
 * form, after its name. Names are quoted as Python does (src/core/topo/quoted.h).
 */
#pragma once

#include "core/base/fail.h"
#include "core/topo/topo.h"

/* t is initialised here; release it either way. name: of the file, for f. -EINVAL and f with the
 * line when the text has none of the forms or contradicts itself, -ENOMEM. */
int topo_read(const char *name, const char *text, size_t len, struct topo *t, struct fail *f);
