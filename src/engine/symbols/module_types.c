#include "module_types.h"

#include "core/types/declare.h"
#include "core/types/dwarf.h"
#include "core/types/pack.h"
#include "engine/symbols/types.h"
#include "plat/confined.h"

#include <errno.h>
#include <string.h>

enum { MEMORY = 1 << 30, ANSWER = 256 << 20, PROTOTYPE_SECONDS = 3 };

struct reading {
    const uint8_t *image;
    size_t len;
    const struct types_query *query;
    size_t queries;
};

static int read_confined(void *arg, struct buf *out, struct fail *why)
{
    struct reading *r = arg;
    return types_dwarf(r->image, r->len, r->query, r->queries, out, why);
}

static int no_types(const char *path, struct fail *f)
{
    fail_set(f, 0, "%s: no debug information, which has the types", path);
    fail_hint(f, "build it with -g, or install its debug file and name its folder by --debug-dir");
    return -ENODATA;
}

/* What the child could not do, in this file. */
static int explain(int r, const char *path, const struct fail *why, struct fail *f)
{
    if (r == -ENODATA)
        return no_types(path, f);
    fail_set(f, why->err, "%s: types: %s", path, why->what);
    return r;
}

/* --- copies --- */

/* The debug information does not always say what a copy's name says. */
static bool is_split_copy(const struct module *m, uint64_t start)
{
    struct symbol s;
    return start && module_symbol(m, start, &s) && s.start == start && strstr(s.name, ".isra.");
}

static void mark_copies(const struct module *m, struct types_answer *a)
{
    for (size_t i = 0; i < a->types.functions; i++)
        a->types.function[i].altered |= is_split_copy(m, a->types.function[i].start);
}

/* --- asking --- */

int module_types(const struct module *m, const char *path, const struct types_query *query,
                 size_t queries, unsigned seconds, struct types_answer *out, struct fail *f)
{
    struct confined_limits limits = {MEMORY, seconds, ANSWER};
    struct reading reading = {.query = query, .queries = queries};
    SCOPED_BUF packed = BUF_INIT;
    struct fail why = {0};
    *out = (struct types_answer){0};
    reading.image = elf_image(m->debug ? m->debug : m->elf, &reading.len);
    int r = confined_run(read_confined, &reading, &limits, &packed, &why);
    if (r < 0)
        r = explain(r, path, &why, f);
    else if ((r = types_unpack((const uint8_t *)buf_str(&packed), packed.len, query, queries,
                               out)) < 0)
        fail_set(f, -r, "%s: types", path);
    else
        mark_copies(m, out);
    return r;
}

/* --- what is not read --- */

static const char *supplement_of(const struct module *m)
{
    const struct debugaltlink *link = m->debug ? elf_debugaltlink(m->debug) : NULL;
    link = link || !m->elf ? link : elf_debugaltlink(m->elf);
    return link ? link->path : "another file";
}

void module_types_elsewhere(const struct module *m, const char *path, const struct types_answer *a,
                            struct fail *f)
{
    if (a->elsewhere & TYPES_SUPPLEMENT) {
        fail_set(f, 0, "%.100s: types are missing: dwz moved them to %.100s, which is not read",
                 path, supplement_of(m));
        fail_hint(f, "use a build without dwz -m; gdb reads this one: ptype, info scope");
    } else if (a->elsewhere & TYPES_SPLIT) {
        fail_set(f, 0, "%.100s: types are missing: they are in .dwo files, which are not read",
                 path);
        fail_hint(f, "build it with -g alone, not with -gsplit-dwarf");
    } else if (a->elsewhere & TYPES_UNITS) {
        fail_set(f, 0, "%.100s: types are missing: they are in type units, which are not read",
                 path);
        fail_hint(f, "build it without -fdebug-types-section");
    }
}

/* --- one prototype --- */

void symbols_prototype(const struct module *m, uint64_t vaddr, struct buf *out)
{
    struct types_query q = {.by_address = true, .address = vaddr, .name = ""};
    SCOPED(types_answer_release) struct types_answer a = {0};
    bool able = types_dwarf_able() && m->elf;
    if (able && module_types(m, m->path, &q, 1, PROTOTYPE_SECONDS, &a, NULL) == 0 && a.count) {
        const struct type_function *found = &a.types.function[a.found[0].id];
        if (!found->altered && found->start == vaddr)
            types_prototype(&a.types, found, NULL, out);
    }
}
