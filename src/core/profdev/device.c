#include "core/profdev/device.h"

#include "core/base/grow.h"
#include "core/base/hex.h"
#include "core/base/text.h"
#include "pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void drop_modules(struct profdev *p)
{
    for (size_t i = 0; i < p->modules; i++) {
        free(p->module[i]->before.pair);
        free(p->module[i]->now.pair);
        free(p->module[i]);
    }
    free(p->module);
    p->module = NULL;
    p->modules = p->cap = 0;
}

void profdev_init(struct profdev *p)
{
    *p = (struct profdev){.interval_ms = PROFDEV_INTERVAL_MS, .wanted = BUF_INIT};
}

void profdev_release(struct profdev *p)
{
    drop_modules(p);
    buf_release(&p->wanted);
    profdev_init(p);
}

/* --- messages --- */

static int replace_list(struct profdev *p, const char *names, struct fail *f)
{
    static const char blanks[] = " \t\n";
    struct buf wanted = BUF_INIT;
    size_t len;
    for (; (names += strspn(names, blanks)), (len = strcspn(names, blanks)); names += len) {
        buf_add(&wanted, names, len);
        buf_addc(&wanted, '\0');
    }
    if (buf_error(&wanted)) {
        buf_release(&wanted);
        return fail_set(f, ENOMEM, "module");
    }
    buf_release(&p->wanted);
    p->wanted = wanted;
    return 0;
}

static void start_run(struct profdev *p, const struct profdev_message *m)
{
    if (p->running)
        return;
    p->running = m->kind;
    p->pid = m->pid;
}

static int stop_run(struct profdev *p, struct fail *f)
{
    p->running = PROFDEV_NONE;
    return profdev_settle(p) < 0 ? fail_set(f, ENOMEM, "histogram") : 0;
}

int profdev_apply(struct profdev *p, const struct profdev_message *m, struct fail *f)
{
    switch (m->word) {
    case PROFDEV_MODULE:
        return replace_list(p, m->names, f);
    case PROFDEV_INTERVAL:
        p->interval_ms = m->interval_ms;
        return 0;
    case PROFDEV_START:
        start_run(p, m);
        return 0;
    case PROFDEV_STOP:
        return stop_run(p, f);
    case PROFDEV_END:
        profdev_release(p);
        return 0;
    }
    return 0;
}

/* --- modules --- */

static bool is_named(const char *path, const char *name)
{
    return strcmp(name, path) == 0 || strcmp(name, path_last(path)) == 0;
}

bool profdev_wants(const struct profdev *p, const char *path)
{
    for (size_t at = 0; at < p->wanted.len; at += strlen(p->wanted.data + at) + 1)
        if (is_named(path, p->wanted.data + at))
            return true;
    return !p->wanted.len;
}

bool profdev_wants_program(const struct profdev *p, const char *path)
{
    return p->wanted.len && is_named(path, p->wanted.data);
}

static bool same_file(const struct profdev_file *a, const struct profdev_file *b)
{
    return a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
           strcmp(a->path, b->path) == 0;
}

/* With its path behind it. */
static struct profdev_module *make_module(const struct profdev_file *file, uint32_t id)
{
    size_t len = strlen(file->path) + 1;
    struct profdev_module *m = calloc(1, sizeof *m + len);
    if (!m)
        return NULL;
    char *path = (char *)(m + 1);
    memcpy(path, file->path, len);
    m->id = id;
    m->file = *file;
    m->file.path = path;
    m->name = path_last(path);
    return m;
}

struct profdev_module *profdev_intern(struct profdev *p, const struct profdev_file *file)
{
    for (size_t i = 0; i < p->modules; i++)
        if (same_file(&p->module[i]->file, file))
            return p->module[i];
    if (!profdev_wants(p, file->path) ||
        !grow_within(&p->module, &p->cap, p->modules, PROFDEV_MAX_MODULES, sizeof *p->module))
        return NULL;
    struct profdev_module *m = make_module(file, (uint32_t)p->modules + 1);
    if (m)
        p->module[p->modules++] = m;
    return m;
}

struct profdev_module *profdev_find(const struct profdev *p, uint64_t id)
{
    return id && id <= p->modules ? p->module[id - 1] : NULL;
}

void profdev_id_text(uint32_t id, char out[PROFDEV_ID_BYTES])
{
    snprintf(out, PROFDEV_ID_BYTES, "%08" PRIx32, id);
}

uint32_t profdev_id_of(const char *name)
{
    char again[PROFDEV_ID_BYTES];
    const char *at = name;
    uint64_t id;
    if (!hex_read(&at, &id) || *at || id > UINT32_MAX)
        return 0;
    profdev_id_text((uint32_t)id, again);
    return strcmp(again, name) == 0 ? (uint32_t)id : 0;
}

/* --- counts --- */

void profdev_recount(struct profdev *p)
{
    for (size_t i = 0; i < p->modules; i++)
        p->module[i]->now.count = 0;
}

int profdev_counted(struct profdev_module *m, uint64_t pc, uint64_t count)
{
    return count ? profdev_pairs_add(&m->now, pc, count) : 0;
}

int profdev_settle(struct profdev *p)
{
    int worst = 0;
    for (size_t i = 0; i < p->modules; i++) {
        struct profdev_module *m = p->module[i];
        struct profdev_pairs sum;
        int r = profdev_pairs_merge(&m->before, &m->now, &sum);
        m->now.count = 0;
        if (r < 0) {
            worst = r;
            continue;
        }
        free(m->before.pair);
        m->before = sum;
    }
    return worst;
}
