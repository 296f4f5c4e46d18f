/* sysfile: reads files of /proc and /sys, as raw text. */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stddef.h>
#include <stdint.h>

enum { SYSFILE_MAX_BYTES = 16 << 20 }; /* bytes of one: a line an interrupt, a column a CPU */

/* Appends a file's text; -ENOENT and the like, f names the file. */
int sysfile_text(const char *path, struct buf *out, struct fail *f);

/* Appends the names of what a folder has, sorted, each with a NUL behind it; at most so many. */
int sysfile_names(const char *path, size_t max_names, struct buf *out, struct fail *f);

/* Appends where a link leads. */
int sysfile_link(const char *path, struct buf *out, struct fail *f);

/* A handle for folder_read and folder_close (plat/folder.h) to what a link leads to, a regular
 * file: the program of /proc/PID/exe. */
int sysfile_open(const char *path, struct fail *f);

/* Bytes of a page of memory; of the memory that this process may use: the machine's, or less where
 * its control groups have a limit (SIZE_MAX: not known); our own process's id. */
size_t sysfile_page_bytes(void);
size_t sysfile_memory_bytes(void);
/* What is free of it now: what the kernel can give to buffers (MemAvailable less CmaFree), at most
 * the limit of our control groups. Without /proc, what is unused. UINT64_MAX: not known. */
uint64_t sysfile_free_bytes(void);
int sysfile_self(void);
