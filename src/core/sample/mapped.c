#include "core/sample/mapped.h"

#include "core/sample/maps.h"

#include <errno.h>
#include <string.h>

void mapped_init(struct mapped *d, uint32_t pid)
{
    *d = (struct mapped){.pid = pid, .main_module = SIZE_MAX};
}

void mapped_release(struct mapped *d)
{
    modules_release(&d->modules);
    spaces_release(&d->spaces);
    *d = (struct mapped){0};
}

static struct module *module_of(struct mapped *d, const char *path,
                                const struct module_identity *id, bool *is_new)
{
    struct module *m = NULL;
    if (d->modules.count < MAPPED_MAX_MODULES)
        m = module_intern(&d->modules, path, id, is_new);
    if (!m)
        d->err = -ENOMEM;
    return m;
}

static void map_module(struct mapped *d, uint32_t pid, const struct space_map *map, bool is_new)
{
    if (spaces_map(&d->spaces, pid, map) < 0)
        d->err = -ENOMEM;
    if (is_new && d->need_image)
        d->need_image(d->arg, d->modules.module[map->module], pid, map->start, map->end);
}

void mapped_add(struct mapped *d, uint32_t pid, const struct space_map *at, const char *path,
                const struct module_identity *id)
{
    bool is_new;
    struct module_identity identity = *id;
    if (module_path_is_private(path))
        identity.pid = pid;
    struct module *m = module_of(d, path, &identity, &is_new);
    if (!m)
        return;
    struct space_map map = *at;
    map.module = m->id;
    if (!m->file)
        map.file_offset = strcmp(m->path, "[vdso]") == 0 ? 0 : at->start;
    map_module(d, pid, &map, is_new);
    /* The first file that a process maps for execution is its program, the second its dynamic
     * loader. */
    if (d->main_module == SIZE_MAX && m->file && pid == d->pid)
        d->main_module = m->id;
}

void mapped_maps(struct mapped *d, uint32_t pid, const char *program, const char *text)
{
    struct maps_line line;
    while (maps_next(&text, &line)) {
        struct space_map at = {
            .start = line.start, .end = line.end, .file_offset = line.file_offset};
        struct module_identity id = {.major = line.major, .minor = line.minor, .inode = line.inode};
        if (line.executable)
            mapped_add(d, pid, &at, line.path, &id);
    }
    /* The program need not be the lowest file in memory: there its link in /proc knows better. */
    for (size_t i = 0; i < d->modules.count && pid == d->pid; i++)
        if (strcmp(d->modules.module[i]->path, program) == 0)
            d->main_module = i;
}

void mapped_kernel(struct mapped *d, uint64_t start, uint64_t end, const char *name)
{
    bool is_new;
    struct module *m = module_of(d, name, &(struct module_identity){0}, &is_new);
    if (!m)
        return;
    m->kernel = true;
    m->external.text_start = start;
    map_module(d, MAPPED_KERNEL, &(struct space_map){start, end, start, m->id}, is_new);
}

struct module *mapped_main(const struct mapped *d)
{
    return d->main_module == SIZE_MAX ? NULL : d->modules.module[d->main_module];
}

struct module *mapped_at(const struct mapped *d, uint32_t pid, uint64_t address, uint64_t *offset)
{
    const struct space_map *map = spaces_find(&d->spaces, pid, address);
    if (!map)
        return NULL;
    *offset = address - map->start + map->file_offset;
    return d->modules.module[map->module];
}

struct module *mapped_kernel_named(const struct mapped *d, const char *name)
{
    for (size_t i = 0; i < d->modules.count; i++) {
        struct module *m = d->modules.module[i];
        if (m->kernel && strcmp(m->name, name) == 0)
            return m;
    }
    return NULL;
}

bool mapped_kernel_at(const struct mapped *d, const char *name, struct mapped_code *out)
{
    const struct module *m = mapped_kernel_named(d, name);
    const struct space_map *map = NULL;
    if (m)
        map = spaces_find(&d->spaces, MAPPED_KERNEL, m->external.text_start);
    if (!map || map->module != m->id)
        return false;
    *out = (struct mapped_code){map->start, map->end};
    return true;
}
