#include "web_usage.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/stats/usage.h"
#include "plat/sysfile.h"
#include "processes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 4096 };

struct web_usage {
    struct usage_processes processes;
    struct usage_cgroup *group;
    size_t groups, group_cap;
    size_t root_len; /* of the path where they are mounted */
    struct buf text;
    uint64_t read_ns;
};

struct web_usage *web_usage_new(void)
{
    return calloc(1, sizeof(struct web_usage));
}

static void clear_groups(struct web_usage *u)
{
    for (size_t i = 0; i < u->groups; i++)
        free(u->group[i].path);
    u->groups = 0;
}

void web_usage_free(struct web_usage *u)
{
    if (!u)
        return;
    clear_groups(u);
    free(u->group);
    usage_release(&u->processes);
    buf_release(&u->text);
    free(u);
}

/* --- processes --- */

static void add_process(void *arg, const struct usage_process *p)
{
    usage_add(arg, p);
}

static void read_processes(struct web_usage *u)
{
    usage_begin(&u->processes);
    stats_processes_read(add_process, &u->processes);
    usage_end(&u->processes);
}

/* --- control groups --- */

static const char *read_file(const char *folder, const char *name, struct buf *text)
{
    SCOPED_BUF path = BUF_INIT;
    buf_printf(&path, "%s/%s", folder, name);
    int r = sysfile_text(buf_str(&path), text, NULL);
    return r == 0 && !buf_error(text) ? buf_str(text) : NULL;
}

static void read_group(const char *folder, struct usage_cgroup *out)
{
    struct buf text[5] = {BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT};
    const struct usage_cgroup_texts from = {
        read_file(folder, "cpu.stat", &text[0]), read_file(folder, "memory.current", &text[1]),
        read_file(folder, "pids.current", &text[2]), read_file(folder, "io.stat", &text[3]),
        read_file(folder, "memory.events", &text[4])};
    usage_cgroup_read(&from, out);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        buf_release(&text[i]);
}

static void add_group(struct web_usage *u, const char *folder)
{
    const char *path = folder + u->root_len;
    if (!grow_within(&u->group, &u->group_cap, u->groups, USAGE_CGROUPS, sizeof *u->group))
        return;
    struct usage_cgroup *g = &u->group[u->groups];
    *g = (struct usage_cgroup){.path = strdup(*path ? path : "/")};
    if (!g->path)
        return;
    read_group(folder, g);
    u->groups++;
}

/* What can be listed in a group's folder is a group in it. */
static void add_groups(struct web_usage *u, const char *folder, unsigned depth)
{
    SCOPED_BUF names = BUF_INIT, below = BUF_INIT;
    if (sysfile_names(folder, MAX_NAMES, &names, NULL) < 0)
        return;
    add_group(u, folder);
    for (size_t at = 0; depth < USAGE_CGROUP_DEPTH && at < names.len;
         at += strlen(names.data + at) + 1) {
        buf_clear(&below);
        buf_printf(&below, "%s/%s", folder, names.data + at);
        add_groups(u, buf_str(&below), depth + 1);
    }
}

/* Of version 2 alone; where both are mounted, it is in `unified'. */
static void read_groups(struct web_usage *u)
{
    static const char *const root[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    clear_groups(u);
    for (size_t i = 0; i < sizeof root / sizeof *root && !u->groups; i++) {
        SCOPED_BUF text = BUF_INIT;
        u->root_len = strlen(root[i]);
        if (read_file(root[i], "cgroup.controllers", &text))
            add_groups(u, root[i], 0);
    }
}

void web_usage_add(struct web_usage *u, uint64_t now_ns, struct buf *out)
{
    if (!u->read_ns || now_ns - u->read_ns >= NS_PER_S) {
        u->read_ns = now_ns;
        read_processes(u);
        read_groups(u);
        buf_clear(&u->text);
        usage_openmetrics(&u->processes, &u->text);
        usage_cgroups_openmetrics(u->group, u->groups, &u->text);
    }
    buf_add(out, u->text.data, u->text.len);
}
