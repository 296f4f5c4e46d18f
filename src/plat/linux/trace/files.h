/* trace_files: small files of tracefs, by folder and name. */
#pragma once

#include "core/base/buf.h"

/* 0 or -errno. */
int trace_file_write(const char *dir, const char *name, const char *text);
int trace_file_read(const char *dir, const char *name, struct buf *out);

/* The name of this process's instance: `psuite-PID', or in a PID namespace `psuite-PID-NAMESPACE',
 * as tracefs is shared by all of them and each has processes of its own with that number. */
void trace_instance_name(char *out, size_t size);

/* The process of an instance, if it is one of psuite's; -1: of another PID namespace; 0: another's.
 */
int trace_instance_pid(const char *name);

/* Removes the instances, and the probes, below a tracefs folder that psuites of this PID namespace
 * left whose process is gone; one that is still being read stays. */
void trace_remove_leftovers(const char *tracefs);

/* Calls emit with the folder of each instance of a psuite; pid -1: of another PID namespace. */
void trace_each_instance(const char *tracefs, void (*emit)(void *arg, const char *dir, int pid),
                         void *arg);
