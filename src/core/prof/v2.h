/*
 * prof_v2: prof.PID as libpsprof keeps it; its layout is in runtime/psprof_file.h. Files of either
 * byte order and of any pointer size are read anywhere.
 *
 * Facts beyond the layout: pcs lose bit 63 (their module was unloaded), and on 32-bit
 * ARM bit 0 (Thumb code). Siblings of one place become one node.
 */
#pragma once

#include "core/prof/tree.h"

/* *t is initialised here. -ENOEXEC and f, the reason alone: no file of this version, or its head is
 * damaged; -ENOMEM. Other damaged parts are skipped and noted. Release either way. */
int prof_v2_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f);
