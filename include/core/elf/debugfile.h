/*
 * debugfile: the paths at which a stripped module's debug file may be, and whether a file found
 * there is the right one. The caller opens the files.
 *
 * The order is GDB's: by build-id, DEBUGDIR/.build-id/xx/yyyy.debug; by debuglink DIR/NAME,
 * DIR/.debug/NAME, DEBUGDIR/DIR/NAME, where DIR is the module's own folder; each below the sysroot
 * first, when there is one; and at last the module's own path below the sysroot. Other tools keep
 * debug files in caches, by build-id: the clients of debuginfod in DIR/BUILDID/debuginfo
 * (debuginfod_find_debuginfo(3)), perf in DIR/.build-id/xx/yyyy/debug or, if the program was not
 * stripped, elf (perf-buildid-cache(1)).
 */
#pragma once

#include "core/elf/elf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEBUGFILE_DIR "/usr/lib/debug"

enum { DEBUGFILE_MAX_DIRS = 16 };

struct debugfile_search {
    const char *dir[DEBUGFILE_MAX_DIRS];
    size_t dirs;         /* 0: DEBUGFILE_DIR */
    const char *sysroot; /* NULL: none */
    const char
        *debuglink_dir; /* in the place of them all for names in .gnu_debuglink; NULL: none */
    size_t most_bytes;  /* that what is read of all files may take; 0: the machine's share */
};

/* The directories of the caches; NULL: none. */
struct debugfile_caches {
    const char *debuginfod, *perf;
};

struct debugfile_paths {
    char **path; /* in the order in which they are to be tried */
    size_t count, cap;
    size_t cached; /* the last of them, which are in other tools' caches */
    int err;       /* -ENOMEM: some are missing */
};

/* For the module at `path', absolute, as its own system names it. */
void debugfile_candidates(const struct debugfile_search *s, const struct elf_module *of,
                          const char *path, struct debugfile_paths *out);
/* For a module of which its build-id alone is at hand. */
void debugfile_by_id(const struct debugfile_search *s, const uint8_t *id, size_t id_len,
                     struct debugfile_paths *out);
/* For the file that .gnu_debugaltlink of `of' names; of_path is where `of' itself was read. */
void debugfile_alt_candidates(const struct debugfile_search *s, const struct elf_module *of,
                              const char *of_path, struct debugfile_paths *out);
/* Appends those in the caches. */
void debugfile_cached(const struct debugfile_caches *caches, const uint8_t *id, size_t id_len,
                      struct debugfile_paths *out);
static inline bool debugfile_is_cached(const struct debugfile_paths *p, size_t i)
{
    return i >= p->count - p->cached;
}
void debugfile_paths_release(struct debugfile_paths *p);

/*
 * Whether candidate was made with `of': 0, else -ESTALE with the reason as f->what. Their build-ids
 * decide when both have one; else the checksum in `of', when it has one, must be the candidate's;
 * else it is recognized by its name alone. bytes are the candidate's.
 */
int debugfile_verify(const struct elf_module *of, const struct elf_module *candidate,
                     const uint8_t *bytes, size_t len, struct fail *f);

/* Whether candidate is the file that .gnu_debugaltlink of `of' names: as above. */
int debugfile_verify_alt(const struct elf_module *of, const struct elf_module *candidate,
                         struct fail *f);
