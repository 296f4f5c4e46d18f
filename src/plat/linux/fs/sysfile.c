#include "plat/sysfile.h"

#include "plat/file.h"
#include "plat/folder.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/*
 * A file of /proc is filled a page of complete lines at a time: what comes back shorter than this
 * is all, as lines are no longer than the rest of the page. An attribute of /sys is a page at most,
 * and is complete.
 */
enum { ALL_PROC = 1024, ALL_SYS = 4096, CHUNK_BYTES = 16384 };

/* These are read over and over: they stay open. */
static struct {
    const char *path;
    int handle; /* over 0: it is open */
} cached[] = {{"/proc/stat", 0},       {"/proc/loadavg", 0},      {"/proc/meminfo", 0},
              {"/proc/vmstat", 0},     {"/proc/net/dev", 0},      {"/proc/net/route", 0},
              {"/proc/diskstats", 0},  {"/proc/pressure/cpu", 0}, {"/proc/pressure/memory", 0},
              {"/proc/pressure/io", 0}};

static int *cached_handle(const char *path)
{
    for (size_t i = 0; i < sizeof cached / sizeof *cached; i++)
        if (strcmp(cached[i].path, path) == 0)
            return &cached[i].handle;
    return NULL;
}

/* Appends what is available; all: fewer bytes than this mean the end of the file. */
static int read_text(int fd, size_t all, struct buf *out)
{
    for (size_t had = 0;;) {
        void *at = buf_reserve(out, CHUNK_BYTES);
        if (!at)
            return -ENOMEM;
        ssize_t n = pread(fd, at, CHUNK_BYTES, (off_t)had);
        if (n < 0)
            return -errno;
        buf_commit(out, (size_t)n);
        if (n == 0 || (had == 0 && (size_t)n < all))
            return 0;
        had += (size_t)n;
        if (had > SYSFILE_MAX_BYTES)
            return -EFBIG;
    }
}

int sysfile_text(const char *path, struct buf *out, struct fail *f)
{
    bool sys = strncmp(path, "/sys/", 5) == 0;
    int *keep = sys ? NULL : cached_handle(path);
    if (!sys && !keep)
        return file_read(path, SYSFILE_MAX_BYTES, out, f);
    int fd = keep && *keep > 0 ? *keep : open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_text(fd, sys ? ALL_SYS : ALL_PROC, out);
    if (keep)
        *keep = r < 0 ? 0 : fd;
    if (!keep || r < 0)
        descriptor_close(&fd);
    return r < 0 ? fail_set(f, -r, "%s", path) : 0;
}

int sysfile_names(const char *path, size_t max_names, struct buf *out, struct fail *f)
{
    return folder_names(path, max_names, out, f);
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
