#include "engine/sampling/cgroups.h"

#include "core/base/time_ns.h"
#include "plat/cgroups.h"
#include "plat/clock.h"

#include <string.h>

void cgroup_paths_release(struct cgroup_paths *g)
{
    imap_release(&g->of_number);
    intern_release(&g->path);
}

static void note_path(void *arg, uint64_t number, const char *path)
{
    struct cgroup_paths *g = arg;
    uint32_t i = intern_string(&g->path, path);
    uint64_t *of = i == INTERN_NONE ? NULL : imap_at(&g->of_number, number);
    if (of)
        *of = (uint64_t)i + 1;
}

/* A number that is in no path, of a hierarchy of version 1, does not cost a look at all for each
 * of its samples. */
static void walk(struct cgroup_paths *g)
{
    uint64_t now = clock_mono_ns();
    if (g->walked_ns && now - g->walked_ns < NS_PER_S)
        return;
    cgroups_each(note_path, g);
    g->walked_ns = now;
}

bool cgroup_paths_find(struct cgroup_paths *g, uint64_t number, struct buf *path)
{
    uint64_t i = imap_get(&g->of_number, number);
    if (!i) {
        walk(g);
        i = imap_get(&g->of_number, number);
    }
    const char *found = i ? intern_string_at(&g->path, (uint32_t)i - 1) : "/";
    bool inside = strcmp(found, "/") != 0;
    if (inside)
        buf_adds(path, found);
    return inside;
}
