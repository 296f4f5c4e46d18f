#include "core/sampled.h"

#include "core/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODULES = 0xfff0 };

void sampled_init(struct sampled *s, const struct sampled_want *want)
{
    *s = (struct sampled){.want = *want, .main_module = SIZE_MAX};
}

void sampled_release(struct sampled *s)
{
    modules_release(&s->modules);
    spaces_release(&s->spaces);
    imap_release(&s->of_tid);
    for (size_t i = 0; i < s->place_sets; i++)
        imap_release(&s->places[i]);
    free(s->places);
    free(s->thread);
    *s = (struct sampled){0};
}

static void no_memory(struct sampled *s)
{
    s->err = -ENOMEM;
}

/* --- threads --- */

static size_t spare_thread(struct sampled *s)
{
    if (s->spare) {
        size_t at = s->spare - 1;
        s->spare = 0;
        return at;
    }
    struct sampled_thread *grown = realloc(s->thread, (s->threads + 1) * sizeof *grown);
    if (!grown)
        return SIZE_MAX;
    s->thread = grown;
    return s->threads++;
}

static struct sampled_thread *thread_new(struct sampled *s, uint32_t pid, uint32_t tid)
{
    uint64_t *index = imap_at(&s->of_tid, tid);
    size_t at = spare_thread(s);
    if (!index || at == SIZE_MAX) {
        no_memory(s);
        return NULL;
    }
    s->thread[at] = (struct sampled_thread){.pid = pid, .tid = tid};
    *index = at + 1;
    return &s->thread[at];
}

/* A thread that ended unsampled leaves its room to the next: many short ones cost nothing. */
static void thread_ended(struct sampled *s, uint32_t tid)
{
    size_t i = (size_t)imap_get(&s->of_tid, tid);
    if (!i)
        return;
    *imap_at(&s->of_tid, tid) = 0;
    if (s->thread[i - 1].samples || s->spare)
        return;
    s->spare = i;
}

static struct sampled_thread *thread_of(struct sampled *s, uint32_t pid, uint32_t tid)
{
    size_t i = (size_t)imap_get(&s->of_tid, tid);
    return i ? &s->thread[i - 1] : thread_new(s, pid, tid);
}

static void set_name(struct sampled_thread *t, const char *name)
{
    size_t len = strcspn(name, "\n");
    if (len >= sizeof t->name)
        len = sizeof t->name - 1;
    memcpy(t->name, name, len);
    t->name[len] = '\0';
}

void sampled_name(struct sampled *s, uint32_t pid, uint32_t tid, const char *name)
{
    struct sampled_thread *t = thread_of(s, pid, tid);
    if (t)
        set_name(t, name);
}

static void thread_started(struct sampled *s, const struct perfrec *r)
{
    char name[16] = "";
    size_t parent = (size_t)imap_get(&s->of_tid, r->ptid);
    if (parent)
        memcpy(name, s->thread[parent - 1].name, sizeof name);
    struct sampled_thread *t = thread_new(s, r->pid, r->tid);
    if (t)
        memcpy(t->name, name, sizeof name);
}

/* --- mappings --- */

static void map_module(struct sampled *s, uint32_t pid, const struct space_map *at,
                       const char *path, const struct module_identity *id)
{
    bool is_new;
    struct module_identity whose = *id;
    if (module_path_is_private(path))
        whose.pid = pid;
    struct module *m =
        s->modules.count < MOST_MODULES ? module_intern(&s->modules, path, &whose, &is_new) : NULL;
    if (!m) {
        no_memory(s);
        return;
    }
    struct space_map map = *at;
    map.module = m->id;
    if (!m->file)
        map.file_offset = strcmp(m->path, "[vdso]") == 0 ? 0 : at->start;
    if (spaces_map(&s->spaces, pid, &map) < 0)
        no_memory(s);
    if (is_new && s->need_image)
        s->need_image(s->arg, m, pid, at->start, at->end);
    /* The first file that a process maps for execution is its program, the second its dynamic
     * loader. */
    if (s->main_module == SIZE_MAX && m->file && pid == s->want.pid)
        s->main_module = m->id;
}

static void mapped(struct sampled *s, const struct perfrec *r)
{
    struct space_map at = {
        .start = r->start, .end = r->start + r->len, .file_offset = r->file_offset};
    struct module_identity id = {
        .major = r->major, .minor = r->minor, .inode = r->inode, .build_id_len = r->build_id_len};
    memcpy(id.build_id, r->build_id, sizeof id.build_id);
    if (r->executable && at.end > at.start)
        map_module(s, r->pid, &at, r->name, &id);
}

void sampled_maps(struct sampled *s, uint32_t pid, const char *program, const char *text)
{
    struct maps_line line;
    while (maps_next(&text, &line)) {
        struct space_map at = {
            .start = line.start, .end = line.end, .file_offset = line.file_offset};
        struct module_identity id = {.major = line.major, .minor = line.minor, .inode = line.inode};
        if (line.executable)
            map_module(s, pid, &at, line.path, &id);
    }
    /* The program need not be the lowest file in memory: there its link in /proc knows better. */
    for (size_t i = 0; i < s->modules.count && pid == s->want.pid; i++)
        if (strcmp(s->modules.module[i]->path, program) == 0)
            s->main_module = i;
}

static void executed(struct sampled *s, const struct perfrec *r)
{
    if (spaces_exec(&s->spaces, r->pid) < 0)
        no_memory(s);
    if (r->pid == s->want.pid)
        s->main_module = SIZE_MAX;
}

/* --- samples --- */

static struct imap *places_of(struct sampled *s, size_t thread)
{
    size_t want = s->want.threads ? thread : 0;
    if (want < s->place_sets)
        return &s->places[want];
    struct imap *grown = realloc(s->places, (want + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->places = grown;
    memset(s->places + s->place_sets, 0, (want + 1 - s->place_sets) * sizeof *grown);
    s->place_sets = want + 1;
    return &s->places[want];
}

/* Counts a hit at a place; false when there is no room for a new one. */
static bool count(struct sampled *s, size_t thread, uint64_t place)
{
    struct imap *places = places_of(s, thread);
    if (!places)
        return false;
    if (s->place_count >= SAMPLED_MOST_PLACES && !imap_get(places, place))
        return false;
    size_t before = places->used;
    uint64_t *hits = imap_at(places, place);
    if (!hits)
        return false;
    s->place_count += places->used - before;
    ++*hits;
    return true;
}

static void sampled_one(struct sampled *s, const struct perfrec *r)
{
    if (r->mode != PERFREC_USER || (s->want.pid && !s->want.children && r->pid != s->want.pid))
        return;
    struct sampled_thread *t = thread_of(s, r->pid, r->tid);
    if (!t)
        return;
    s->samples++;
    t->samples++;
    const struct space_map *map = spaces_find(&s->spaces, r->pid, r->pc);
    if (map && count(s, (size_t)(t - s->thread),
                     sampled_place(map->module, r->pc - map->start + map->file_offset)))
        return;
    s->outside++;
    t->outside++;
}

void sampled_take(struct sampled *s, const struct perfrec *r)
{
    switch (r->type) {
    case PERFREC_SAMPLE:
        sampled_one(s, r);
        break;
    case PERFREC_MMAP:
    case PERFREC_MMAP2:
        mapped(s, r);
        break;
    case PERFREC_COMM:
        if (r->exec)
            executed(s, r);
        sampled_name(s, r->pid, r->tid, r->name);
        break;
    case PERFREC_FORK:
        if (r->pid != r->ppid && spaces_fork(&s->spaces, r->pid, r->ppid) < 0)
            no_memory(s);
        thread_started(s, r);
        break;
    case PERFREC_LOST:
        s->lost += r->lost;
        break;
    case PERFREC_THROTTLE:
        s->throttled++;
        break;
    case PERFREC_EXIT:
        thread_ended(s, r->tid);
        break;
    case PERFREC_UNTHROTTLE:
        break;
    }
}
