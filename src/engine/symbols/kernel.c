/* Names of the kernel's functions. */
#include "core/sample/mapped.h"
#include "core/symbol/kallsyms.h"
#include "core/symbol/kernel_map.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct symbols_kernel {
    struct kallsyms names;
    struct kernel_map map; /* no ranges: not known */
    char why[128];         /* empty: names are there */
    bool reported;         /* by a module's note */
};

static void read_map(struct symbols_kernel *k, const struct buf *bounds)
{
    SCOPED_BUF modules = BUF_INIT;
    proc_modules(&modules, NULL);
    kernel_map_init(bounds->data, bounds->len, modules.data, modules.len, &k->map);
}

struct kernel_reading {
    struct kallsyms_reader names;
    struct buf bounds;
};

static void read_part(void *arg, char *text, size_t len)
{
    struct kernel_reading *r = arg;
    kernel_map_keep(text, len, &r->bounds);
    kallsyms_add(&r->names, text, len);
}

struct kernel_asked {
    const uint64_t *address;
    size_t count;
};

static int read_kallsyms(struct symbols_kernel *k, const struct kernel_asked *asked,
                         struct kernel_reading *r, struct fail *f)
{
    int e = kallsyms_start(&r->names, asked->address, asked->count);
    if (e < 0)
        return e;
    e = proc_kallsyms_parts(read_part, r, f);
    int finished = kallsyms_finish(&r->names, &k->names);
    return e < 0 ? e : finished;
}

static void read_names(struct symbols_kernel *k, const struct kernel_asked *asked)
{
    struct fail f = {.err = 0};
    struct kernel_reading reading = {.bounds = BUF_INIT};
    int r = read_kallsyms(k, asked, &reading, &f);
    read_map(k, &reading.bounds);
    buf_release(&reading.bounds);
    if (r < 0)
        snprintf(k->why, sizeof k->why, "/proc/kallsyms: %s%s%.60s%s", strerror(-r),
                 f.hint[0] ? " (" : "", f.hint, f.hint[0] ? ")" : "");
    else if (k->names.restricted)
        snprintf(
            k->why, sizeof k->why,
            "/proc/kallsyms hides its addresses (run as root, or sysctl kernel.kptr_restrict=0)");
}

static bool names_read_of(struct symbols *s, const struct kernel_asked *asked)
{
    if (!s->kernel) {
        s->kernel = calloc(1, sizeof *s->kernel);
        if (s->kernel)
            read_names(s->kernel, asked);
    }
    return s->kernel;
}

static bool names_read(struct symbols *s)
{
    return names_read_of(s, &(struct kernel_asked){NULL, 0});
}

void symbols_kernel_at(struct symbols *s, const uint64_t *address, size_t count)
{
    names_read_of(s, &(struct kernel_asked){address, count});
}

void symbols_kernel(struct symbols *s, struct module *m)
{
    if (m->external.symbols || !names_read(s))
        return;
    if (s->kernel->why[0]) {
        module_set_why(m, "%s", s->kernel->why);
        if (!s->kernel->reported)
            module_set_note(m, "the kernel's functions have no names: %s", s->kernel->why);
        s->kernel->reported = true;
        return;
    }
    m->external.symbols = s->kernel->names.symbols;
    m->external.source = "kallsyms";
    m->why[0] = '\0';
}

int symbols_kernel_check(struct symbols *s, struct fail *f)
{
    if (!names_read(s))
        return fail_set(f, ENOMEM, "/proc/kallsyms");
    if (!s->kernel->why[0])
        return 0;
    if (!s->kernel->names.restricted)
        return fail_set(f, 0, "%s", s->kernel->why);
    fail_set(f, 0, "/proc/kallsyms: the kernel hides its addresses");
    fail_hint(f, "run as root, with sysctl kernel.kptr_restrict=1 or 0");
    return -EACCES;
}

const struct symtab *symbols_of_kernel(struct symbols *s)
{
    return names_read(s) ? s->kernel->names.symbols : NULL;
}

/* Without information, the upper half of the addresses is the kernel's. */
void symbols_map_kernel(struct symbols *s, struct mapped *mapped)
{
    const struct kernel_map *map = names_read(s) ? &s->kernel->map : NULL;
    if (!map || !map->ranges)
        mapped_kernel(mapped, UINT64_MAX / 2 + 1, UINT64_MAX, "[kernel]");
    for (size_t i = 0; map && i < map->ranges; i++)
        mapped_kernel(mapped, map->range[i].start, map->range[i].end, map->range[i].name);
}

void symbols_kernel_free(struct symbols_kernel *k)
{
    if (!k)
        return;
    kallsyms_release(&k->names);
    kernel_map_release(&k->map);
    free(k);
}
