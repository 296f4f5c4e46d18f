/*
 * space: finds the module at an address of a process, and follows processes as they map, fork and
 * exec.
 */
#pragma once

#include "core/containers/imap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct space_map {
    uint64_t start, end;
    uint64_t file_offset; /* of the byte at start; start itself for memory without a file */
    size_t module;
};

/* Of all processes together: 128 MB; of those that have ended, 2 MB. */
enum { SPACES_MAPS_MOST = 4 << 20, SPACES_ENDED_MOST = 1 << 16 };

enum { SPACES_FOUND = 16 };

struct spaces {
    struct space *space;
    size_t count, cap;
    size_t maps;        /* there is memory for so many */
    size_t ended[2];    /* of these, of processes that have ended: lately, and before */
    size_t spare;       /* index + 1 of the first space that has no process */
    size_t left_out;    /* mappings over SPACES_MAPS_MOST: what stands there is not known */
    struct imap of_pid; /* pid -> index + 1 */
    struct spaces_found {
        uint32_t pid;
        const struct space_map *map; /* NULL: none */
    } found[SPACES_FOUND]; /* that were looked for last; forgotten whenever a mapping changes */
};

void spaces_release(struct spaces *s);

/* All return 0 or -ENOMEM. A mapping replaces what it overlaps; one that is left out returns 0. */
int spaces_map(struct spaces *s, uint32_t pid, const struct space_map *map);
int spaces_fork(struct spaces *s, uint32_t pid,
                uint32_t parent);                /* pid starts with a copy of parent's maps */
int spaces_exec(struct spaces *s, uint32_t pid); /* starts empty */

/* It has ended: what it had stays until SPACES_ENDED_MOST more have. Unless it is seen to run, as
 * other threads do when the first one has ended. */
void spaces_end(struct spaces *s, uint32_t pid);
void spaces_runs(struct spaces *s, uint32_t pid);

/* The mapping that covers pc in pid, NULL when none does. */
const struct space_map *spaces_find(const struct spaces *s, uint32_t pid, uint64_t pc);

/* The same, for one address after another: most are in a mapping that was found shortly before. */
const struct space_map *spaces_find_again(struct spaces *s, uint32_t pid, uint64_t pc);

/* The first mapping of pid that begins above an address, NULL when there is none. */
const struct space_map *spaces_next(const struct spaces *s, uint32_t pid, uint64_t addr);

/* Whether pid has mapped the module. */
bool spaces_has(const struct spaces *s, uint32_t pid, size_t module);

/* Calls `each' for every mapping of processes that have not ended. */
void spaces_each(const struct spaces *s, void (*each)(void *arg, size_t module), void *arg);

/* Modules have other numbers: to[module], UINT32_MAX of one that is gone, whose mappings go. */
void spaces_renumber(struct spaces *s, const uint32_t *to);
