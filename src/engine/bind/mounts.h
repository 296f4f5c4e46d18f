/* bind_mounts: which mounts are bind's, by the kernel's table. */
#pragma once

#include "core/procfs/mounts.h"
#include "engine/bind/bind.h"

/* The device of the latest mount at a place, if that is bind's; else 0. */
uint64_t bind_device_at(const char *place);
/* Takes all mounts of a device away, and what was made for them. */
void bind_remove_device(uint64_t device);
