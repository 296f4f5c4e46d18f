#include "core/module.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char deleted_mark[] = " (deleted)";

void modules_release(struct modules *t)
{
    for (size_t i = 0; i < t->count; i++) {
        elf_close(t->module[i]->elf);
        free(t->module[i]->path);
        free(t->module[i]);
    }
    free(t->module);
    *t = (struct modules){0};
}

static size_t path_len(const char *path)
{
    size_t len = strlen(path), mark = sizeof deleted_mark - 1;
    return len > mark && strcmp(path + len - mark, deleted_mark) == 0 ? len - mark : len;
}

static bool compatible(const struct module_identity *a, const struct module_identity *b)
{
    if (a->inode && b->inode &&
        (a->inode != b->inode || a->major != b->major || a->minor != b->minor))
        return false;
    return !a->build_id_len || !b->build_id_len ||
           (a->build_id_len == b->build_id_len &&
            memcmp(a->build_id, b->build_id, a->build_id_len) == 0);
}

static void learn(struct module_identity *have, const struct module_identity *more)
{
    if (!have->inode) {
        have->inode = more->inode;
        have->major = more->major;
        have->minor = more->minor;
    }
    if (!have->build_id_len) {
        memcpy(have->build_id, more->build_id, sizeof have->build_id);
        have->build_id_len = more->build_id_len;
    }
}

static struct module *module_new(const char *path, size_t len, const struct module_identity *id)
{
    struct module *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->path = strndup(path, len);
    if (!m->path) {
        free(m);
        return NULL;
    }
    const char *slash = strrchr(m->path, '/');
    m->file = path[0] == '/' && strncmp(path, "//", 2) != 0;
    m->name = m->file ? slash + 1 : m->path;
    m->deleted = path[len] != '\0';
    m->identity = *id;
    module_set_why(m, "its file was not read");
    return m;
}

struct module *module_intern(struct modules *t, const char *path, const struct module_identity *id,
                             bool *is_new)
{
    if (path[0] == '\0' || strcmp(path, "//anon") == 0)
        path = "[anon]";
    size_t len = path_len(path);
    if (is_new)
        *is_new = false;
    for (size_t i = 0; i < t->count; i++) {
        struct module *m = t->module[i];
        if (strncmp(m->path, path, len) == 0 && m->path[len] == '\0' &&
            compatible(&m->identity, id)) {
            learn(&m->identity, id);
            return m;
        }
    }
    struct module **grown = realloc(t->module, (t->count + 1) * sizeof(struct module *));
    if (!grown)
        return NULL;
    t->module = grown;
    struct module *m = module_new(path, len, id);
    if (!m)
        return NULL;
    m->id = t->count;
    t->module[t->count++] = m;
    if (is_new)
        *is_new = true;
    return m;
}

int module_set_image(struct module *m, const uint8_t *bytes, size_t len)
{
    struct fail f;
    const uint8_t *id;
    int r = elf_open(bytes, len, &m->elf, &f);
    if (r < 0) {
        module_set_why(m, "%s", f.what);
        return r;
    }
    size_t id_len = elf_build_id(m->elf, &id);
    struct module_identity read = {.build_id_len = id_len <= sizeof read.build_id ? id_len : 0};
    memcpy(read.build_id, id ? id : read.build_id, read.build_id_len);
    if (!compatible(&m->identity, &read)) {
        elf_close(m->elf);
        m->elf = NULL;
        module_set_why(m, "the file was replaced since it was mapped");
        return -ESTALE;
    }
    learn(&m->identity, &read);
    m->why[0] = '\0';
    return 0;
}

void module_set_why(struct module *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->why, sizeof m->why, fmt, ap);
    va_end(ap);
}

bool module_vaddr(const struct module *m, uint64_t file_offset, uint64_t *vaddr)
{
    return m->elf && elf_vaddr(m->elf, file_offset, vaddr);
}
