#include "core/doctor/finding.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct finding find_ptrace(const struct machine *m)
{
    int err = facts_err(m->facts, "ptrace");
    int64_t scope = 0;
    facts_i64(m->facts, "ptrace_scope", &scope);
    if (err == 0)
        return found("%s", scope == 1   ? "own children (ptrace_scope is 1)"
                           : scope == 2 ? "with CAP_SYS_PTRACE (ptrace_scope is 2)"
                                        : "all own processes");
    if (scope >= 2)
        return with(lacking("ptrace_scope is %" PRId64, scope),
                    scope == 2 ? "sysctl kernel.yama.ptrace_scope=1"
                               : "reboot: it cannot be lowered");
    struct finding f = lacking("%s", strerror(-err));
    return err == -EPERM ? with(f, "docker run --cap-add SYS_PTRACE") : f;
}

static bool no_family(const struct machine *m, const char *key)
{
    int err = facts_err(m->facts, key);
    return err == -EAFNOSUPPORT || err == -ENOSYS;
}

/* Without CONFIG_NET there are no system calls for sockets. */
static struct finding no_sockets(const struct machine *m, const char *key, const char *option)
{
    bool none = facts_err(m->facts, key) == -ENOSYS;
    return with(lacking("this kernel has no %s%ssockets", none ? "" : key, none ? "" : " "),
                "kernel option%s CONFIG_%s=y", none ? "s CONFIG_NET=y" : "", option);
}

struct finding find_unix(const struct machine *m)
{
    return no_family(m, "unix") ? no_sockets(m, "unix", "UNIX") : found("unix");
}

struct finding find_sockets(const struct machine *m)
{
    if (no_family(m, "unix"))
        return find_unix(m);
    return no_family(m, "inet") ? no_sockets(m, "inet", "INET") : found("unix, IPv4");
}

/* Whether the kernel has a file system is read in /proc/filesystems. */
static struct finding lacking_filesystem(const struct machine *m, const char *option,
                                         const char *module)
{
    return find_procfs(m).ok ? lacking_option(m, option, module) : unknown_without("/proc");
}

struct finding find_fuse(const struct machine *m)
{
    int err = facts_err(m->facts, "fuse");
    const char *how = facts_text(m->facts, "fuse");
    if (err == 0 && how && strcmp(how, "private") == 0)
        return found("no /dev/fuse; psuite opens the kernel's device itself");
    if (err == 0)
        return found("/dev/fuse can be opened");
    if (err == -EACCES || err == -EPERM)
        return with(lacking("/dev/fuse: %s", strerror(-err)), "chmod 666 /dev/fuse");
    if (err == -ENOENT && facts_word(m->facts, "filesystems", "fuse"))
        return with(lacking("/dev/fuse is missing"), "mknod -m 666 /dev/fuse c 10 229");
    return lacking_filesystem(m, "FUSE_FS", "fuse");
}

struct finding find_9p(const struct machine *m)
{
    if (facts_word(m->facts, "filesystems", "9p"))
        return found("v9fs is available");
    struct finding f = lacking_filesystem(m, "9P_FS", "9p");
    if (!find_procfs(m).ok)
        return f;
    if (strncmp(f.remedy, "modprobe", 8) == 0)
        return with(f, machine_since(m, 5, 17) ? "modprobe -a 9p 9pnet_fd" : "modprobe 9p");
    return with(f, "kernel options CONFIG_NET_9P=y CONFIG_9P_FS=y");
}

struct finding find_userns(const struct machine *m)
{
    int err = facts_err(m->facts, "userns");
    int64_t uid = 0;
    facts_i64(m->facts, "uid", &uid);
    if (err == 0)
        return found("%s", uid ? "without privilege" : "as root");
    if (err == -EINVAL || err == -ENOSYS)
        return lacking_option(m, "USER_NS", NULL);
    struct finding f = with(lacking("%s", strerror(-err)), "sysctl user.max_user_namespaces=10000");
    return err == -ENOSPC ? f
                          : with(f, "sysctl kernel.unprivileged_userns_clone=1, or run as root");
}

struct finding find_seccomp(const struct machine *m)
{
    char mode[8] = "0";
    facts_line(m->facts, "status", "Seccomp:", mode, sizeof mode);
    if (facts_err(m->facts, "seccomp") < 0)
        return lacking_option(m, "SECCOMP_FILTER", NULL);
    return mode[0] == '2' ? lacking("restricted by a filter that psuite inherited")
                          : found("available; psuite is not filtered");
}

struct finding find_lockdown(const struct machine *m)
{
    const char *text = facts_text(m->facts, "lockdown");
    if (!text && !find_sysfs(m).ok)
        return unknown_without("/sys");
    if (!text || strstr(text, "[none]"))
        return found("none");
    bool all = strstr(text, "[confidentiality]");
    return with(
        lacking("%s", all ? "confidentiality: the kernel's data cannot be read" : "integrity"),
        all ? "boot with lockdown=integrity" : "no part of psuite needs more");
}
