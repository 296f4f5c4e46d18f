/* The files of a recording's modules, if they are here. */
#include "plat/proc.h"
#include "private.h"

static bool recorded_file(struct symbols *s, struct module *m, const char *path)
{
    struct image image;
    if (file_map_regular(path, &image, NULL) < 0)
        return false;
    symbols_give(s, m, &image);
    return m->elf != NULL;
}

static bool recorded_debug(struct symbols *s, struct module *m)
{
    struct debugfile_paths paths;
    debugfile_by_id(s->search, m->identity.build_id, m->identity.build_id_len, &paths);
    for (size_t i = 0; i < paths.count && !m->elf; i++)
        recorded_file(s, m, paths.path[i]);
    debugfile_paths_release(&paths);
    return m->elf != NULL;
}

void symbols_need_recorded(struct symbols *s, struct module *m, bool made_here)
{
    struct buf below = BUF_INIT;
    bool told = m->identity.build_id_len > 0;
    if (!m->file || m->elf)
        return;
    if (s->search->sysroot)
        buf_printf(&below, "%s%s", s->search->sysroot, m->path);
    if (below.len && recorded_file(s, m, buf_str(&below)))
        ;
    else if (!told && !made_here)
        module_set_why(m, "no build-id tells which file it was");
    else if (!recorded_file(s, m, m->path) && !(told && recorded_debug(s, m)))
        module_set_why(m, "no file of its build is here");
    buf_release(&below);
}

void symbols_need_vdso(struct symbols *s, struct module *m, uint64_t start, uint64_t end,
                       bool made_here)
{
    struct image image;
    struct proc_mapping own = {.start = start, .end = end, .path = "[vdso]"};
    bool may_be = made_here || m->identity.build_id_len;
    if (!m->elf && may_be && proc_image(&own, &image, NULL) == 0)
        symbols_give(s, m, &image);
    if (!m->elf)
        module_set_why(m, "no image of the vdso");
}
