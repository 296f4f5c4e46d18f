/* Files of our own process in a procfs. The kernel allows a process to look at itself, with
 * whatever rights of another user it asks. */
#include "plat/tree.h"

#include "process/descriptors.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

enum { PROC_ROOT = 1 /* its inode */, DEEPEST = 16, NAME = 256 };

struct climb {
    int dir;
    char name[NAME], below[NAME]; /* what leads to dir's files: of dir's child, of that one's */
};

static bool in_procfs(int dir)
{
    struct statfs fs;
    return fstatfs(dir, &fs) < 0 || fs.f_type == PROC_SUPER_MAGIC;
}

static bool is_root(int dir)
{
    struct stat s;
    return fstat(dir, &s) == 0 && s.st_ino == PROC_ROOT;
}

/* The last part of the path of a descriptor. */
static bool own_name(int dir, char out[NAME])
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0 || n == sizeof path - 1)
        return false;
    path[n] = '\0';
    const char *slash = strrchr(path, '/');
    return slash && (size_t)snprintf(out, NAME, "%s", slash + 1) < NAME;
}

static bool climb(struct climb *c)
{
    char name[NAME];
    if (!own_name(c->dir, name))
        return false;
    int up = openat(c->dir, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    close(c->dir);
    c->dir = up;
    memcpy(c->below, c->name, sizeof c->below);
    memcpy(c->name, name, sizeof c->name);
    return up >= 0 && in_procfs(up);
}

/* Whoever may see the process may read these of it. */
static bool for_everybody(const char *name)
{
    static const char *const names[] = {"",          "cgroup",    "cmdline", "comm",
                                        "limits",    "mountinfo", "mounts",  "net",
                                        "oom_score", "statm",     "status"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool of_our_group(int root, const char *name)
{
    char task[32 + NAME];
    snprintf(task, sizeof task, "self/task/%s", name);
    return isdigit((unsigned char)name[0]) &&
           (faccessat(root, task, F_OK, 0) == 0 || (errno != ENOENT && errno != ENOTDIR));
}

static bool is_private(struct climb *c)
{
    for (int i = 0; i < DEEPEST; i++) {
        if (is_root(c->dir))
            return of_our_group(c->dir, c->name) && !for_everybody(c->below);
        if (!climb(c))
            return true;
    }
    return true;
}

bool tree_is_of_ourselves(int at, const char *name)
{
    struct climb c = {.dir = -1};
    if (!in_procfs(at))
        return false;
    c.dir = openat(at, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool is = c.dir < 0 || (size_t)snprintf(c.name, NAME, "%s", name) >= NAME || is_private(&c);
    descriptor_close(&c.dir);
    return is;
}
