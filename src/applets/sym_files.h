/*
 * sym_files: the files that requests name, each opened at its first use.
 */
#pragma once

#include "engine/symbols/target.h"

struct sym_file {
    char *path;
    struct target_want want;
    struct target target;
    bool open;
    struct fail why; /* of one that is not open; why.what is empty once it was reported */
};

struct sym_files {
    const struct target_want *want; /* the caller's; its file is not used */
    struct sym_file *file;
    size_t files;
    bool failed; /* one could not be opened, or not be read to the end */
};

/* The file, open or not; NULL when memory ends. It stays until the next call. */
struct sym_file *sym_files_get(struct sym_files *s, const char *path);
void sym_files_release(struct sym_files *s);
