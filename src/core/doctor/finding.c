#include "core/doctor/finding.h"

#include "core/base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAP_SYS_ADMIN = 21, CAP_PERFMON = 38 };

void machine_init(struct machine *m, const struct facts *facts)
{
    const struct fact *config = facts_find(facts, "config");
    m->facts = facts;
    if (!config || !config->text || kconfig_init(&m->config, config->text, config->len) < 0)
        buf_init(&m->config.text);
}

void machine_release(struct machine *m)
{
    kconfig_release(&m->config);
}

/* Without /proc, root is taken to have them all. */
bool machine_has_capability(const struct machine *m, int bit)
{
    char hex[32] = "0";
    int64_t uid = 1;
    facts_i64(m->facts, "uid", &uid);
    if (!facts_line(m->facts, "status", "CapEff:", hex, sizeof hex))
        return uid == 0;
    return strtoull(hex, NULL, 16) >> bit & 1;
}

bool machine_privileged(const struct machine *m)
{
    return machine_has_capability(m, CAP_SYS_ADMIN) || machine_has_capability(m, CAP_PERFMON);
}

bool machine_since(const struct machine *m, int major, int minor)
{
    int a = 0, b = 0;
    const char *release = facts_text(m->facts, "release");
    if (release)
        sscanf(release, "%d.%d", &a, &b);
    return a > major || (a == major && b >= minor);
}

struct finding found(const char *how, ...)
{
    struct finding f = {.ok = true};
    va_list ap;
    va_start(ap, how);
    vsnprintf(f.how, sizeof f.how, how, ap);
    va_end(ap);
    return f;
}

struct finding lacking(const char *why, ...)
{
    struct finding f = {.ok = false};
    va_list ap;
    va_start(ap, why);
    vsnprintf(f.why, sizeof f.why, why, ap);
    va_end(ap);
    return f;
}

struct finding with(struct finding f, const char *remedy, ...)
{
    va_list ap;
    va_start(ap, remedy);
    vsnprintf(f.remedy, sizeof f.remedy, remedy, ap);
    va_end(ap);
    return f;
}

static bool has_module(const struct machine *m, const char *module)
{
    char file[64];
    const char *list = facts_text(m->facts, "modules.dep");
    snprintf(file, sizeof file, "/%s.ko", module);
    return list && strstr(list, file);
}

/* A fact that is absent was not asked for. */
static bool is_missing(const struct machine *m, const char *key)
{
    int err = facts_err(m->facts, key);
    return err < 0 && err != -ENODATA;
}

struct finding find_procfs(const struct machine *m)
{
    if (!is_missing(m, "procfs"))
        return found("/proc");
    return with(lacking("/proc is not mounted"), "mkdir -p /proc && mount -t proc proc /proc");
}

struct finding find_sysfs(const struct machine *m)
{
    if (!is_missing(m, "sysfs"))
        return found("/sys");
    if (facts_text(m->facts, "filesystems") && !facts_word(m->facts, "filesystems", "sysfs"))
        return with(lacking("this kernel has no /sys"), "kernel option CONFIG_SYSFS=y");
    return with(lacking("/sys is not mounted"), "mkdir -p /sys && mount -t sysfs sysfs /sys");
}

struct finding unknown_without(const char *mount)
{
    return lacking("not known without %s", mount);
}

struct finding lacking_option(const struct machine *m, const char *option, const char *module)
{
    char state = kconfig_get(&m->config, option);
    if (module && (state == 'm' || has_module(m, module)))
        return with(lacking("module %s is not loaded", module), "modprobe %s", module);
    if (state == 'y')
        return lacking("built into this kernel, but not available");
    struct finding f = lacking(state == 'n' ? "not built into this kernel" : "not in this kernel");
    return with(f, "kernel option CONFIG_%s=y%s", option, module ? " (or =m)" : "");
}
