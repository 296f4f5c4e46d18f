/*
 * target_parts: what the files of target share.
 */
#ifndef PSUITE_ENGINE_SYMBOLS_TARGET_PARTS_H
#define PSUITE_ENGINE_SYMBOLS_TARGET_PARTS_H

#include "engine/symbols/target.h"

/* What is mapped in the process, the core file's or that of the saved maps: t->process and
 * t->mapped. */
int target_open_process(struct target *t, struct fail *f);

#endif
