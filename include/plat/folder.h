/*
 * folder: the files of a plain directory, for file servers. Nothing here blocks: a file that is
 * neither regular nor a directory (a pipe, a socket, a device) is listed, but cannot be opened.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct folder_file {
    bool folder;
    uint32_t mode; /* permission bits */
    uint64_t length;
    int64_t modified; /* seconds since 1970 */
};

/* Links are followed. */
int folder_stat(const char *path, struct folder_file *out, struct fail *f);

/* Appends the names of what a folder has, sorted by their bytes, each with a NUL behind it; at most
 * so many, the others are passed over. */
int folder_names(const char *path, size_t max_names, struct buf *out, struct fail *f);

/* A handle to a regular file, else -EINVAL; what is to be written must be there already. */
int folder_open(const char *path, bool reads, bool writes, bool truncate, struct fail *f);
void folder_close(int handle);

/* How many bytes; 0 at the end. */
long folder_read(int handle, uint64_t offset, void *bytes, size_t len, struct fail *f);
long folder_write(int handle, uint64_t offset, const void *bytes, size_t len, struct fail *f);
