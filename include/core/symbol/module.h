/*
 * module: a file (or the vDSO, or memory without a file) whose code was mapped into a profiled
 * process; and the table of them, each file once however many processes map it.
 */
#pragma once

#include "core/base/budget.h"
#include "core/containers/imap.h"
#include "core/elf/elf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* What distinguishes two files of one path. What is not known is 0 and matches everything. */
struct module_identity {
    uint32_t major, minor;
    uint64_t inode;
    uint8_t build_id[20];
    size_t build_id_len;
    uint32_t pid; /* of memory without a file: whose it is */
};

/* Names that are in no available ELF file, and their source: "jit" "kallsyms"
 * "recording". */
struct module_external {
    const struct symtab *symbols; /* NULL: none */
    const char *source;
    struct symtab *own;  /* symbols, when they are this module's alone */
    size_t bytes;        /* of the files that they were read from */
    uint64_t text_start; /* where its text begins; 0: not known */
};

/* Which file it is, if it has no build-id. */
struct module_file {
    uint64_t bytes, sum; /* 0 bytes: not known */
};

struct module {
    size_t id;  /* index in the table */
    char *path; /* without " (deleted)"; "[vdso]", "[anon]" and the like for what is no file */
    const char *name; /* its last part */
    bool deleted;     /* the path was gone when it was mapped */
    bool file;        /* false: memory without a file */
    struct module_identity identity;
    struct elf_module *elf;   /* NULL: not there, or no ELF file; why says which */
    char why[160];            /* why elf is NULL, in words; empty when it is not */
    struct elf_module *debug; /* the file that holds its symbols, when that is another */
    char *debug_path;
    struct elf_module
        *alt;    /* what several debug files share (.gnu_debugaltlink of one of the two) */
    bool kernel; /* the kernel, or a module of it; its offsets are addresses */
    bool wait;   /* none: it marks in a chain that the thread waits (core/sample/sampled.h) */
    bool ended;  /* none: it has the samples of modules that left (core/sample/forget.h) */
    struct module_file recorded; /* as recorded */
    bool replaced; /* the file at its path is not the one that was recorded on this machine */
    bool sought;   /* the file that a recording names was looked for */
    bool by_path;  /* a recording has its path alone: that its file here is the one that ran is not
                      known */
    bool linked;   /* its offsets are link-time addresses: it comes from a recording */
    struct module_external external; /* its symbols from elsewhere, without a file */
    bool crashed;                    /* reading one of its files did; see the note */
    struct budget memory;   /* its share of what all files may take, with its debug files */
    bool incomplete;        /* some of it was over that share */
    char note[200];         /* a warning about its symbols; empty: none */
    struct lines *lines;    /* its debug information, once asked for; NULL: none */
    uint64_t lines_touched; /* lines_touched of it, as of the last question */
    bool lines_asked;
    struct cfi *cfi; /* how its functions are left, once asked for; NULL: none */
    bool cfi_asked;
    bool ready;          /* its symbols have been looked for (engine/symbols/symbols.h) */
    uint64_t used_ns;    /* when a process that runs had it mapped (core/sample/forget.h); 0: not
                            looked at yet */
    bool closed;         /* module_close */
    size_t next_of_path; /* number + 1 of the next in the table whose path has the same hash */
    size_t last_of_path; /* of the first with a hash: the number of the last */
};

struct modules {
    struct module **module;
    size_t count, cap;
    struct imap of_path; /* a path's hash -> number + 1 of the first that has it */
};

void modules_release(struct modules *t); /* images stay the caller's */

/* Frees what was made of its files; the module and its paths stay until module_free. */
void module_close(struct module *m);
void module_free(struct module *m); /* one that is in no table any more */

/* The module of that path and identity, made when new (*is_new, may be NULL). NULL when memory
 * ends. */
struct module *module_intern(struct modules *t, const char *path, const struct module_identity *id,
                             bool *is_new);

/* Adds a new one, even if there is an equal one. NULL when out of memory. */
struct module *module_append(struct modules *t, const char *path, const struct module_identity *id);

/* Modules get other numbers, in the same order: to[number], UINT32_MAX of one that leaves the table
 * and becomes the caller's. */
void modules_renumber(struct modules *t, const uint32_t *to);

/* Gives it its bytes, which must outlive it. A build-id that contradicts the identity is refused:
 * -ESTALE, and why says that the file was replaced. */
int module_set_image(struct module *m, const uint8_t *bytes, size_t len);
/* Length and checksum of its bytes; false when it has none, or more than MODULE_SUM_MOST: a hole of
 * any length is read as zeros. */
enum { MODULE_SUM_MOST = 1 << 28 };
bool module_sum(const struct module *m, struct module_file *out);
void module_set_why(struct module *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The first note stays. */
void module_set_note(struct module *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A path of /proc/PID/maps that is memory of one process, no file. */
bool module_path_is_private(const char *path);

/* Appends " of process N" for memory of another process than pid (0: of any): memory without a file
 * has the same name in every process. */
void module_owner(const struct module *m, uint32_t pid, struct buf *out);

/* It was compiled while the program ran. */
bool module_jit(const struct module *m);

/* Link-time address of a file offset, when the module is known. Of memory without a file both are
 * the run-time address. */
bool module_vaddr(const struct module *m, uint64_t file_offset, uint64_t *vaddr);

/* The function that covers a link-time address: of the debug file, else of the module's own
 * symbols, else of those from elsewhere. False when none does. The name lives as long as the
 * module. */
bool module_symbol(const struct module *m, uint64_t vaddr, struct symbol *out);

/* Where the function starts that covers an address but has no name; false when that is not known.
 */
bool module_function_start(const struct module *m, uint64_t vaddr, uint64_t *start);
/* The same, and up to where no other function and no symbol starts. */
bool module_function_extent(const struct module *m, uint64_t vaddr, uint64_t *start, uint64_t *end);

/* The function of that name (len bytes); the first, when there are several. */
bool module_symbol_named(const struct module *m, const char *name, size_t len, struct symbol *out);

/* Start of the lowest function, or of the code when there is none; 0 when nothing is known. */
uint64_t module_text(const struct module *m);

/* "none", "dynsym", "symtab", "debug", or another source: where the names come from. */
const char *module_symbol_source(const struct module *m);
