/*
 * module: a file (or the vDSO, or memory without a file) whose code was mapped into a profiled
 * process; and the table of them, each file once however many processes map it.
 */
#ifndef PSUITE_CORE_MODULE_H
#define PSUITE_CORE_MODULE_H

#include "core/elf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What tells two files of one path apart. What is not known is 0 and matches everything. */
struct module_identity {
    uint32_t major, minor;
    uint64_t inode;
    uint8_t build_id[20];
    size_t build_id_len;
};

struct module {
    size_t id;  /* index in the table */
    char *path; /* without " (deleted)"; "[vdso]", "[anon]" and the like for what is no file */
    const char *name; /* its last part */
    bool deleted;     /* the path was gone when it was mapped */
    bool file;        /* false: memory without a file */
    struct module_identity identity;
    struct elf_module *elf; /* NULL: not there, or no ELF file; why says which */
    char why[160];          /* why elf is NULL, in words; empty when it is not */
};

struct modules {
    struct module **module;
    size_t count;
};

void modules_release(struct modules *t); /* images stay the caller's */

/* The module of that path and identity, made when new (*is_new, may be NULL). NULL when memory
 * ends. */
struct module *module_intern(struct modules *t, const char *path, const struct module_identity *id,
                             bool *is_new);

/* Gives it its bytes, which must outlive it. A build-id that contradicts the identity is refused:
 * -ESTALE, and why says that the file was replaced. */
int module_set_image(struct module *m, const uint8_t *bytes, size_t len);
void module_set_why(struct module *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Link-time address of a file offset, when the module is known. */
bool module_vaddr(const struct module *m, uint64_t file_offset, uint64_t *vaddr);

#endif
