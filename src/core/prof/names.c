#include "core/prof/names.h"

#include "core/base/text.h"
#include "core/stacks/format.h"
#include "core/symbol/demangle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t prof_linked(const struct prof_tree *t, const struct prof_place *p)
{
    return p->module < t->modules ? p->pc - t->module[p->module].bias : p->pc;
}

/* The module's name for the brackets; "" for the program and without a module. */
static const char *module_shown(const struct prof_tree *t, uint32_t module)
{
    if (module == 0 || module >= t->modules)
        return "";
    const char *path = t->module[module].path;
    return *path ? path_last(path) : "[unknown]";
}

void prof_label(const struct prof_names *n, uint32_t function, struct buf *out)
{
    const struct prof_function *f = prof_function_at(n, function);
    call_name(out, f->name, module_shown(n->tree, f->module), 0);
}

static bool name_function(struct prof_names *n, const struct prof_naming *by,
                          const struct prof_found *found, struct prof_function *f)
{
    char address[24];
    snprintf(address, sizeof address, "#%" PRIx64, f->address);
    const char *raw = found->symbol ? found->symbol : address;
    const char *name = found->symbol ? demangled(by->names, found->symbol) : raw;
    f->raw = intern_append_copy(&n->texts, raw);
    f->name = name == raw ? f->raw : intern_append_copy(&n->texts, name);
    f->file = intern_copy(&n->texts, found->file ? found->file : "");
    f->line = found->line;
    return f->name && f->raw && f->file;
}

static bool name_place(struct prof_names *n, const struct prof_naming *by, size_t i)
{
    const struct prof_place *p = prof_place_at(n->tree, (uint32_t)i);
    struct prof_found found = {.symbol = NULL};
    struct prof_function key;
    memset(&key, 0, sizeof key);
    key.address = prof_linked(n->tree, p);
    key.module = p->module;
    if (p->module < n->tree->modules)
        by->find(by->arg, p->module, key.address, &found);
    key.known = found.symbol != NULL;
    if (found.symbol)
        key.address = found.start;
    size_t before = n->functions.count;
    n->of_place[i] = intern(&n->functions, &key);
    if (n->functions.count == before)
        return n->of_place[i] != INTERN_NONE;
    return name_function(n, by, &found,
                         (struct prof_function *)n->functions.record + n->of_place[i]);
}

int prof_names_make(const struct prof_tree *t, const struct prof_naming *by, struct prof_names *out)
{
    *out = (struct prof_names){.tree = t,
                               .functions = {.each = sizeof(struct prof_function),
                                             .key = offsetof(struct prof_function, name),
                                             .step = 4}};
    out->of_place = malloc((t->places.count + 1) * sizeof *out->of_place);
    bool ok = out->of_place;
    for (size_t i = 0; ok && i < t->places.count; i++)
        ok = name_place(out, by, i);
    return ok ? 0 : -ENOMEM;
}

void prof_names_release(struct prof_names *n)
{
    intern_release(&n->texts);
    free(n->of_place);
    intern_release(&n->functions);
    *n = (struct prof_names){0};
}
