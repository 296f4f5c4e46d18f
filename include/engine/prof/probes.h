/* probes: the plan of a file, read guarded (plat/guard.h): how its functions can be patched. */
#pragma once

#include "core/probe/report.h"
#include "plat/file.h"

struct probes_file {
    struct probe_module module;
    struct image image;
    struct cfi *cfi;
};

/* Plans the file at path, which must outlive it. 0, or -errno with the reason; to be released after
 * 0 alone. */
int probes_file_open(struct probes_file *p, const char *path, struct fail *f);
void probes_file_release(struct probes_file *p);
