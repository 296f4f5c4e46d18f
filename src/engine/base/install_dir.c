#include "engine/base/install_dir.h"

#include "plat/file.h"

#include <errno.h>
#include <string.h>

static bool is_there(const char *path)
{
    struct image image;
    if (file_map_regular(path, &image, NULL) < 0)
        return false;
    file_unmap(&image);
    return true;
}

static void folder_of(struct buf *path)
{
    char *slash = path->data ? strrchr(path->data, '/') : NULL;
    if (slash) {
        *slash = '\0';
        path->len = (size_t)(slash - path->data);
    }
}

int install_dir_find(const char *const *names, struct buf *out, struct fail *f)
{
    SCOPED_BUF folder = BUF_INIT, path = BUF_INIT;
    int r = file_own_path(&folder, f);
    bool found = false;
    folder_of(&folder);
    for (size_t i = 0; r == 0 && names[i] && !found; i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", buf_str(&folder), names[i]);
        found = is_there(buf_str(&path));
    }
    if (found)
        file_realpath(buf_str(&path), out);
    else if (r == 0)
        r = fail_set(f, ENOENT, "%s: no %s", buf_str(&folder), names[0]);
    return r;
}
