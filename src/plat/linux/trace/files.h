/*
 * trace_files: small files of tracefs, by folder and name.
 */
#ifndef PSUITE_PLAT_LINUX_TRACE_FILES_H
#define PSUITE_PLAT_LINUX_TRACE_FILES_H

#include "core/base/buf.h"

/* 0 or -errno. */
int trace_file_write(const char *dir, const char *name, const char *text);
int trace_file_read(const char *dir, const char *name, struct buf *out);

/* Removes the instances below a tracefs folder that psuites left whose process is gone; one that is
 * still being read stays. */
void trace_remove_leftovers(const char *tracefs);

/* Calls take with the folder of each instance of a psuite. */
void trace_each_instance(const char *tracefs, void (*emit)(void *arg, const char *dir, int pid),
                         void *arg);

#endif
