/* descriptors: closing them where they end, and moving small texts. */
#pragma once

#include "core/base/scope.h"

#include <dirent.h>
#include <stddef.h>
#include <sys/types.h>

/* `SCOPED_FD fd = open(...)' ends with its scope. So does what opendir returns. */
#define SCOPED_FD  SCOPED(descriptor_close) int
#define SCOPED_DIR SCOPED(descriptor_close_dir) DIR *

/* Of those that were opened; they are not open then, and errno is as before. */
void descriptor_close(int *fd);
void descriptor_close_dir(DIR **dir);

/* Two pipes that are of use together only, closed at exec. -errno, with neither open. */
int descriptor_pipes(int first[2], int second[2]);

/* Writes all of it. 0 or -errno. */
int descriptor_write(int fd, const void *bytes, size_t len);

/* What a file of /proc says, which is given at once: up to cap - 1 bytes and a NUL. Their number;
 * -1 (errno) also when fd is negative, which leaves errno as it is. */
ssize_t descriptor_text(int fd, char *to, size_t cap);

/* Writes text at once, as files of the kernel's want it. 0 or -errno. */
int descriptor_put(const char *path, const char *text);

/* Closes all but the standard streams and those n: ends of pipes among them would keep others
 * waiting. */
void descriptors_close_others(const int *keep, size_t n);
