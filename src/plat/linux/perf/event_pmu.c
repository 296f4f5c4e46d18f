/* The events of the processor's counters as sysfs has them: a folder a PMU, in it `type', `format/'
 * and `events/'. */
#include "event_find.h"

#include "core/procfs/pmu_event.h"
#include "process/descriptors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES "/sys/bus/event_source/devices"
enum { PATH_CAP = 512, TEXT_CAP = 1024, NAME_CAP = 128 };

struct pmu {
    char name[NAME_CAP];
    uint32_t type;
};

static int pmu_file(const struct pmu *p, const char *folder, const char *name, size_t len,
                    char *text)
{
    char path[PATH_CAP];
    if (len == 0 || len >= NAME_CAP || name[0] == '.' || memchr(name, '/', len))
        return -ENOENT;
    snprintf(path, sizeof path, DEVICES "/%s/%s%.*s", p->name, folder, (int)len, name);
    return event_file(path, text, TEXT_CAP);
}

static bool find_pmu(const char *name, size_t len, struct pmu *out)
{
    char text[TEXT_CAP];
    if (len == 0 || len >= NAME_CAP || name[0] == '.')
        return false;
    snprintf(out->name, sizeof out->name, "%.*s", (int)len, name);
    if (pmu_file(out, "", "type", 4, text) < 0)
        return false;
    out->type = (uint32_t)strtoul(text, NULL, 10);
    return true;
}

/* --- terms --- */

/* What every PMU has without a format. */
static bool read_common_term(const struct pmu_term *t, uint64_t config[], uint64_t *every)
{
    static const char *const name[] = {"config", "config1", "config2", "period"};
    uint64_t *const to[] = {&config[0], &config[1], &config[2], every};
    for (size_t i = 0; t->has_value && i < sizeof to / sizeof *to; i++)
        if (strlen(name[i]) == t->len && memcmp(name[i], t->name, t->len) == 0) {
            *to[i] = t->value;
            return true;
        }
    return false;
}

struct reading {
    const struct pmu *pmu;
    uint64_t config[PMU_CONFIGS], period;
    struct fail *f;
};

static int fail_no_term(const struct reading *r, const struct pmu_term *t, int e)
{
    fail_set(r->f, 0, "%s/%.*s/: %s", r->pmu->name, (int)t->len, t->name,
             e == -ERANGE ? "the value is too large" : "no such event or term");
    fail_hint(r->f, "its events are in %s/%s/events, its terms in format", DEVICES, r->pmu->name);
    return e;
}

static int read_formatted(struct reading *r, const struct pmu_term *t)
{
    char format[TEXT_CAP];
    int e = pmu_file(r->pmu, "format/", t->name, t->len, format);
    if (e == 0)
        e = pmu_format_put(format, t->value, r->config);
    return e < 0 ? fail_no_term(r, t, e) : 0;
}

static int fail_bad_terms(const struct reading *r, const char *text)
{
    fail_set(r->f, 0, "%s: `%s' is not an event", r->pmu->name, text);
    fail_hint(r->f, "terms are NAME or NAME=NUMBER, separated by `,'; replace a `?' by a number");
    return -EINVAL;
}

/* The terms of an event that the PMU names: formats only. */
static int read_named(struct reading *r, const char *text)
{
    struct pmu_term t;
    int e;
    while ((e = pmu_term_next(&text, &t)) > 0)
        if (!read_common_term(&t, r->config, &r->period) && (e = read_formatted(r, &t)) < 0)
            return e;
    return e < 0 ? fail_bad_terms(r, text) : 0;
}

static int read_term(struct reading *r, const struct pmu_term *t)
{
    char event[TEXT_CAP];
    if (read_common_term(t, r->config, &r->period))
        return 0;
    if (!t->has_value && pmu_file(r->pmu, "events/", t->name, t->len, event) == 0)
        return read_named(r, event);
    return read_formatted(r, t);
}

static int read_terms(struct reading *r, const char *text)
{
    struct pmu_term t;
    int e;
    while ((e = pmu_term_next(&text, &t)) > 0)
        if ((e = read_term(r, &t)) < 0)
            return e;
    return e < 0 ? fail_bad_terms(r, text) : 0;
}

static int read_event(const struct pmu *p, const char *terms, size_t len, struct sample_event *out,
                      struct fail *f)
{
    char text[TEXT_CAP];
    struct reading r = {.pmu = p, .f = f};
    snprintf(text, sizeof text, "%.*s", (int)len, terms);
    int e = read_terms(&r, text);
    if (e < 0)
        return e;
    out->type = p->type;
    out->config = r.config[0];
    out->config1 = r.config[1];
    out->config2 = r.config[2];
    out->period = r.period;
    return 0;
}

/* --- which PMU --- */

int event_find_pmu(const char *name, size_t len, struct sample_event *out, struct fail *f)
{
    struct pmu pmu;
    const char *slash = memchr(name, '/', len);
    size_t first = slash ? (size_t)(slash - name) : len, rest = slash ? len - first - 1 : 0;
    if (!find_pmu(name, first, &pmu)) {
        fail_set(f, 0, "%.*s: no such PMU", (int)first, name);
        fail_hint(f, DEVICES " has those of this machine");
        return -ENOENT;
    }
    if (rest && slash[rest] == '/')
        rest--;
    if (rest == 0) {
        fail_set(f, 0, "%.*s: the event is missing", (int)len, name);
        fail_hint(f, "its events are in %s/%s/events", DEVICES, pmu.name);
        return -ENOENT;
    }
    return read_event(&pmu, slash + 1, rest, out, f);
}

int event_find_any_pmu(const char *name, size_t len, struct sample_event *out, struct fail *f)
{
    struct pmu best = {.type = UINT32_MAX}, p;
    char event[TEXT_CAP];
    struct dirent *d;
    SCOPED_DIR dir = opendir(DEVICES);
    while (dir && (d = readdir(dir)))
        if (find_pmu(d->d_name, strlen(d->d_name), &p) && p.type < best.type &&
            pmu_file(&p, "events/", name, len, event) == 0)
            best = p;
    return best.type == UINT32_MAX ? -ENOENT : read_event(&best, name, len, out, f);
}

/* --- all of them --- */

/* Their names have companions that are none: NAME.unit, NAME.scale. */
static void list_events(const char *pmu, void (*emit)(void *arg, const char *name), void *arg)
{
    char path[PATH_CAP], name[PATH_CAP];
    struct dirent *d;
    snprintf(path, sizeof path, DEVICES "/%.*s/events", NAME_CAP, pmu);
    SCOPED_DIR dir = opendir(path);
    while (dir && (d = readdir(dir))) {
        if (strchr(d->d_name, '.') || strlen(d->d_name) >= NAME_CAP)
            continue;
        snprintf(name, sizeof name, "%.*s/%.*s/", NAME_CAP, pmu, NAME_CAP, d->d_name);
        emit(arg, name);
    }
}

void event_list_pmus(void (*emit)(void *arg, const char *name), void *arg)
{
    struct dirent *d;
    SCOPED_DIR dir = opendir(DEVICES);
    while (dir && (d = readdir(dir)))
        if (d->d_name[0] != '.' && strlen(d->d_name) < NAME_CAP)
            list_events(d->d_name, emit, arg);
}
