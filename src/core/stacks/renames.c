#include "renames.h"

#include "core/base/scope.h"
#include "core/containers/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MODULES = 64 }; /* that one side has alone */

/* A module that one side has alone. */
struct lone {
    const char *name; /* interned */
    size_t functions;
};

struct side {
    const struct stacks_flat *flat;
    struct lone module[MAX_MODULES];
    size_t modules;
};

/* A function of the new stacks; keys are interned texts. */
struct place {
    const char *function;
    uint64_t module; /* index in the new side */
};

struct finding {
    struct intern texts;
    struct intern modules[2]; /* names of each side */
    struct intern places;
    struct side before, after;
    size_t common[MAX_MODULES][MAX_MODULES];
    bool ok;
};

static bool has_name(const struct stacks_flat_row *r)
{
    return r->name[0] != '(' && strncmp(r->name, "0x", 2) != 0 && r->module[0];
}

static const char *text_of(struct finding *f, const char *text)
{
    const char *one = intern_copy(&f->texts, text);
    f->ok = f->ok && one;
    return one;
}

static void list_modules(struct finding *f, const struct stacks_flat *flat, struct intern *names)
{
    for (size_t i = 0; i < flat->rows && f->ok; i++) {
        const char *name = text_of(f, flat->row[i].module);
        f->ok = f->ok && intern(names, &name) != INTERN_NONE;
    }
}

/* Index of the module among those of the side alone; MAX_MODULES: it is not. */
static size_t lone_of(struct finding *f, struct side *s, const char *name,
                      const struct intern *other)
{
    const char *text = text_of(f, name);
    if (!text || intern_find(other, &text) != INTERN_NONE)
        return MAX_MODULES;
    for (size_t i = 0; i < s->modules; i++)
        if (s->module[i].name == text)
            return i;
    if (s->modules < MAX_MODULES)
        s->module[s->modules++] = (struct lone){.name = text};
    else
        return MAX_MODULES;
    return s->modules - 1;
}

static void add_after(struct finding *f)
{
    for (size_t i = 0; i < f->after.flat->rows && f->ok; i++) {
        const struct stacks_flat_row *r = &f->after.flat->row[i];
        size_t m = has_name(r) ? lone_of(f, &f->after, r->module, &f->modules[0]) : MAX_MODULES;
        if (m == MAX_MODULES)
            continue;
        struct place p = {text_of(f, r->name), m};
        f->ok = f->ok && intern(&f->places, &p) != INTERN_NONE;
        f->after.module[m].functions++;
    }
}

static void add_before(struct finding *f)
{
    for (size_t i = 0; i < f->before.flat->rows && f->ok; i++) {
        const struct stacks_flat_row *r = &f->before.flat->row[i];
        size_t m = has_name(r) ? lone_of(f, &f->before, r->module, &f->modules[1]) : MAX_MODULES;
        if (m == MAX_MODULES)
            continue;
        f->before.module[m].functions++;
        struct place p = {text_of(f, r->name), 0};
        for (; p.module < f->after.modules && f->ok; p.module++)
            f->common[m][p.module] += intern_find(&f->places, &p) != INTERN_NONE;
    }
}

static bool is_pair(const struct finding *f, size_t i, size_t j)
{
    size_t a = f->before.module[i].functions, b = f->after.module[j].functions;
    return f->common[i][j] && 2 * f->common[i][j] >= (a < b ? a : b);
}

/* Takes the pair with the most in common, and both modules out of the others; false: none is left.
 */
static bool pick_best(struct finding *f, struct stacks_rename *out)
{
    size_t best = 0, old = 0, new = 0;
    for (size_t i = 0; i < f->before.modules; i++)
        for (size_t j = 0; j < f->after.modules; j++)
            if (f->common[i][j] > best && is_pair(f, i, j)) {
                best = f->common[i][j];
                old = i;
                new = j;
            }
    for (size_t k = 0; k < MAX_MODULES; k++)
        f->common[old][k] = f->common[k][new] = 0;
    *out = (struct stacks_rename){f->before.module[old].name, f->after.module[new].name, best};
    return best;
}

/* The stacks' own text that is equal to an interned one. */
static const char *own_text(const struct stacks_flat *flat, const char *module)
{
    for (size_t i = 0; i < flat->rows; i++)
        if (strcmp(flat->row[i].module, module) == 0)
            return flat->row[i].module;
    return "";
}

static int pick_all(struct finding *f, struct stacks_rename *out)
{
    int count = 0;
    while (f->ok && count < STACKS_MAX_RENAMES && pick_best(f, &out[count])) {
        out[count].before = own_text(f->before.flat, out[count].before);
        out[count].after = own_text(f->after.flat, out[count].after);
        count++;
    }
    return f->ok ? count : -ENOMEM;
}

int stacks_renames_find(const struct stacks_flat *before, const struct stacks_flat *after,
                        struct stacks_rename *out)
{
    SCOPED_FREE struct finding *f = calloc(1, sizeof *f);
    if (!f)
        return -ENOMEM;
    f->modules[0] = f->modules[1] = (struct intern)INTERN_OF(const char *);
    f->places = (struct intern)INTERN_OF(struct place);
    f->before.flat = before;
    f->after.flat = after;
    f->ok = true;
    list_modules(f, before, &f->modules[0]);
    list_modules(f, after, &f->modules[1]);
    add_after(f);
    add_before(f);
    int count = pick_all(f, out);
    intern_release(&f->texts);
    intern_release(&f->modules[0]);
    intern_release(&f->modules[1]);
    intern_release(&f->places);
    return count;
}
