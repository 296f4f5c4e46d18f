/*
 * symbols: loads the files, debug files and JIT symbols of modules, and finds the functions at an
 * address. All that reads foreign files runs guarded (plat/guard.h): a module whose reading crashes
 * has no symbols, and its `why' says so.
 */
#pragma once

#include "core/dwarf/budget.h"
#include "core/elf/debugfile.h"
#include "core/symbol/frames.h"
#include "core/symbol/module.h"
#include "plat/file.h"

/* What the files of all modules may take in all: symbols, tables of lines, call frame information,
 * sections that were inflated. A quarter of the machine's memory, within these bounds, unless the
 * user says otherwise. Each module, with its debug files, has a share (core/base/budget.h). More is
 * left out, and the module's note says so; so it is with what JIT compilers wrote. */
enum {
    SYMBOLS_MEMORY_LEAST = 64 << 20,
    SYMBOLS_MEMORY_MOST = (1 << 30) - 1 + (1 << 30),
    SYMBOLS_MAX_JIT = 512 << 20,
    SYMBOLS_LINES_LEAST = 16 << 20,
    SYMBOLS_LINES_MOST = 1 << 30,
    SYMBOLS_LINES_SHARE = 16,
    SYMBOLS_LINES_UNKNOWN = 192 << 20
};

/* The limit on a machine with so many bytes of memory. */
size_t symbols_memory_limit(size_t memory_bytes);

/* The limit on the line tables of a module (lines_limit of core/dwarf/lines.h): one part in
 * SYMBOLS_LINES_SHARE of the free memory, between LEAST and MOST. free_bytes is UINT64_MAX where it
 * is not known. */
size_t symbols_lines_limit(uint64_t free_bytes);

struct symbols_image {
    struct image image;
    const struct module *of; /* NULL: it stays until symbols_release */
};

struct symbols {
    const struct debugfile_search *search; /* the caller's */
    const char *package;                   /* the .dwp of every module; NULL: MODULE.dwp */
    bool relative_paths;                   /* of source files, as of lines_relative_paths */
    struct symbols_image *image;           /* every one that some module's strings point into */
    size_t images, image_cap;
    size_t resident;         /* bytes of files in memory after the images left it */
    unsigned long faults;    /* when it was last looked what is in memory */
    unsigned asked;          /* questions since memory was last looked at */
    uint64_t touched;        /* bytes read of them for lines since memory was last looked at */
    struct symbols_jit *jit; /* a process with memory that may hold compiled code */
    size_t jits, jit_cap;
    size_t jit_bytes;              /* read of them so far, for modules that are there */
    struct symbols_kernel *kernel; /* the running kernel's, once asked for */
    struct budget memory;          /* what the files of all modules take */
    size_t short_of_memory;        /* modules of which something is left out for that reason */
};

void symbols_init(struct symbols *s, const struct debugfile_search *search);
void symbols_release(struct symbols *s); /* after the modules */

/* Which files of a recording's modules are trusted that have no build-id. */
enum symbols_trust {
    SYMBOLS_BUILD_ID,  /* nothing */
    SYMBOLS_MADE_HERE, /* the path, as the recording was made on this machine; and the inode */
    SYMBOLS_PATH       /* the path: the module is marked `by_path' */
};

/* A module of a recording: its file below the sysroot, under its path, or as a debug file by its
 * build-id, if it is of the same build. Without a build-id: a file below the sysroot, or what
 * is trusted. */
void symbols_need_recorded(struct symbols *s, struct module *m, enum symbols_trust trust);

/* Memory of a recorded process may hold compiled code: its perf-PID.map, and the jit-PID.dump that
 * it mapped as m, are read from this machine, or from below the sysroot. */
void symbols_need_recorded_jit(struct symbols *s, int pid);
void symbols_need_recorded_dump(struct symbols *s, const struct module *m, int pid);

/* Pages of mapped files leave memory: when names are needed no more, or are copied. */
void symbols_unload_all(struct symbols *s);
/* When pages of mapped files take a MB more than after the last time, they leave memory. Called for
 * each file that is opened or read, and once a second while it samples. */
void symbols_unload_images(struct symbols *s);
/* The same for who asks for one name of m (NULL: of none) after another: it looks once in many
 * calls, and first the pages of m's files leave. */
void symbols_unload_asked(struct symbols *s, const struct module *m);

/* Lets go of the files that were truncated since they were mapped: linkers and copies rewrite
 * programs. Reading one would end what is made of all. Their modules have a note. */
void symbols_drop_truncated(const struct modules *t);

/* For a live view, once a second: of processes that ended, what JIT compilers wrote is not held
 * open any longer. symbols_ready has been called for their modules that were sampled. */
void symbols_sweep_jits(struct symbols *s);

/* What a JIT compiler wrote for this module is read again when it is next asked for. No name of it
 * may be used any more. */
void symbols_renew_jit(struct symbols *s, struct module *m);

/* For a live view: modules that are in no table any more are closed, with their files. No name of
 * theirs may be used any more. */
void symbols_forget(struct symbols *s, struct module *const *gone, size_t count);

/* "[vdso]" of a recording, mapped at [start, end): our own, if it is of the same build, or, where
 * it has no build-id, when the recording was made on this machine by the kernel that runs. */
void symbols_need_vdso(struct symbols *s, struct module *m, uint64_t start, uint64_t end,
                       bool made_here);

/* A module mapped in pid at [start, end) gets its bytes, if they can be had; else its `why'. */
void symbols_need(struct symbols *s, struct module *m, int pid, uint64_t start, uint64_t end);

/* The file named by the user gives the module's symbols. One of another build (by build-id) is not
 * used, and the module's note says so: 0. -errno when it cannot be read or is no ELF file. */
int symbols_use_file(struct symbols *s, struct module *m, const char *path, struct fail *f);

/* Reads the module's symbols, looks for its debug file when it lacks symbols or lines. Once: later
 * calls do nothing. */
void symbols_ready(struct symbols *s, struct module *m);

/* Where a debug file of the module was looked for: each path behind a newline, indented. */
void symbols_debug_paths(const struct symbols *s, const struct module *m, struct buf *out);

/* module_frames, guarded, with the debug information of the module, the file it shares with others
 * (dwz) and what was split off it (.dwp, .dwo), as far as they are found: what was there before a
 * crash stands, and the module is not asked again.
 */
void symbols_frames(struct symbols *s, struct module *m, uint64_t vaddr, struct frames *out);

/* The length of the files whose bytes are there so far: of modules and of debug files. */
uint64_t symbols_file_bytes(const struct symbols *s);

/* Gives the module its call frame information, guarded. */
void symbols_cfi(struct symbols *s, struct module *m);

/* Tells where the running kernel and its modules are. */
struct mapped;
void symbols_map_kernel(struct symbols *s, struct mapped *mapped);

/* Reads the running kernel's symbols, if they are not read yet, and keeps those that count
 * addresses need, which are in ascending order: some thousands of 120,000. Only these addresses
 * may be asked for afterwards. */
void symbols_kernel_at(struct symbols *s, const uint64_t *address, size_t count);

/* The running kernel's symbols: every one, its modules' among them. NULL when the kernel hides
 * them. */
const struct symtab *symbols_of_kernel(struct symbols *s);

/* Whether the kernel shows its symbols. -errno and f when it does not: -EACCES, with the remedy,
 * when it would to another. */
int symbols_kernel_check(struct symbols *s, struct fail *f);
