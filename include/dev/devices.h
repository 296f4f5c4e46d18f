/*
 * devices: serves this machine as Plan 9's files. The contents of each file are described in its
 * source in src/dev.
 */
#pragma once

#include "core/ns/ns.h"

/* Binds them under their own names, and where Plan 9 binds them: /dev (#c #K), /net (#l0), /proc
 * (#p), /mnt/apm/battery. What a write began (a profiling) lives until the name space is released.
 * -ENOMEM. */
int devices_bind(struct ns *ns, struct fail *f);
