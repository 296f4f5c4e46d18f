#include "parts.h"

#include "core/base/buf.h"
#include "core/doctor/facts.h"
#include "fs/mount_private.h"
#include "process/descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
    const char *key, *path;
    size_t max_bytes;
} files[] = {
    {"perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid", 64},
    {"perf_event_max_sample_rate", "/proc/sys/kernel/perf_event_max_sample_rate", 64},
    {"perf_event_mlock_kb", "/proc/sys/kernel/perf_event_mlock_kb", 64},
    {"kptr_restrict", "/proc/sys/kernel/kptr_restrict", 64},
    {"ptrace_scope", "/proc/sys/kernel/yama/ptrace_scope", 64},
    {"filesystems", "/proc/filesystems", 16384},
    {"status", "/proc/self/status", 16384},
    {"cpuinfo", "/proc/cpuinfo", 16384},
    {"kallsyms", "/proc/kallsyms", 4096},
};

enum {
    FILES = sizeof files / sizeof files[0],
    MAX_MODULES_BYTES = 4 << 20,
    MAX_CONFIG_BYTES = 2 << 20
};

static int read_head(int fd, size_t max_bytes, struct buf *b)
{
    while (b->len < max_bytes) {
        size_t want = max_bytes - b->len < 65536 ? max_bytes - b->len : 65536;
        char *chunk = buf_reserve(b, want);
        ssize_t n = chunk ? TEMP_FAILURE_RETRY(read(fd, chunk, want)) : -1;
        if (n < 0)
            return chunk ? -errno : -ENOMEM;
        if (n == 0)
            break;
        buf_commit(b, (size_t)n);
    }
    return 0;
}

bool probe_head(struct facts *out, const char *key, const char *path, size_t max_bytes,
                bool fall_through)
{
    SCOPED_BUF b = BUF_INIT;
    SCOPED_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int r = fd < 0 ? -errno : read_head(fd, max_bytes, &b);
    if (r == 0)
        facts_add(out, key, buf_str(&b), b.len);
    else if (!fall_through)
        facts_fail(out, key, r);
    return r == 0;
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static void probe_folder(struct facts *out, const char *key, const char *path)
{
    struct dirent **entry;
    SCOPED_BUF names = BUF_INIT;
    int n = scandir(path, &entry, is_visible, alphasort);
    if (n < 0) {
        facts_fail(out, key, -errno);
        return;
    }
    for (int i = 0; i < n; i++) {
        buf_printf(&names, "%s%s", i ? " " : "", entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    facts_add(out, key, buf_str(&names), names.len);
}

static void probe_config(struct facts *out, const char *release)
{
    char path[PATH_MAX] = "/proc/config.gz";
    bool found = probe_head(out, "config", path, MAX_CONFIG_BYTES, true);
    if (!found) {
        snprintf(path, sizeof path, "/boot/config-%s", release);
        found = probe_head(out, "config", path, MAX_CONFIG_BYTES, false);
    }
    if (found)
        facts_addf(out, "config.path", "%s", path);
}

static void probe_modules(struct facts *out, const char *release)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/lib/modules/%s/modules.dep", release);
    probe_head(out, "modules.dep", path, MAX_MODULES_BYTES, false);
}

/* securityfs need not be mounted for root to read it. */
static void probe_lockdown(struct facts *out)
{
    char path[64] = "/sys/kernel/security/lockdown";
    if (probe_head(out, "lockdown", path, 256, true))
        return;
    SCOPED_FD fd = mount_private("securityfs");
    if (fd >= 0)
        snprintf(path, sizeof path, "/proc/self/fd/%d/lockdown", fd);
    probe_head(out, "lockdown", path, 256, false);
}

static int try_access(const char *path)
{
    return access(path, F_OK) < 0 ? -errno : 0;
}

void probe_files(struct facts *out, const char *release)
{
    probe_result(out, "procfs", try_access("/proc/self"));
    probe_result(out, "sysfs", try_access("/sys/kernel"));
    for (size_t i = 0; i < FILES; i++)
        probe_head(out, files[i].key, files[i].path, files[i].max_bytes, false);
    probe_lockdown(out);
    probe_folder(out, "pmus", "/sys/bus/event_source/devices");
    probe_folder(out, "devicetree", "/proc/device-tree");
    probe_config(out, release);
    probe_modules(out, release);
}
