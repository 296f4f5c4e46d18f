/*
 * kernel_file: the functions of any kernel, from its vmlinux, its System.map, or a saved
 * /proc/kallsyms.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

/* kprof's report of a file of kpdata by the kernel's file at text_path, as kpdata_report. 0, or
 * -errno and f: "text file not an a.out" when the kernel's file is none of the three. */
int kernel_file_report(const char *text_path, const char *data_path, struct buf *out,
                       struct fail *f);
