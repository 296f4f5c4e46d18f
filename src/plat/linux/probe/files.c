#include "parts.h"

#include "core/base/buf.h"
#include "core/doctor/facts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    {"lockdown", "/sys/kernel/security/lockdown", 256},
    {"filesystems", "/proc/filesystems", 16384},
    {"status", "/proc/self/status", 16384},
    {"cpuinfo", "/proc/cpuinfo", 16384},
    {"kallsyms", "/proc/kallsyms", 4096},
};

enum { FILES = sizeof files / sizeof files[0], MODULES_MOST = 4 << 20, CONFIG_MOST = 2 << 20 };

static ssize_t read_some(int fd, char *room, size_t len)
{
    ssize_t n;
    do
        n = read(fd, room, len);
    while (n < 0 && errno == EINTR);
    return n;
}

static int read_head(int fd, size_t max_bytes, struct buf *b)
{
    while (b->len < max_bytes) {
        size_t want = max_bytes - b->len < 65536 ? max_bytes - b->len : 65536;
        char *room = buf_room(b, want);
        ssize_t n = room ? read_some(fd, room, want) : -1;
        if (n < 0)
            return room ? -errno : -ENOMEM;
        if (n == 0)
            break;
        buf_grew(b, (size_t)n);
    }
    return 0;
}

bool probe_head(struct facts *out, const char *key, const char *path, size_t max_bytes,
                bool fall_through)
{
    struct buf b = BUF_INIT;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int r = fd < 0 ? -errno : read_head(fd, max_bytes, &b);
    if (fd >= 0)
        close(fd);
    if (r == 0)
        facts_add(out, key, buf_str(&b), b.len);
    else if (!fall_through)
        facts_fail(out, key, r);
    buf_release(&b);
    return r == 0;
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static void folder(struct facts *out, const char *key, const char *path)
{
    struct dirent **entry;
    struct buf names = BUF_INIT;
    int n = scandir(path, &entry, visible, alphasort);
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
    buf_release(&names);
}

static void config(struct facts *out, const char *release)
{
    char path[PATH_MAX] = "/proc/config.gz";
    bool found = probe_head(out, "config", path, CONFIG_MOST, true);
    if (!found) {
        snprintf(path, sizeof path, "/boot/config-%s", release);
        found = probe_head(out, "config", path, CONFIG_MOST, false);
    }
    if (found)
        facts_addf(out, "config.path", "%s", path);
}

static void modules(struct facts *out, const char *release)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/lib/modules/%s/modules.dep", release);
    probe_head(out, "modules.dep", path, MODULES_MOST, false);
}

void probe_files(struct facts *out, const char *release)
{
    for (size_t i = 0; i < FILES; i++)
        probe_head(out, files[i].key, files[i].path, files[i].max_bytes, false);
    folder(out, "pmus", "/sys/bus/event_source/devices");
    folder(out, "devicetree", "/proc/device-tree");
    config(out, release);
    modules(out, release);
}
