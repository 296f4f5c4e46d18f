#include "plat/sysfile.h"

#include "plat/file.h"
#include "plat/folder.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

int sysfile_text(const char *path, struct buf *out, struct fail *f)
{
    return file_read(path, SYSFILE_MOST, out, f);
}

int sysfile_names(const char *path, size_t most, struct buf *out, struct fail *f)
{
    return folder_names(path, most, out, f);
}

int sysfile_link(const char *path, struct buf *out, struct fail *f)
{
    char to[PATH_MAX];
    ssize_t n = readlink(path, to, sizeof to);
    if (n < 0)
        return fail_set(f, errno, "%s", path);
    buf_add(out, to, (size_t)n);
    return 0;
}

int sysfile_open(const char *path, struct fail *f)
{
    return folder_open(path, true, false, false, f);
}

size_t sysfile_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

int sysfile_self(void)
{
    return (int)getpid();
}
