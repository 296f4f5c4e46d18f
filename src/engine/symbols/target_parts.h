/* target_parts: what the files of target share. */
#pragma once

#include "engine/symbols/target.h"

/* What is mapped in the process, the core file's or that of the saved maps: t->process and
 * t->mapped. */
int target_open_process(struct target *t, struct fail *f);
