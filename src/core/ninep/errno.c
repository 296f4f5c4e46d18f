#include "core/ninep/client.h"

#include <errno.h>

/* Error texts of Plan 9's kernel and file servers, and of Unix. The first match counts. */
static const struct {
    const char *words;
    int err;
} meaning[] = {
    {"does not exist", ENOENT},
    {"No such file", ENOENT},
    {"not found", ENOENT},
    {"permission denied", EACCES},
    {"Permission denied", EACCES},
    {"not permitted", EPERM},
    {"not a directory", ENOTDIR},
    {"Not a directory", ENOTDIR},
    {"is a directory", EISDIR},
    {"Is a directory", EISDIR},
    {"already exists", EEXIST},
    {"File exists", EEXIST},
    {"in use", EBUSY},
    {"busy", EBUSY},
    {"process exited", ESRCH},
    {"No such process", ESRCH},
    {"read-only", EROFS},
    {"Read-only", EROFS},
    {"name too long", ENAMETOOLONG},
    {"count too small", EMSGSIZE},
    {"unknown device", ENODEV},
    {"i/o error", EIO},
    {"interrupted", EINTR},
    {"bad use of fid", EBADF},
    {"inappropriate use", EBADF},
    {"not supported", EOPNOTSUPP},
};

static bool has_words(struct ninep_text t, const char *words)
{
    return memmem(t.at, t.len, words, strlen(words)) != NULL;
}

int ninep_errno(struct ninep_text words)
{
    for (size_t i = 0; i < sizeof meaning / sizeof *meaning; i++)
        if (has_words(words, meaning[i].words))
            return meaning[i].err;
    return 0;
}
