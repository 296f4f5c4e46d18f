/*
 * ns_blocking: blocking access to another machine's files: each call waits for its answer, and
 * never returns -EINPROGRESS.
 *
 * It fails with the machine's reason when that cannot be reached, or is lost; with -EINTR once an
 * interrupt has come (plat/wait.h), and from then on.
 */
#pragma once

#include "engine/ns/remote.h"

/* As ns_remote_bind. The name space owns the machine, also when this fails. */
int ns_bind_blocking(struct ns *ns, struct ns_remote *r, struct fail *f);
