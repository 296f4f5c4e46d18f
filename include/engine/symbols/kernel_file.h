/*
 * kernel_file: the functions of a kernel that need not be the running one: of its vmlinux, its
 * System.map, or a text saved of /proc/kallsyms.
 */
#ifndef PSUITE_ENGINE_SYMBOLS_KERNEL_FILE_H
#define PSUITE_ENGINE_SYMBOLS_KERNEL_FILE_H

#include "core/report/kpdata.h"
#include "core/symbol/kallsyms.h"
#include "plat/file.h"

struct kernel_file {
    struct kpdata_text text; /* what it is opened for */
    /* the rest is its own */
    struct image image; /* of a vmlinux, whose symbols alone are read */
    struct elf_module *elf;
    struct buf lines;
    struct kallsyms names;
};

/* 0, or -errno and f: "text file not an a.out" when it is none of the three. kernel_file_close
 * either way. */
int kernel_file_open(const char *path, struct kernel_file *k, struct fail *f);
void kernel_file_close(struct kernel_file *k);

/* kprof's report of a file of kpdata by the kernel's file at text_path, as kpdata_report. */
int kernel_file_report(const char *text_path, const char *data_path, struct buf *out,
                       struct fail *f);

#endif
