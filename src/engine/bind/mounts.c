#include "mounts.h"

#include "plat/file.h"
#include "plat/mount_at.h"
#include "plat/proc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TABLE_BYTES = 16 << 20 };

struct table {
    struct buf text;
    const char *at;
    struct mount_line line;
};

static void table_close(struct table **t)
{
    if (*t)
        buf_release(&(*t)->text);
    free(*t);
    *t = NULL;
}

/* NULL: f says why. */
static struct table *table_open(struct fail *f)
{
    struct table *t = calloc(1, sizeof *t);
    if (!t) {
        fail_set(f, ENOMEM, "mounts");
        return NULL;
    }
    if (file_read("/proc/self/mountinfo", MAX_TABLE_BYTES, &t->text, f) < 0) {
        proc_check(f);
        table_close(&t);
        return NULL;
    }
    t->at = buf_str(&t->text);
    return t;
}

static bool is_ours(const struct mount_line *m)
{
    return strcmp(m->fs_type, MOUNT_KIND) == 0;
}

/* A file by itself, in a union. */
static bool is_shared(const struct mount_line *m)
{
    return strcmp(m->root, "/") != 0;
}

uint64_t bind_device_at(const char *place)
{
    SCOPED(table_close) struct table *t = table_open(NULL);
    uint64_t device = 0;
    while (t && mounts_next(&t->at, &t->line))
        if (strcmp(t->line.mount_point, place) == 0)
            device = is_ours(&t->line) ? t->line.device : 0;
    return device;
}

static bool is_mounted(uint64_t device)
{
    SCOPED(table_close) struct table *t = table_open(NULL);
    while (t && mounts_next(&t->at, &t->line))
        if (t->line.device == device)
            return true;
    return !t;
}

/* The last mount of a device ends its server, also if another mount namespace has a copy; unless
 * open files are to stay open (at_once). */
static int undo_mount(const struct mount_line *m, bool at_once, struct fail *f)
{
    int connection = at_once ? -1 : mount_connection_open(m->device);
    int r = mount_unmount(m->mount_point, at_once, f);
    int e = mount_connection_close(connection, r == 0 && !is_mounted(m->device));
    if (r == 0 && is_shared(m))
        mount_remove_point(m->mount_point);
    if (r == 0 && e < 0)
        r = fail_set(f, -e, "the server of %.128s goes on", m->mount_point);
    return r;
}

void bind_remove_device(uint64_t device)
{
    SCOPED(table_close) struct table *t = table_open(NULL);
    while (t && mounts_next(&t->at, &t->line))
        if (t->line.device == device && is_ours(&t->line))
            undo_mount(&t->line, true, NULL);
}

/* --- those at a directory --- */

static bool is_in(const char *place, const char *dir)
{
    size_t len = strcmp(dir, "/") == 0 ? 0 : strlen(dir);
    return strncmp(place, dir, len) == 0 && place[len] == '/' && !strchr(place + len + 1, '/');
}

static int nothing_there(const char *dir, bool others, struct fail *f)
{
    return fail_set(f, 0,
                    others ? "%s: what is mounted there was not bound by psuite"
                           : "%s: nothing is bound there",
                    dir);
}

/* All single files in it; one that is in use does not keep the others. */
static int remove_union(const char *dir, bool at_once, size_t *found, struct fail *f)
{
    SCOPED(table_close) struct table *t = table_open(f);
    int r = t ? 0 : -EIO;
    while (t && mounts_next(&t->at, &t->line)) {
        if (!is_ours(&t->line) || !is_shared(&t->line) || !is_in(t->line.mount_point, dir))
            continue;
        int e = undo_mount(&t->line, at_once, r < 0 ? NULL : f);
        *found += e == 0;
        r = r < 0 ? r : e;
    }
    return r;
}

/* The latest at it: 1, it was ours and is gone; 0 there is none. */
static int remove_whole(const char *dir, bool at_once, bool *others, struct fail *f)
{
    SCOPED(table_close) struct table *t = table_open(f);
    SCOPED_FREE struct mount_line *last = malloc(sizeof *last);
    bool found = false;
    int r = !t ? -EIO : last ? 0 : fail_set(f, ENOMEM, "mounts");
    while (r == 0 && mounts_next(&t->at, &t->line))
        if (strcmp(t->line.mount_point, dir) == 0) {
            *last = t->line;
            found = true;
        }
    bool ours = found && is_ours(last) && !is_shared(last);
    *others = found && !ours;
    if (ours && (r = undo_mount(last, at_once, f)) == 0)
        r = 1;
    return r;
}

int bind_remove(const char *dir, bool at_once, size_t *found, struct fail *f)
{
    SCOPED_BUF real = BUF_INIT;
    bool others;
    *found = 0;
    file_realpath(dir, &real);
    int r = remove_whole(buf_str(&real), at_once, &others, f);
    if (r > 0)
        *found = 1;
    else if (r == 0)
        r = remove_union(buf_str(&real), at_once, found, f);
    if (r >= 0 && !*found)
        r = nothing_there(dir, others, f);
    return r < 0 ? r : 0;
}

int bind_list(bind_visit *visit, void *arg, struct fail *f)
{
    SCOPED(table_close) struct table *t = table_open(f);
    if (!t)
        return -EIO;
    while (mounts_next(&t->at, &t->line))
        if (is_ours(&t->line))
            visit(arg, t->line.source, is_shared(&t->line) ? t->line.root : "",
                  t->line.mount_point);
    return 0;
}
