/*
 * kernel_memory: the memory of the running kernel, as the ELF core file /proc/kcore, which is only
 * read where it is asked for.
 */
#pragma once

#include "core/base/fail.h"

#include <stddef.h>
#include <stdint.h>

/* A handle; -ENOENT: the kernel has no such file; -EACCES or -EPERM: it refuses. */
int kernel_memory_open(struct fail *f);
void kernel_memory_close(int handle);

/* How many bytes at an offset of the file could be read, up to len; 0: none. */
size_t kernel_memory_read(int handle, uint64_t offset, void *to, size_t len);
