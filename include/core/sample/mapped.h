/*
 * mapped: which code is mapped where: modules, the address space of each process, the ranges of the
 * kernel and its modules. It is filled from /proc/PID/maps, records, and a kernel's symbols; a
 * sampling follows it, a question about a process's addresses asks it once.
 */
#pragma once

#include "core/sample/space.h"
#include "core/symbol/module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfrec;

enum { MAPPED_MAX_MODULES = 0xfff0 };

/* The pid under which the kernel's own mappings go, as perf has it. */
#define MAPPED_KERNEL ((uint32_t)-1)

struct mapped_code {
    uint64_t start, end;
};

struct mapped {
    struct modules modules;
    struct spaces spaces;
    uint32_t pid;       /* whose program the main module is; 0: none */
    size_t main_module; /* SIZE_MAX until known */
    int err;            /* -ENOMEM once out of memory: earlier mappings are kept */

    /* Called for a module seen for the first time, mapped in pid at [start, end): gives it its
     * image, if it can. May be NULL. */
    void (*need_image)(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end);
    void *arg;
};

void mapped_init(struct mapped *d, uint32_t pid);
void mapped_release(struct mapped *d);

/* A mapping of code; its module is found or made by path and identity. */
void mapped_add(struct mapped *d, uint32_t pid, const struct space_map *at, const char *path,
                const struct module_identity *id);

/* What a process has mapped already: /proc/PID/maps as text; the path of its program. */
void mapped_maps(struct mapped *d, uint32_t pid, const char *program, const char *maps_text);

/* Where the kernel ("[kernel]") or one of its modules ("[ext4]") is. */
void mapped_kernel(struct mapped *d, uint64_t start, uint64_t end, const char *name);

/* Follows a record of a mapping, a fork or an exec; others change nothing. */
void mapped_add_record(struct mapped *d, const struct perfrec *r);

/* --- asking --- */

struct module *mapped_main(const struct mapped *d); /* NULL until known */

/* The module that a process has mapped at an address, and which place in its file that is; NULL. */
struct module *mapped_at(const struct mapped *d, uint32_t pid, uint64_t address, uint64_t *offset);

/* The kernel or one of its modules, by its name; NULL when not known. */
struct module *mapped_kernel_named(const struct mapped *d, const char *name);

/* Where it is; false when not known. */
bool mapped_kernel_at(const struct mapped *d, const char *name, struct mapped_code *out);
