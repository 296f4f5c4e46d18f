#include "plat/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_TEXT = 64 << 20, MOST_VDSO = 1 << 20 };

int proc_text(int pid, const char *name, struct buf *out, struct fail *f)
{
    char path[64 + NAME_MAX];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int r = file_read(path, MOST_TEXT, out, f);
    return r == -ENOENT ? fail_set(f, ESRCH, "process %d", pid) : r;
}

uint64_t proc_ticks_hz(void)
{
    return (uint64_t)sysconf(_SC_CLK_TCK);
}

void proc_program(int pid, struct buf *out)
{
    char path[64], program[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    ssize_t n = readlink(path, program, sizeof program);
    if (n > 0)
        buf_add(out, program, (size_t)n);
}

int proc_threads(int pid, int *out, int most, struct fail *f)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    if (!dir)
        return fail_set(f, errno == ENOENT ? ESRCH : errno, "process %d", pid);
    int n = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        int tid = atoi(e->d_name);
        if (tid <= 0)
            continue;
        if (n < most)
            out[n] = tid;
        n++;
    }
    closedir(dir);
    return n;
}

int proc_handle(int pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

void proc_handle_close(int handle)
{
    if (handle >= 0)
        close(handle);
}

bool proc_alive(int pid)
{
    return kill(pid, 0) == 0 || errno == EPERM;
}

/* --- images --- */

enum { MATCHES, DIFFERS, UNSURE };

/* Against the inode the mapping named. Device numbers of stacked file systems differ between maps
 * and stat, so a different device proves nothing, and a different inode only where the device
 * agrees. */
static int same_inode(const struct proc_mapping *at, const char *path)
{
    struct stat st;
    if (at->inode == 0)
        return UNSURE;
    if (stat(path, &st) < 0)
        return DIFFERS;
    if (st.st_ino == at->inode)
        return MATCHES;
    return major(st.st_dev) == at->major && minor(st.st_dev) == at->minor ? DIFFERS : UNSURE;
}

/* Only regular files: a mapped device must not be read to its end. */
static int map_regular(const char *path, struct image *out, struct fail *f)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return fail_set(f, errno, "%s", path);
    if (!S_ISREG(st.st_mode))
        return fail_set(f, ENOEXEC, "%s", path);
    return file_map(path, SIZE_MAX / 2, out, f);
}

static int try_path(const struct proc_mapping *at, const char *path, struct image *out,
                    struct fail *f)
{
    if (same_inode(at, path) == DIFFERS && access(path, F_OK) == 0)
        return fail_set(f, ESTALE, "%s", path);
    return map_regular(path, out, f);
}

static bool copy_memory(int pid, uint64_t start, size_t len, void *to)
{
    struct iovec local = {to, len}, remote = {(void *)(uintptr_t)start, len};
    return start && process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

/* Of the process itself, else our own: the same one, unless the process is of another class. */
static int vdso(const struct proc_mapping *at, struct image *out, struct fail *f)
{
    uint64_t len = at->end - at->start;
    uint8_t *bytes = len <= MOST_VDSO ? malloc((size_t)len) : NULL;
    if (!bytes || (!copy_memory(at->pid, at->start, (size_t)len, bytes) &&
                   !copy_memory(getpid(), getauxval(AT_SYSINFO_EHDR), (size_t)len, bytes))) {
        free(bytes);
        return fail_set(f, ESRCH, "%s", at->path);
    }
    *out = (struct image){bytes, (size_t)len, false};
    return 0;
}

int proc_image(const struct proc_mapping *at, struct image *out, struct fail *f)
{
    char path[PATH_MAX + 64];
    if (strcmp(at->path, "[vdso]") == 0)
        return vdso(at, out, f);
    if (at->path[0] != '/' || at->path[1] == '/')
        return fail_set(f, ENOENT, "%s", at->path);
    snprintf(path, sizeof path, "/proc/%d/map_files/%llx-%llx", at->pid,
             (unsigned long long)at->start, (unsigned long long)at->end);
    if (map_regular(path, out, NULL) == 0)
        return 0;
    snprintf(path, sizeof path, "/proc/%d/root%s", at->pid, at->path);
    int r = try_path(at, path, out, f);
    return r == -ENOENT || r == -EACCES || r == -ESRCH ? try_path(at, at->path, out, f) : r;
}
