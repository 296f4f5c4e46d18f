/* The files of a recording's modules, if they are here. */
#include "plat/folder.h"
#include "plat/guard.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>

static bool recorded_file(struct symbols *s, struct module *m, const char *path)
{
    struct image image;
    if (file_map_regular(path, &image, NULL) == 0)
        symbols_set_image(s, m, &image);
    return m->elf;
}

static bool recorded_debug(struct symbols *s, struct module *m)
{
    const struct module_identity *by = &m->identity;
    SCOPED(debugfile_paths_release) struct debugfile_paths paths;
    struct image image;
    debugfile_by_id(s->search, by->build_id, by->build_id_len, &paths);
    symbols_add_cached(s, by->build_id, by->build_id_len, &paths);
    for (size_t i = 0; i < paths.count && !m->elf; i++)
        if (symbols_map_found(m, paths.path[i], debugfile_is_cached(&paths, i), &image, NULL) == 0)
            symbols_set_image(s, m, &image);
    return m->elf;
}

struct summing {
    const struct module *module;
    struct module_file sum;
};

static int add_up(void *arg)
{
    struct summing *a = arg;
    return module_sum(a->module, &a->sum) ? 0 : -ENODATA;
}

/* Whether the file that was found is the one whose checksum was recorded; else it is let go. */
static bool verify_recorded(struct module *m)
{
    struct summing a = {.module = m};
    if (m->elf && guard_call(add_up, &a, NULL) == 0 && a.sum.bytes == m->recorded.bytes &&
        a.sum.sum == m->recorded.sum)
        return true;
    elf_close(m->elf);
    m->elf = NULL;
    return false;
}

/* Under its path here. */
static bool recorded_path(struct symbols *s, struct module *m, enum symbols_trust trust)
{
    struct image image;
    struct proc_mapping at = {.path = m->path,
                              .major = m->identity.major,
                              .minor = m->identity.minor,
                              .inode = m->identity.inode};
    if (m->recorded.bytes)
        return recorded_file(s, m, m->path) && verify_recorded(m);
    if (m->identity.build_id_len || !at.inode || trust != SYMBOLS_MADE_HERE) {
        m->by_path = !m->identity.build_id_len;
        return recorded_file(s, m, m->path);
    }
    if (proc_image(&at, &image, NULL) < 0)
        return false;
    symbols_set_image(s, m, &image);
    return m->elf != NULL;
}

static void none_is_here(struct module *m, enum symbols_trust trust)
{
    struct folder_file there;
    module_set_why(m, "no file with its build-id was found");
    m->replaced = trust == SYMBOLS_MADE_HERE && folder_stat(m->path, &there, NULL) == 0;
}

void symbols_need_recorded(struct symbols *s, struct module *m, enum symbols_trust trust)
{
    SCOPED_BUF below = BUF_INIT;
    bool has_id = m->identity.build_id_len > 0;
    if (!m->file || m->elf)
        return;
    if (s->search->sysroot)
        buf_printf(&below, "%s%s", s->search->sysroot, m->path);
    if (below.len && recorded_file(s, m, buf_str(&below)))
        ;
    else if (!has_id && !m->recorded.bytes && trust == SYMBOLS_BUILD_ID)
        module_set_why(m, "it has no build-id to find its file by");
    else if (!recorded_path(s, m, trust) && !(has_id && recorded_debug(s, m)))
        none_is_here(m, trust);
}

void symbols_need_vdso(struct symbols *s, struct module *m, uint64_t start, uint64_t end,
                       bool made_here)
{
    struct image image;
    struct proc_mapping own = {.start = start, .end = end, .path = "[vdso]"};
    bool may_be = made_here || m->identity.build_id_len;
    if (!m->elf && may_be && proc_image(&own, &image, NULL) == 0)
        symbols_set_image(s, m, &image);
    if (!m->elf)
        module_set_why(m, "no copy of the vdso");
}
