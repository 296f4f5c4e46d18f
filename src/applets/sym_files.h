/*
 * sym_files: the files that lines of questions name, each opened when it is named first.
 */
#ifndef PSUITE_APPLETS_SYM_FILES_H
#define PSUITE_APPLETS_SYM_FILES_H

#include "engine/symbols/target.h"

struct sym_files {
    const struct target_want *want; /* the caller's: all but the file */
    struct sym_file *file;
    size_t files;
    bool failed; /* one could not be opened */
};

/* NULL when it cannot be opened: why is on stderr, once. */
struct target *sym_files_target(struct sym_files *s, const char *path);
void sym_files_release(struct sym_files *s);

#endif
