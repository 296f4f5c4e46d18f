/*
 * space: which module stands at an address of which process, kept up as processes map, fork and
 * exec.
 */
#ifndef PSUITE_CORE_SAMPLE_SPACE_H
#define PSUITE_CORE_SAMPLE_SPACE_H

#include "core/containers/imap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct space_map {
    uint64_t start, end;
    uint64_t file_offset; /* of the byte at start; start itself for memory without a file */
    size_t module;
};

struct spaces {
    struct space *space;
    size_t count, cap;
    struct imap of_pid; /* pid -> index + 1 */
};

void spaces_release(struct spaces *s);

/* All return 0 or -ENOMEM. A mapping replaces what it overlaps. */
int spaces_map(struct spaces *s, uint32_t pid, const struct space_map *map);
int spaces_fork(struct spaces *s, uint32_t pid,
                uint32_t parent);                /* pid starts with a copy of parent's maps */
int spaces_exec(struct spaces *s, uint32_t pid); /* starts empty */

/* The mapping that covers pc in pid, NULL when none does. */
const struct space_map *spaces_find(const struct spaces *s, uint32_t pid, uint64_t pc);

/* Whether pid has mapped the module. */
bool spaces_has(const struct spaces *s, uint32_t pid, size_t module);

#endif
