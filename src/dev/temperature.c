/*
 * #c/cputemp, a line a sensor: degrees Celsius, rounded, and how exact they are, 1. From
 * /sys/class/thermal/thermal_zoneN (temp in thousandths, type), those whose type names a processor
 * first, then /sys/class/hwmon/hwmonN/tempM_input of drivers that are no zone already.
 */
#include "core/procfs/counters.h"
#include "plat/sysfile.h"
#include "stat.h"
#include "sys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SENSORS = 64, MAX_FILES = 256 };

struct sensors {
    struct buf processor, other; /* lines */
    struct buf types;            /* of zones, each with a NUL behind it */
    size_t count;
};

static bool is_processor(const char *type)
{
    static const char *const names[] = {"cpu", "soc", "x86_pkg", "core", "k10temp", "package"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(type, names[i]))
            return true;
    return false;
}

static void add_sensor(struct sensors *s, const char *path, const char *type, struct buf *word)
{
    int64_t milli;
    struct buf *to = is_processor(type) ? &s->processor : &s->other;
    if (s->count == MAX_SENSORS || !sys_word(path, word) || !kernel_number(buf_str(word), &milli) ||
        milli < -300000 || milli > 1000000)
        return;
    buf_printf(to, "%" PRId64 " 1\n", (milli + (milli < 0 ? -500 : 500)) / 1000);
    s->count++;
}

/* For each name of a folder that begins so. */
static void for_each_name(const char *folder, const char *begins, struct sensors *s,
                          void (*add)(struct sensors *s, const char *path, const char *name))
{
    SCOPED_BUF names = BUF_INIT;
    char path[512];
    if (sysfile_names(folder, MAX_FILES, &names, NULL) == 0)
        for (size_t at = 0; at < names.len; at += strlen(names.data + at) + 1) {
            const char *name = names.data + at;
            if (strncmp(name, begins, strlen(begins)) != 0)
                continue;
            snprintf(path, sizeof path, "%s/%s", folder, name);
            add(s, path, name);
        }
}

static void add_zone(struct sensors *s, const char *zone, const char *name)
{
    SCOPED_BUF type = BUF_INIT, word = BUF_INIT;
    char path[600];
    snprintf(path, sizeof path, "%s/type", zone);
    sys_word(path, &type);
    buf_add(&s->types, buf_str(&type), strlen(buf_str(&type)) + 1);
    snprintf(path, sizeof path, "%s/temp", zone);
    add_sensor(s, path, buf_str(&type), &word);
}

/* hwmon writes `-' of a zone's type as `_'. */
static bool is_zone(const struct sensors *s, const char *driver)
{
    for (size_t at = 0; at < s->types.len; at += strlen(s->types.data + at) + 1) {
        const char *a = s->types.data + at, *b = driver;
        while (*a && (*a == *b || (*a == '-' && *b == '_')))
            a++, b++;
        if (!*a && !*b && b != driver)
            return true;
    }
    return false;
}

static void add_input(struct sensors *s, const char *path, const char *name)
{
    SCOPED_BUF word = BUF_INIT, driver = BUF_INIT;
    char name_path[600];
    size_t len = strlen(name);
    if (len > 6 && strcmp(name + len - 6, "_input") == 0) {
        snprintf(name_path, sizeof name_path, "%.*s/name", (int)(strrchr(path, '/') - path), path);
        sys_word(name_path, &driver);
        if (!is_zone(s, buf_str(&driver)))
            add_sensor(s, path, buf_str(&driver), &word);
    }
}

static void add_chip(struct sensors *s, const char *chip, const char *name)
{
    for_each_name(chip, "temp", s, add_input);
}

int stat_temperature(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct sensors s = {.count = 0};
    for_each_name("/sys/class/thermal", "thermal_zone", &s, add_zone);
    for_each_name("/sys/class/hwmon", "hwmon", &s, add_chip);
    buf_add(out, s.processor.data, s.processor.len);
    buf_add(out, s.other.data, s.other.len);
    buf_release(&s.processor);
    buf_release(&s.other);
    buf_release(&s.types);
    return s.count ? 0
                   : dev_absent_in_sys(f, "no sensor in /sys/class/thermal or /sys/class/hwmon");
}
