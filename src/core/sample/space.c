#include "core/sample/space.h"
#include "core/base/grow.h"
#include "core/base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Maps are sorted by start and do not overlap. */
struct space {
    struct space_map *map;
    size_t maps, cap;
    uint32_t pid;
    enum { RUNS, ENDED, ENDED_BEFORE } state;
    size_t spare; /* the next without a process, index + 1 */
};

void spaces_release(struct spaces *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->space[i].map);
    free(s->space);
    imap_release(&s->of_pid);
    *s = (struct spaces){0};
}

static struct space *find_space(const struct spaces *s, uint32_t pid)
{
    size_t i = (size_t)imap_get(&s->of_pid, pid);
    return i ? &s->space[i - 1] : NULL;
}

static void forget_found(struct spaces *s)
{
    memset(s->found, 0, sizeof s->found);
}

/* Index + 1; 0: no memory. */
static size_t new_space(struct spaces *s, uint32_t pid)
{
    size_t at = s->spare;
    if (at)
        s->spare = s->space[at - 1].spare;
    else if (grow(&s->space, &s->cap, s->count, sizeof *s->space))
        at = ++s->count;
    if (at)
        s->space[at - 1] = (struct space){.pid = pid};
    return at;
}

static struct space *space_at(struct spaces *s, uint32_t pid)
{
    uint64_t *index = imap_at(&s->of_pid, pid);
    if (!index)
        return NULL;
    if (!*index)
        *index = new_space(s, pid);
    return *index ? &s->space[*index - 1] : NULL;
}

/* Index of the first map that ends after addr. */
static size_t first_after(const struct space *sp, uint64_t addr)
{
    return FIRST_ABOVE(sp->map, sp->maps, end, addr);
}

static void free_space(struct spaces *s, struct space *sp)
{
    uint64_t *index = imap_at(&s->of_pid, sp->pid);
    if (!index)
        return;
    free(sp->map);
    s->maps -= sp->cap;
    *sp = (struct space){.spare = s->spare};
    s->spare = (size_t)*index;
    *index = 0;
}

/* Of processes that ended before the last call: those of the others may still be asked about. */
static void free_ended(struct spaces *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct space *sp = &s->space[i];
        if (sp->state == ENDED_BEFORE)
            free_space(s, sp);
        else if (sp->state == ENDED)
            sp->state = ENDED_BEFORE;
    }
    s->ended[1] = s->ended[0];
    s->ended[0] = 0;
}

static void set_ended(struct spaces *s, struct space *sp, bool ended)
{
    if ((sp->state != RUNS) == ended)
        return;
    if (ended)
        s->ended[0] += sp->cap;
    else
        s->ended[sp->state == ENDED_BEFORE] -= sp->cap;
    sp->state = ended ? ENDED : RUNS;
}

/* 0; -ENOMEM; -ENOSPC: they are left out. */
static int reserve_maps(struct spaces *s, struct space *sp, size_t more)
{
    if (sp->maps + more <= sp->cap)
        return 0;
    size_t cap = sp->cap * 2 > sp->maps + more ? sp->cap * 2 : sp->maps + more + 16;
    for (int i = 0; i < 2 && cap - sp->cap > SPACES_MAPS_MOST - s->maps; i++)
        free_ended(s);
    if (cap - sp->cap > SPACES_MAPS_MOST - s->maps)
        return -ENOSPC;
    struct space_map *grown = realloc(sp->map, cap * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    s->maps += cap - sp->cap;
    sp->map = grown;
    sp->cap = cap;
    return 0;
}

static int leave_out(struct spaces *s, int why, size_t maps)
{
    if (why != -ENOSPC)
        return why;
    s->left_out += maps;
    return 0;
}

/* Replaces maps [from, to) by the n given. Room is reserved. */
static void splice_maps(struct space *sp, size_t from, size_t to, const struct space_map *with,
                        size_t n)
{
    memmove(sp->map + from + n, sp->map + to, (sp->maps - to) * sizeof *sp->map);
    memcpy(sp->map + from, with, n * sizeof *with);
    sp->maps = sp->maps - (to - from) + n;
}

int spaces_map(struct spaces *s, uint32_t pid, const struct space_map *map)
{
    struct space *sp = space_at(s, pid);
    forget_found(s);
    if (sp)
        set_ended(s, sp, false);
    int r = sp ? reserve_maps(s, sp, 2) : -ENOMEM;
    if (r < 0)
        return leave_out(s, r, 1);
    if (map->end <= map->start)
        return 0;
    size_t from = first_after(sp, map->start), to = from;
    while (to < sp->maps && sp->map[to].start < map->end)
        to++;
    struct space_map with[3];
    size_t n = 0;
    if (from < to && sp->map[from].start < map->start) { /* what sticks out in front */
        with[n] = sp->map[from];
        with[n++].end = map->start;
    }
    with[n++] = *map;
    if (from < to && sp->map[to - 1].end > map->end) { /* and behind */
        with[n] = sp->map[to - 1];
        with[n].file_offset += map->end - with[n].start;
        with[n++].start = map->end;
    }
    splice_maps(sp, from, to, with, n);
    return 0;
}

int spaces_fork(struct spaces *s, uint32_t pid, uint32_t parent)
{
    struct space *to = space_at(s, pid);
    struct space *from = find_space(s, parent);
    forget_found(s);
    if (!to)
        return -ENOMEM;
    set_ended(s, to, false);
    to->maps = 0;
    if (!from || from == to || !from->maps)
        return 0;
    set_ended(s, from, false); /* while it is copied */
    int r = reserve_maps(s, to, from->maps);
    if (r < 0)
        return leave_out(s, r, from->maps);
    splice_maps(to, 0, 0, from->map, from->maps);
    return 0;
}

void spaces_end(struct spaces *s, uint32_t pid)
{
    struct space *sp = find_space(s, pid);
    forget_found(s);
    if (sp)
        set_ended(s, sp, true);
    if (s->ended[0] > SPACES_ENDED_MOST / 2)
        free_ended(s);
}

void spaces_runs(struct spaces *s, uint32_t pid)
{
    struct space *sp = s->ended[0] + s->ended[1] ? find_space(s, pid) : NULL;
    if (sp)
        set_ended(s, sp, false);
}

int spaces_exec(struct spaces *s, uint32_t pid)
{
    struct space *sp = space_at(s, pid);
    forget_found(s);
    if (!sp)
        return -ENOMEM;
    sp->maps = 0;
    return 0;
}

const struct space_map *spaces_find(const struct spaces *s, uint32_t pid, uint64_t pc)
{
    const struct space *sp = find_space(s, pid);
    size_t i = sp ? first_after(sp, pc) : 0;
    return sp && i < sp->maps && sp->map[i].start <= pc ? &sp->map[i] : NULL;
}

/* A program, a library or the kernel is mostly within 64 MB. */
const struct space_map *spaces_find_again(struct spaces *s, uint32_t pid, uint64_t pc)
{
    struct spaces_found *f = &s->found[(pid * 5 + (uint32_t)(pc >> 26)) % SPACES_FOUND];
    if (f->map && f->pid == pid && pc >= f->map->start && pc < f->map->end)
        return f->map;
    *f = (struct spaces_found){pid, spaces_find(s, pid, pc)};
    return f->map;
}

const struct space_map *spaces_next(const struct spaces *s, uint32_t pid, uint64_t addr)
{
    const struct space *sp = find_space(s, pid);
    size_t i = sp ? FIRST_ABOVE(sp->map, sp->maps, start, addr) : 0;
    return sp && i < sp->maps ? &sp->map[i] : NULL;
}

bool spaces_has(const struct spaces *s, uint32_t pid, size_t module)
{
    const struct space *sp = find_space(s, pid);
    for (size_t i = 0; sp && i < sp->maps; i++)
        if (sp->map[i].module == module)
            return true;
    return false;
}

void spaces_each(const struct spaces *s, void (*each)(void *arg, size_t module), void *arg)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; s->space[i].state == RUNS && k < s->space[i].maps; k++)
            each(arg, s->space[i].map[k].module);
}

static void renumber_maps(struct space *sp, const uint32_t *to)
{
    size_t kept = 0;
    for (size_t i = 0; i < sp->maps; i++) {
        struct space_map map = sp->map[i];
        map.module = to[map.module];
        if (map.module != UINT32_MAX)
            sp->map[kept++] = map;
    }
    sp->maps = kept;
}

void spaces_renumber(struct spaces *s, const uint32_t *to)
{
    forget_found(s);
    for (size_t i = 0; i < s->count; i++)
        renumber_maps(&s->space[i], to);
}
