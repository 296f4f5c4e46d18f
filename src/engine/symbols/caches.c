/* The caches in which other tools keep debug files. */
#include "private.h"

#include <errno.h>
#include <stdlib.h>

static const char *absolute_path(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

/* As debuginfod_find_debuginfo(3) chooses it. */
static void find_debuginfod(struct buf *dir)
{
    const char *own = absolute_path("DEBUGINFOD_CACHE_PATH");
    const char *caches = absolute_path("XDG_CACHE_HOME"), *home = absolute_path("HOME");
    if (own)
        buf_adds(dir, own);
    else if (caches)
        buf_printf(dir, "%s/debuginfod_client", caches);
    else if (home)
        buf_printf(dir, "%s/.cache/debuginfod_client", home);
}

static void find_perf(struct buf *dir)
{
    const char *home = absolute_path("HOME");
    if (home)
        buf_printf(dir, "%s/.debug", home);
}

static const char *text_of(const struct buf *dir)
{
    return dir->len && !buf_error(dir) ? buf_str(dir) : NULL;
}

void symbols_add_cached(const struct symbols *s, const uint8_t *id, size_t id_len,
                        struct debugfile_paths *out)
{
    SCOPED_BUF debuginfod = BUF_INIT, perf = BUF_INIT;
    if (s->search->dirs == 0) {
        find_debuginfod(&debuginfod);
        find_perf(&perf);
    }
    struct debugfile_caches caches = {text_of(&debuginfod), text_of(&perf)};
    debugfile_cached(&caches, id, id_len, out);
}

int symbols_map_found(struct module *m, const char *path, bool cached, struct image *out,
                      struct fail *f)
{
    int r = cached ? file_map_owned(path, out, f) : file_map_regular(path, out, f);
    if (r == -EPERM && cached)
        module_set_note(m, "%s: belongs to another user: not used", path);
    return r;
}
