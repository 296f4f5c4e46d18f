#include "plat/proc.h"

#include "capability.h"
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
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

enum { MAX_TEXT = 64 << 20, MAX_VDSO = 1 << 20, MAX_JIT = 256 << 20 };

static const char *denied_hint(void)
{
    if (capability_is_ours(CAP_SYS_PTRACE))
        return "a security module or a user namespace protects it";
    return geteuid() ? "another user's process: run as root"
                     : "CAP_SYS_PTRACE is missing here (a container?)";
}

int proc_check(struct fail *f)
{
    if (access("/proc/self", F_OK) == 0)
        return 0;
    fail_set(f, 0, "/proc is not mounted");
    fail_hint(f, "mkdir -p /proc && mount -t proc proc /proc");
    return -ENOENT;
}

/* It has no folder in /proc. One that exists all the same is hidden. */
static int fail_no_folder(int pid, struct fail *f)
{
    int r = proc_check(f);
    if (r < 0)
        return r;
    fail_set(f, ESRCH, "process %d", pid);
    if (proc_alive(pid))
        fail_hint(f, "/proc hides it (hidepid=2, or another PID namespace's /proc): run as root, "
                     "or as a member of the group of the mount option gid=");
    return -ESRCH;
}

int proc_check_process(int pid, struct fail *f)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", pid);
    if (!proc_alive(pid))
        return fail_set(f, ESRCH, "process %d", pid);
    return access(path, F_OK) < 0 ? fail_no_folder(pid, f) : 0;
}

int proc_text(int pid, const char *name, struct buf *out, struct fail *f)
{
    char path[64 + NAME_MAX];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int r = file_read(path, MAX_TEXT, out, f);
    if (r == -EACCES || r == -EPERM)
        fail_hint(f, "%s", denied_hint());
    return r == -ENOENT ? fail_no_folder(pid, f) : r;
}

static int hint_at_kallsyms(int r, struct fail *f)
{
    if (r == -ENOENT)
        fail_hint(f, "%s",
                  proc_check(NULL) < 0 ? "mount -t proc proc /proc"
                                       : "kernel option CONFIG_KALLSYMS=y");
    return r;
}

int proc_kallsyms(struct buf *out, struct fail *f)
{
    return hint_at_kallsyms(file_read("/proc/kallsyms", MAX_TEXT, out, f), f);
}

int proc_kallsyms_parts(void (*part)(void *arg, char *text, size_t len), void *arg, struct fail *f)
{
    return hint_at_kallsyms(file_read_parts("/proc/kallsyms", part, arg, f), f);
}

int proc_modules(struct buf *out, struct fail *f)
{
    return file_read("/proc/modules", MAX_TEXT, out, f);
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

/* The folder's names that are numbers. */
static int numbers_in(const char *path, int *out, int max_count)
{
    SCOPED_DIR dir = opendir(path);
    if (!dir)
        return -errno;
    int n = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        int id = atoi(e->d_name);
        if (id <= 0)
            continue;
        if (n < max_count)
            out[n] = id;
        n++;
    }
    return n;
}

int proc_threads(int pid, int *out, int max_count, struct fail *f)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    int n = numbers_in(path, out, max_count);
    if (n == -ENOENT)
        return fail_no_folder(pid, f);
    return n < 0 ? fail_set(f, -n, "process %d", pid) : n;
}

int proc_list(int *out, int max_count, struct fail *f)
{
    int n = numbers_in("/proc", out, max_count);
    return n < 0 ? fail_set(f, -n, "/proc") : n;
}

int proc_handle(int pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

void proc_handle_close(int handle)
{
    descriptor_close(&handle);
}

bool proc_alive(int pid)
{
    return kill(pid, 0) == 0 || errno == EPERM;
}

int proc_order(int pid, enum proc_order order, struct fail *f)
{
    static const int sig[] = {
        [PROC_STOP] = SIGSTOP, [PROC_CONTINUE] = SIGCONT, [PROC_KILL] = SIGKILL};
    int err = pid <= 0                    ? EINVAL
              : kill(pid, sig[order]) < 0 ? errno
                                          : 0; /* 0 and below are groups */
    return err ? fail_set(f, err, "process %d", pid) : 0;
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

/* How a path is opened: 0 or a handle, else -errno and f. */
typedef int open_path(const char *path, void *out, struct fail *f);

static int try_path(const struct proc_mapping *at, const char *path, open_path *open, void *out,
                    struct fail *f)
{
    if (same_inode(at, path) == DIFFERS && access(path, F_OK) == 0)
        return fail_set(f, ESTALE, "%s", path);
    return open(path, out, f);
}

/* By its path in the process's root folder, else, when the process is gone, in ours. */
static int open_by_path(const struct proc_mapping *at, const char *name, open_path *open, void *out,
                        struct fail *f)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "/proc/%d/root%s", at->pid, name);
    int r = try_path(at, path, open, out, f);
    return r == -ENOENT || r == -EACCES || r == -ESRCH ? try_path(at, name, open, out, f) : r;
}

/* /proc/PID/maps has newlines of names as \012. False when the path has none of these. */
static bool unescape_newlines(const char *path, char *to)
{
    size_t n = 0;
    bool found = false;
    while (*path && n < PATH_MAX - 1) {
        bool newline = strncmp(path, "\\012", 4) == 0;
        to[n++] = newline ? '\n' : *path;
        path += newline ? 4 : 1;
        found |= newline;
    }
    to[n] = '\0';
    return found;
}

/* The places where the mapped file may be, the surest first. */
static int open_mapped(const struct proc_mapping *at, open_path *open, void *out, struct fail *f)
{
    char path[PATH_MAX];
    if (at->path[0] != '/' || at->path[1] == '/')
        return fail_set(f, ENOENT, "%s", at->path);
    snprintf(path, sizeof path, "/proc/%d/map_files/%llx-%llx", at->pid,
             (unsigned long long)at->start, (unsigned long long)at->end);
    int r = open(path, out, NULL);
    if (r < 0)
        r = open_by_path(at, at->path, open, out, f);
    if (r == -ENOENT && unescape_newlines(at->path, path))
        r = open_by_path(at, path, open, out, f);
    return r;
}

static bool copy_memory(int pid, uint64_t start, size_t len, void *to)
{
    struct iovec local = {to, len}, remote = {(void *)(uintptr_t)start, len};
    return start && process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

/* Of the process itself, else our own: the same one, unless the process is of another class. */
static int read_vdso(const struct proc_mapping *at, struct image *out, struct fail *f)
{
    uint64_t len = at->end - at->start;
    uint8_t *bytes = len <= MAX_VDSO ? malloc((size_t)len) : NULL;
    bool is_copied = bytes && at->pid && copy_memory(at->pid, at->start, (size_t)len, bytes);
    if (!bytes ||
        (!is_copied && !copy_memory(getpid(), getauxval(AT_SYSINFO_EHDR), (size_t)len, bytes))) {
        free(bytes);
        return fail_set(f, ESRCH, "%s", at->path);
    }
    *out = (struct image){bytes, (size_t)len, false};
    return 0;
}

static int map_path(const char *path, void *out, struct fail *f)
{
    return file_map_regular(path, out, f);
}

int proc_image(const struct proc_mapping *at, struct image *out, struct fail *f)
{
    return strcmp(at->path, "[vdso]") == 0 ? read_vdso(at, out, f)
                                           : open_mapped(at, map_path, out, f);
}

static int hold_path(const char *path, void *out, struct fail *f)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return fail_set(f, errno, "%s", path);
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    return fail_set(f, ENOEXEC, "%s", path);
}

int proc_hold(const struct proc_mapping *at, struct fail *f)
{
    return open_mapped(at, hold_path, NULL, f);
}

int proc_held_image(int handle, struct image *out, struct fail *f)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
    return file_map_regular(path, out, f);
}

void proc_held_close(int handle)
{
    descriptor_close(&handle);
}

/* --- what a JIT compiler left --- */

/* The value of the line that starts with key, its last number: NSpid tells one a namespace. */
static long status_number(const char *status, const char *key, bool last)
{
    const char *line = strstr(status, key);
    long v = -1;
    if (!line || (line != status && line[-1] != '\n'))
        return -1;
    for (char *s = (char *)line + strlen(key), *end; *s && *s != '\n'; s = end) {
        long n = strtol(s, &end, 10);
        if (end == s)
            break;
        if (v < 0 || last)
            v = n;
    }
    return v;
}

/* The folder is held open, so that the file can be read when the process has ended. */
static int open_folder(const char *path, struct proc_jit *out, struct fail *f)
{
    out->folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return out->folder < 0 ? fail_set(f, errno, "%s", path) : 0;
}

int proc_jit_open(int pid, struct proc_jit *out, struct fail *f)
{
    char path[64];
    SCOPED_BUF status = BUF_INIT;
    int r = proc_text(pid, "status", &status, f);
    long own = status_number(buf_str(&status), "NSpid:", true);
    long uid = status_number(buf_str(&status), "Uid:", false);
    if (r < 0)
        return r;
    *out = (struct proc_jit){-1, own > 0 ? (int)own : pid, (uint32_t)uid};
    snprintf(path, sizeof path, "/proc/%d/root/tmp", pid);
    return open_folder(path, out, f);
}

int proc_jit_recorded(const char *root, int pid, struct proc_jit *out, struct fail *f)
{
    char path[PATH_MAX];
    *out = (struct proc_jit){-1, pid, (uint32_t)geteuid()};
    if (snprintf(path, sizeof path, "%s/tmp", root) >= (int)sizeof path)
        return fail_set(f, ENAMETOOLONG, "%s", root);
    return open_folder(path, out, f);
}

static int check_owner(int fd, const struct proc_jit *j)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return errno;
    if (!S_ISREG(st.st_mode) || (st.st_uid != j->uid && st.st_uid != 0))
        return EPERM;
    return st.st_size > MAX_JIT ? EFBIG : 0;
}

int proc_jit_read(const struct proc_jit *j, struct buf *out, struct fail *f)
{
    char name[32], link[64];
    snprintf(name, sizeof name, "perf-%d.map", j->pid);
    SCOPED_FD fd =
        openat(j->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    int err = fd < 0 ? errno : check_owner(fd, j);
    int r = err ? fail_set(f, err, "%s", name) : 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return r == 0 ? file_read(link, MAX_JIT, out, f) : r;
}

void proc_jit_close(struct proc_jit *j)
{
    descriptor_close(&j->folder);
}

/* A stretch a page: the kernel copies none in part. */
size_t proc_memory(int pid, uint64_t from, void *bytes, size_t len)
{
    enum { PAGE = 4096, MAX_PAGES = 33 };
    struct iovec local = {bytes, 0}, remote[MAX_PAGES];
    unsigned long count = 0;
    for (; local.iov_len < len && count < MAX_PAGES; count++) {
        uint64_t at = from + local.iov_len;
        size_t left = len - local.iov_len, page_left = PAGE - at % PAGE,
               part = left < page_left ? left : page_left;
        remote[count] = (struct iovec){(void *)(uintptr_t)at, part};
        local.iov_len += part;
    }
    ssize_t n = process_vm_readv(pid, &local, 1, remote, count, 0);
    return n < 0 ? 0 : (size_t)n;
}
