/* Names into elements, and a failure into Plan 9's words. */
#include "core/ns/ns.h"

#include <errno.h>
#include <string.h>

/* One element of len bytes, copied to *room. */
static int add_element(struct ns_elements *e, char **dst, const char *name, size_t len)
{
    if (len == 1 && name[0] == '.')
        return 0;
    if (len == 2 && memcmp(name, "..", 2) == 0) {
        if (e->count && e->at[e->count - 1][0] != '#')
            e->count--;
        return 0;
    }
    if (len > NS_NAME_MAX || e->count == NS_DEPTH_MAX)
        return -ENAMETOOLONG;
    memcpy(*dst, name, len);
    (*dst)[len] = '\0';
    e->at[e->count++] = *dst;
    *dst += len + 1;
    return 0;
}

int ns_split(const char *name, struct ns_elements *out, struct fail *f)
{
    char *dst = out->text;
    size_t len;
    int r = strlen(name) > NS_PATH_MAX - 1 ? -ENAMETOOLONG : 0;
    out->count = 0;
    for (const char *s = name; r == 0 && *s; s += len + (s[len] == '/')) {
        len = strcspn(s, "/");
        if (len)
            r = add_element(out, &dst, s, len);
    }
    return r < 0 ? fail_set(f, -r, "%.128s", name) : 0;
}

static const struct {
    int err;
    const char *words;
} errors[] = {
    {ENOENT, "file does not exist"},
    {EACCES, "permission denied"},
    {EPERM, "permission denied"},
    {EISDIR, "file is a directory"},
    {ENOTDIR, "not a directory"},
    {EEXIST, "file already exists"},
    {EBADF, "inappropriate use of fd"},
    {EBUSY, "device or object already in use"},
    {ESRCH, "process exited"},
    {ENAMETOOLONG, "name too long"},
    {EIO, "i/o error"},
    {EINVAL, "bad arg in system call"},
    {EMSGSIZE, "i/o count too small"},
    {EFBIG, "read or write too large"},
    {ENODEV, "unknown device in # filename"},
    {EINTR, "interrupted"},
    {EPIPE, "i/o on hungup channel"},
};

const char *ns_error(const struct fail *f)
{
    if (!f->err)
        return f->what;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].err == f->err)
            return errors[i].words;
    return strerror(f->err);
}
